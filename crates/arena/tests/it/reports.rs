//! Reports of fixed records, word by word.

use ludens_arena::{
    Cell, CellRecord, Contestant, Counting, End, Experiment, Filter, GameRecord, JournalLine, Planned, Results, Seats,
    Session, Shard,
    papers::{self, Measured, PAPERS, Selection, reproduction_document},
    report::{experiment_document, summarize},
};
use ludens_search::Budget;
use std::sync::Arc;

/// An experiment of three players at two games with two budgets.
fn experiment() -> Experiment {
    let player = |name: &str, spec: &str| Contestant { name: name.into(), spec: spec.parse().expect("a spec") };
    let players = [player("ppa", "uct+ppa"), player("mast", "uct+mast"), player("uct", "uct")];
    let mut cells = Vec::new();
    for game in ["breakthrough:5", "nogo:5"] {
        for simulations in [100, 1000] {
            for (a, b) in [(0, 2), (1, 2)] {
                let (budget, players) =
                    (Budget::simulations(simulations), vec![players[a].clone(), players[b].clone()]);
                let cell = Cell { game: game.into(), budget, players, seats: Seats::All };
                cells.push(Planned { cell: Arc::new(cell), games: 12, first: 0 });
            }
        }
    }
    let about = "Who learns <fastest> & best?".into();
    Experiment { name: "learning".into(), about, seed: 1, counting: Counting::Players, stop: None, cells }
}

/// Records of an experiment in which player 0 wins the games that `wins` says; every seventh is a draw.
fn records(experiment: &Experiment, games: u64, wins: impl Fn(usize, u64) -> bool) -> Results {
    let mut results = Results::default();
    let session = Session {
        experiment: experiment.name.clone(),
        version: "1.2.3".into(),
        machine: "a machine, 2 cores".into(),
        begun: 0,
        shard: Shard::default(),
    };
    results.add(JournalLine::Session(session));
    for (number, planned) in experiment.cells.iter().enumerate() {
        let id = planned.cell.id(experiment.seed);
        results.add(JournalLine::Cell(CellRecord { id, seed: experiment.seed, cell: (*planned.cell).clone() }));
        for index in 0..games {
            let seats = if index % 2 == 0 { vec![0, 1] } else { vec![1, 0] };
            let score = match (index % 7 == 6, wins(number, index)) {
                (true, _) => 0.5,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
            let scores = seats.iter().map(|&seat| if seat == 0 { score } else { 1.0 - score }).collect();
            results.add(JournalLine::Game(GameRecord {
                cell: id,
                index,
                seed: planned.cell.seed(experiment.seed).at(index).value(),
                seats,
                scores,
                end: if number == 1 && index == 0 { End::Cut } else { End::Terminal },
                steps: 20 + index,
                simulations: vec![100, 100],
                ms: vec![1.5, 2.5],
                in_lanes: false,
                moves: vec![],
            }));
        }
    }
    results
}

#[test]
fn the_report_of_an_experiment() {
    let experiment = experiment();
    let results = records(&experiment, 10, |number, index| (index * 3 + number as u64) % 5 < 3);
    let summary = summarize(&experiment, &results);
    let document = experiment_document(&summary);
    insta::assert_snapshot!("experiment_markdown", document.markdown());
    insta::assert_snapshot!("experiment_csv", summary.grid().csv());
    insta::assert_snapshot!("experiment_json", serde_json::to_string_pretty(&summary).expect("a summary is JSON"));
    insta::assert_snapshot!("experiment_html", document.html());
}

#[test]
fn the_report_of_a_paper() {
    let paper = *PAPERS.iter().find(|paper| paper.name == "ppafm2017").expect("a paper");
    let table = paper.table("1").expect("a table");
    let only = vec!["atarigo".to_owned(), "nogo".to_owned(), "misere-domineering:8".to_owned()];
    let experiment = papers::experiment(
        paper,
        &[&table],
        &Selection { games: Some(20), filter: Filter { games: only, ..Filter::default() }, ..Selection::default() },
    );
    let results = records(&experiment, 40, |number, index| number == 0 || (number == 2 && index % 2 == 0));
    let measured = Measured::of(paper, &results);
    let document = reproduction_document("Reproduction", &[(table, &results)], &measured);
    insta::assert_snapshot!("paper_markdown", document.markdown());
    insta::assert_snapshot!("paper_html", document.html());
}

#[test]
fn nothing_is_a_report_too() {
    let experiment = experiment();
    let summary = summarize(&experiment, &Results::default());
    let json = serde_json::to_string(&summary).expect("a summary is JSON");
    assert!(!json.contains("NaN") && !json.contains("inf"), "{json}");
    assert!(summary.cells.iter().all(|cell| cell.rate.is_none() && cell.games == 0));
    let page = experiment_document(&summary).html();
    assert!(page.contains("12 left") && !page.contains("NaN"), "{page}");
}

#[test]
fn pages_stand_alone_and_are_well_formed() {
    let experiment = experiment();
    let results = records(&experiment, 4, |_, index| index == 0);
    let page = experiment_document(&summarize(&experiment, &results)).html();
    assert!(page.contains("Who learns &lt;fastest&gt; &amp; best?"));
    for outside in ["<script", "src=", "href="] {
        assert!(!page.contains(outside), "{outside}");
    }
    for tag in ["svg", "table", "figure", "g", "text", "circle"] {
        let (open, close) = (
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count(),
            page.matches(&format!("</{tag}>")).count(),
        );
        assert_eq!(open, close, "{tag}");
    }
    assert!(!page.contains("NaN"), "a coordinate is no number");
}

#[test]
fn an_independent_script_computes_the_same_verdicts() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/check-reproduction");
    let Ok(output) = std::process::Command::new("python3").arg(script).output() else {
        eprintln!("SKIPPED: there is no python3 to run {script}");
        return;
    };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && told.contains(" 0 problems"),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
