//! Runs come out the same however they are played.

use ludens_arena::{
    Backend, Cell, Contestant, Counting, Ending, Experiment, GameContext, GameRecord, GameTask, InLanes, OneByOne,
    OpenGames, Outcome, Planned, Run, RunObserver, Seats, Shard, Store,
    report::{Summary, summarize},
    stats::{Decision, Sprt},
};
use ludens_search::{Budget, InMemory, SearchError};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

fn experiment(players: [&str; 2], games: u64, stop: Option<Sprt>) -> Experiment {
    let contestants = players.map(|spec| Contestant { name: spec.into(), spec: spec.parse().expect("a spec") });
    let cell = |game: &str| Planned {
        cell: Arc::new(Cell {
            game: game.into(),
            budget: Budget::simulations(20),
            players: contestants.to_vec(),
            seats: Seats::All,
        }),
        games,
        first: 0,
    };
    Experiment {
        name: "test".into(),
        about: String::new(),
        seed: 3,
        counting: Counting::Players,
        stop,
        cells: ["breakthrough:5", "nogo:4", "domineering:4"].map(cell).into(),
    }
}

/// How an experiment is played in a test.
struct Setup<'s> {
    engine: &'s dyn Backend,
    threads: usize,
    /// How many games may be played.
    limit: u64,
}

impl Setup<'_> {
    fn play(&self, experiment: &Experiment, store: &mut Store) -> Ending {
        let counter = Counter { played: AtomicU64::new(0) };
        let stop = || counter.played.load(Ordering::Relaxed) >= self.limit;
        let run = Run {
            experiment,
            shard: Shard::default(),
            games: &OpenGames::default(),
            learned: Arc::new(InMemory::default()),
            engine: self.engine,
            threads: self.threads,
            retry_broken: false,
            stop: &stop,
        };
        run.go(store, &counter).expect("the run works")
    }

    fn summary(&self, experiment: &Experiment) -> Summary {
        let mut store = Store::default();
        self.play(experiment, &mut store);
        summarize(experiment, &store.results)
    }
}

struct Counter {
    played: AtomicU64,
}

impl RunObserver for Counter {
    fn game(&self, _cell: usize, _game: &GameRecord) {
        self.played.fetch_add(1, Ordering::Relaxed);
    }
}

const PLAIN: Setup<'static> = Setup { engine: &OneByOne, threads: 1, limit: u64::MAX };

/// An engine that takes many tasks at once and finishes them in another order.
struct Backwards;

impl Backend for Backwards {
    fn play(
        &self,
        table: &GameContext<'_>,
        tasks: &mut dyn Iterator<Item = GameTask>,
        done: &mut dyn FnMut(GameTask, Outcome),
    ) -> Result<(), SearchError> {
        loop {
            let batch: Vec<GameTask> = tasks.take(7).collect();
            if batch.is_empty() {
                return Ok(());
            }
            OneByOne.play(table, &mut batch.into_iter().rev(), done)?;
        }
    }
}

#[test]
fn threads_and_engines_do_not_matter() {
    let experiment = experiment(["uct+mast", "uct"], 20, None);
    let expected = PLAIN.summary(&experiment);
    assert_eq!(expected.cells.iter().map(|cell| cell.games).collect::<Vec<_>>(), [20, 20, 20]);
    assert_eq!(Setup { threads: 2, ..PLAIN }.summary(&experiment), expected);
    assert_eq!(Setup { engine: &Backwards, threads: 2, ..PLAIN }.summary(&experiment), expected);
}

#[test]
fn a_stopped_run_continues_where_it_was() {
    let experiment = experiment(["uct+mast", "uct"], 10, None);
    let mut store = Store::default();
    let mut runs = 0;
    while (Setup { limit: 7, threads: 2, ..PLAIN }).play(&experiment, &mut store) == Ending::Stopped {
        runs += 1;
        assert!(runs < 10, "every run plays some games");
    }
    assert!(runs >= 3);
    let mut summary = summarize(&experiment, &store.results);
    summary.versions.dedup();
    assert_eq!(summary, PLAIN.summary(&experiment));
}

#[test]
fn an_interrupted_run_has_had_everybody_in_every_seat() {
    let mut experiment = experiment(["uct+mast", "uct"], 12, None);
    for (planned, game) in experiment.cells.iter_mut().zip(["gdl:col3", "gdl:nim"]) {
        let cell = Arc::make_mut(&mut planned.cell);
        (cell.game, cell.budget) = (game.into(), Budget::simulations(2));
    }
    // Two cells with three roles, which two players share in six ways, and one with two roles.
    experiment.cells[2] = experiment.cells[0].clone();
    Arc::make_mut(&mut experiment.cells[2].cell).budget = Budget::simulations(3);
    let mut store = Store::default();
    assert_eq!((Setup { limit: 8, ..PLAIN }).play(&experiment, &mut store), Ending::Stopped);
    let played = |number: usize| {
        let cell = store.results.cells.get(&experiment.cells[number].cell.id(experiment.seed));
        cell.map_or(0, |cell| cell.games.len())
    };
    assert_eq!([0, 1, 2].map(played), [6, 0, 2]);
}

#[test]
fn a_test_stops_a_cell_at_the_same_game_everywhere() {
    let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
    let mut experiment = experiment(["uct+mast", "uct"], 400, Some(sprt));
    experiment.cells.truncate(1);
    let cell = Arc::make_mut(&mut experiment.cells[0].cell);
    (cell.game, cell.budget) = ("misere-knightthrough:5".into(), Budget::simulations(80));
    let expected = PLAIN.summary(&experiment);
    assert_eq!(expected.cells[0].decision, Some(Decision::H1), "{expected:?}");
    assert!(expected.cells[0].games < 400);
    assert_eq!(Setup { threads: 2, ..PLAIN }.summary(&experiment), expected);
    assert_eq!(Setup { engine: &Backwards, threads: 2, ..PLAIN }.summary(&experiment), expected);
    // A decided cell is not played on.
    let mut store = Store::default();
    PLAIN.play(&experiment, &mut store);
    let games = store.results.cells.values().map(|cell| cell.games.len()).sum::<usize>();
    PLAIN.play(&experiment, &mut store);
    assert_eq!(store.results.cells.values().map(|cell| cell.games.len()).sum::<usize>(), games);
}

#[test]
fn lanes_that_cannot_be_had_are_refused() {
    let refused = |game: &str, player: &str, budget: &str| {
        let mut experiment = experiment([player, "uct"], 2, None);
        experiment.cells.truncate(1);
        let cell = Arc::make_mut(&mut experiment.cells[0].cell);
        (cell.game, cell.budget) = (game.into(), budget.parse().expect("a budget"));
        let run = Run {
            experiment: &experiment,
            shard: Shard::default(),
            games: &OpenGames::default(),
            learned: Arc::new(InMemory::default()),
            engine: &InLanes,
            threads: 1,
            retry_broken: false,
            stop: &|| true,
        };
        run.go(&mut Store::default(), &()).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refused("gdl:tictactoe", "uct", "sims=5"), "");
    for (game, player, budget, why) in [
        ("breakthrough:5", "uct", "sims=5", "breakthrough:5x5 has no lanes: only compiled rulesheets have them"),
        ("gdl:tictactoe", "uct", "ms=5", "searches in lanes wait for each other, so they cannot have a time budget"),
        ("gdl:tictactoe", "uct@threads=2", "sims=5", "a player with several threads does not fit in a lane"),
        ("gdl:tictactoe", "uct@batch=8", "sims=5", "a player with batch uses all lanes itself"),
    ] {
        let error = refused(game, player, budget);
        assert!(error.contains(why) && error.contains("--engine auto"), "{error}");
    }
}

#[test]
fn players_that_do_not_fit_are_refused() {
    let mut experiment = experiment(["uct", "uct"], 2, None);
    let cell = Arc::make_mut(&mut experiment.cells[0].cell);
    cell.players.push(cell.players[0].clone());
    let run = Run {
        experiment: &experiment,
        shard: Shard::default(),
        games: &OpenGames::default(),
        learned: Arc::new(InMemory::default()),
        engine: &OneByOne,
        threads: 1,
        retry_broken: false,
        stop: &|| false,
    };
    let error = run.go(&mut Store::default(), &()).unwrap_err().to_string();
    assert_eq!(error, "breakthrough:5x5 has 2 roles: give 2 players, not 3");
}
