//! What every rulesheet in the binary promises: no remarks, a fast engine, a header that tells the truth.

use ludens_catalog::{self as catalog, Rulesheet, SHEETS};
use ludens_game::{
    Move, Objective, Position, Role, Seed,
    check::{Plan, conformance},
};
use ludens_gdl::{Checked, Engine, Interpreter, Limits, Machine, Opened, trace};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The interpreter is slow: longer walks would take minutes.
const INTERPRETED_STEPS: u32 = 40;

fn machine(sheet: &Rulesheet) -> Arc<Machine> {
    let Opened { engine, warnings, .. } = ludens_gdl::open(sheet.name, sheet.text, Limits::default())
        .unwrap_or_else(|remarks| panic!("{}: {remarks:?}", sheet.name));
    assert!(warnings.is_empty(), "{}: {warnings:?}", sheet.name);
    match engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { reason, .. } => panic!("{} is not grounded: {reason}", sheet.name),
    }
}

/// How long a game may take: the largest number of the header's line about steps. Whoever names none must end all the same.
fn max_steps(sheet: &Rulesheet) -> u32 {
    let line = sheet.text.lines().find_map(|line| line.strip_prefix("; Steps:")).unwrap_or_default();
    let numbers = line.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    numbers.max().unwrap_or(1000)
}

#[test]
fn every_file_is_listed_and_every_listed_sheet_is_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let files = folder.read_dir().expect("there are rules").map(|file| file.expect("a readable entry").file_name());
    let files: BTreeSet<String> = files.map(|file| file.to_string_lossy().into_owned()).collect();
    let listed: BTreeSet<String> = SHEETS.iter().map(|sheet| format!("{}.kif", sheet.name)).collect();
    assert_eq!(files, listed);
    assert!(SHEETS.is_sorted_by_key(|sheet| sheet.name));
}

#[test]
fn every_header_describes_its_game() {
    for sheet in SHEETS {
        let name = sheet.name;
        let game = catalog::open(&format!("gdl:{name}")).expect(name);
        assert_eq!(game.role_names(), sheet.roles(), "{name}");
        assert_eq!(game.name(), format!("gdl:{name}"));
        let about = sheet.about();
        assert!(about.len() > 20 && about.chars().count() < 120 && !about.ends_with('.'), "{name}: {about:?}");
        for line in ["; Rules:", "; Steps:", "; Scoring:"] {
            assert!(sheet.text.lines().any(|text| text.starts_with(line)), "{name} has no {line}");
        }
    }
}

#[test]
fn every_sheet_conforms_and_ends_in_time() {
    for sheet in SHEETS {
        let plan = Plan { walks: 10, max_steps: max_steps(sheet), seed: 1 };
        let machine = Arc::into_inner(machine(sheet)).expect("a new game is not shared");
        assert_eq!(conformance(&machine, plan).map(|walks| walks.count), Ok(plan.walks), "{}", sheet.name);
        assert_eq!(
            conformance(&Objective::lose(machine), plan).map(|walks| walks.count),
            Ok(plan.walks),
            "{}",
            sheet.name
        );
    }
}

#[test]
fn the_machine_agrees_with_the_interpreter() {
    for sheet in SHEETS {
        let walks = trace::Walks { count: 1, max_steps: INTERPRETED_STEPS, seed: Seed::new(1) };
        let mut lines = String::new();
        trace::write(&*machine(sheet), walks, |line| lines += &format!("{line}\n")).expect("machines have no limits");
        let interpreter = Interpreter::new(sheet.name, Arc::new(Checked::new(sheet.text).rules));
        let followed = trace::follow(&interpreter, &lines);
        let followed = followed.unwrap_or_else(|difference| panic!("{}: {difference}", sheet.name));
        assert_eq!(followed.walks, 1, "{}", sheet.name);
    }
}

#[test]
fn light_skirmish_counts_captures_less_losses() {
    let game = catalog::open("gdl:skirmish-light").expect("a game");
    let mut rng = Seed::new(3).rng();
    for _ in 0..20 {
        let mut position = game.clone().start();
        let pieces = |position: &dyn Position| position.view().cells.iter().filter(|cell| cell.piece.is_some()).count();
        assert_eq!(pieces(&*position), 28);
        // Every capture, by white or black, takes one piece off the board.
        let mut captures = [0_i32; 2];
        while position.scores().is_none() {
            let mover = position.history().len() % 2;
            let before = pieces(&*position);
            let joint: Vec<Move> = Role::all(2)
                .map(|role| {
                    let moves = position.legals(role);
                    moves[rng.below(moves.len() as u32) as usize]
                })
                .collect();
            position.advance(&joint);
            captures[mover] += (before - pieces(&*position)) as i32;
        }
        let lead = f64::from(captures[0] - captures[1]);
        let white = (50.0 + lead * 50.0 / 14.0).round() / 100.0;
        let scores = position.scores().expect("the game is over");
        assert!(
            (scores[0] - white).abs() < 0.006 && (scores[0] + scores[1] - 1.0).abs() < 1e-9,
            "{captures:?} {scores:?}"
        );
    }
}
