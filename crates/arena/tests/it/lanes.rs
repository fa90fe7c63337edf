//! Games come out the same in lanes and one by one, whatever the game, the player and the number of lanes.

use ludens_arena::{
    Backend, Cell, Contestant, Counting, Experiment, Fastest, GameContext, GameTask, InLanes, OneByOne, OpenGames,
    Outcome, Planned, Run, Seats, Shard, Store,
};
use ludens_catalog as catalog;
use ludens_search::{Budget, InMemory, PAPERS, Playable, Played};
use std::collections::BTreeMap;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Games of every kind: in turns, at the same time, three roles, two moves in a row, cycles in the rules.
const GAMES: &[&str] = &[
    "gdl:connect4",
    "gdl:breakthrough",
    "gdl:pawnwhopping",
    "gdl:goofspiel",
    "gdl:col3",
    "gdl:ttcc4-3p",
    "gdl:quad7",
    "gdl:atarigo5",
];

/// Every preset of the papers that play games from rulesheets, against random playouts, now from one side and now from the other.
fn tasks(game: &str, roles: usize) -> Vec<GameTask> {
    let contestant = |name: &str| Contestant { name: name.into(), spec: name.parse().expect("a preset") };
    let papers = PAPERS.iter().filter(|paper| ["sironi2021", "tak2012"].contains(&paper.name));
    let presets = papers.flat_map(|paper| paper.presets);
    let mut tasks = Vec::new();
    for (number, preset) in presets.enumerate() {
        let players = vec![contestant(preset.name), contestant("sironi2021/random")];
        let seatings = Seats::All.seatings(2, roles).expect("two players share all seats");
        let cell = Arc::new(Cell { game: game.into(), budget: Budget::simulations(12), players, seats: Seats::All });
        for (index, seats) in (0..2).zip(seatings).skip(number % 2).step_by(2) {
            tasks.push(GameTask { cell: cell.clone(), number, index, seats, seed: cell.seed(1).at(index) });
        }
    }
    assert!(tasks.len() >= 15);
    tasks
}

fn results(engine: &dyn Backend, name: &str, share: usize) -> BTreeMap<(usize, u64), Played> {
    results_of(engine, (name, catalog::open(name).expect("a game of the catalogue")), share, &|| {})
}

fn results_of(
    engine: &dyn Backend,
    (name, game): (&str, Arc<dyn Playable>),
    share: usize,
    searched: &(dyn Fn() + Sync),
) -> BTreeMap<(usize, u64), Played> {
    let tasks = tasks(name, game.role_names().len());
    let table = GameContext {
        game,
        learned: Arc::new(InMemory::default()),
        share,
        at_once: 1,
        stop: &|| false,
        searched,
        note: &|_| {},
    };
    let mut results = BTreeMap::new();
    let count = tasks.len();
    let mut keep = |task: GameTask, outcome: Outcome| {
        results.insert((task.number, task.index), outcome.expect("no game breaks off"));
    };
    engine.play(&table, &mut tasks.into_iter(), &mut keep).expect("every preset plays every game");
    assert_eq!(results.len(), count);
    results
}

#[test]
fn lanes_play_the_same_games() {
    for game in GAMES {
        let alone = results(&OneByOne, game, 1);
        let mut in_lanes = results(&InLanes, game, 64);
        assert!(in_lanes.values().all(|played| played.in_lanes), "{game}");
        for (task, alone) in alone {
            let played = in_lanes.remove(&task).expect("both played the same tasks");
            assert_eq!((&played.moves, &played.scores), (&alone.moves, &alone.scores), "{game} {task:?}");
            for (ours, theirs) in played.efforts.iter().zip(&alone.efforts) {
                assert_eq!((ours.simulations, ours.steps), (theirs.simulations, theirs.steps), "{game} {task:?}");
            }
        }
    }
}

#[test]
fn the_number_of_lanes_does_not_matter() {
    let forget_times = |results: BTreeMap<(usize, u64), Played>| {
        results.into_iter().map(|(task, played)| (task, played.moves, played.scores)).collect::<Vec<_>>()
    };
    let many = forget_times(results(&InLanes, "gdl:tictactoe", 64));
    assert_eq!(many, forget_times(results(&InLanes, "gdl:tictactoe", 5)));
}

/// The records of a small experiment at a rulesheet, without what depends on the machine.
fn records(engine: &dyn Backend, threads: usize) -> Vec<(u64, Vec<f64>, Vec<String>)> {
    let contestant = |name: &str| Contestant { name: name.into(), spec: name.parse().expect("a preset") };
    let players = vec![contestant("sironi2021/mast"), contestant("sironi2021/random")];
    let game = "gdl:tictactoe".to_owned();
    let cell = Arc::new(Cell { game, budget: Budget::simulations(20), players, seats: Seats::All });
    let experiment = Experiment {
        name: "lanes".into(),
        about: String::new(),
        seed: 5,
        counting: Counting::Players,
        stop: None,
        cells: vec![Planned { cell: cell.clone(), games: 60, first: 0 }],
    };
    let run = Run {
        experiment: &experiment,
        shard: Shard::default(),
        games: &OpenGames::default(),
        learned: Arc::new(InMemory::default()),
        engine,
        threads,
        retry_broken: false,
        stop: &|| false,
    };
    let mut store = Store::default();
    run.go(&mut store, &()).expect("the run works");
    let games = &store.results.cells[&cell.id(5)].games;
    games.iter().map(|(&index, game)| (index, game.scores.clone(), game.moves.clone())).collect()
}

#[test]
fn every_search_in_lanes_is_heard_of() {
    let heard = AtomicUsize::new(0);
    let name = "gdl:goofspiel";
    let game = catalog::open(name).expect("a game of the catalogue");
    let searched = || {
        heard.fetch_add(1, Ordering::Relaxed);
    };
    let games = results_of(&InLanes, (name, game), 64, &searched);
    // Both roles decide at every step, so that both search at all but the last, where a single card is left.
    let steps: usize = games.values().map(|played| played.moves.len()).sum();
    let least = 2 * (steps - games.len());
    let heard = heard.into_inner();
    assert!((least..=2 * steps).contains(&heard), "{heard} searches in {steps} steps");
}

#[test]
fn one_thread_or_two_lanes_or_none() {
    let alone = records(&OneByOne, 1);
    assert_eq!(alone.len(), 60);
    for threads in [1, 2] {
        assert_eq!(records(&InLanes, threads), alone, "{threads} threads");
        assert_eq!(records(&Fastest, threads), alone, "{threads} threads");
    }
}

#[test]
fn the_interpreter_plays_the_same_games() {
    for name in ["gdl:nim", "gdl:tictactoe", "gdl:goofspiel"] {
        let slow = results_of(&OneByOne, (name, catalog::interpret(name).expect("a rulesheet")), 1, &|| {});
        for (task, alone) in results(&OneByOne, name, 1) {
            assert_eq!(slow[&task].scores, alone.scores, "{name} {task:?}");
            assert_eq!(slow[&task].moves, alone.moves, "{name} {task:?}");
        }
    }
}

#[test]
fn a_batch_plays_outside_of_the_lanes_of_others() {
    let contestant = |spec: &str| Contestant { name: spec.into(), spec: spec.parse().expect("a spec") };
    let players = vec![contestant("uct+mast@batch=20"), contestant("uct+mast")];
    let game = "gdl:connect4";
    let cell = Arc::new(Cell { game: game.into(), budget: Budget::simulations(40), players, seats: Seats::All });
    let play = |engine: &dyn Backend| {
        let tasks = (0..4).map(|index| {
            let seats = vec![(index % 2) as usize, (1 - index % 2) as usize];
            GameTask { cell: cell.clone(), number: 0, index, seats, seed: cell.seed(1).at(index) }
        });
        let opened = catalog::open(game).expect("a game of the catalogue");
        let learned = Arc::new(InMemory::default());
        let table = GameContext {
            game: opened,
            learned,
            share: 64,
            at_once: 1,
            stop: &|| false,
            searched: &|| {},
            note: &|_| {},
        };
        let mut games = BTreeMap::new();
        let mut keep = |task: GameTask, outcome: Outcome| {
            let played = outcome.expect("no game breaks off");
            games.insert(task.index, (played.moves, played.in_lanes));
        };
        engine.play(&table, &mut tasks.into_iter(), &mut keep).expect("both play it");
        games
    };
    let games = play(&InLanes);
    assert!(games.len() == 4 && games.values().all(|(_, in_lanes)| !in_lanes));
    assert_eq!(games, play(&OneByOne));
}

#[test]
fn what_has_no_lanes_is_played_one_by_one() {
    let played = results(&InLanes, "breakthrough:4", 64);
    assert!(played.values().all(|played| !played.in_lanes));
}
