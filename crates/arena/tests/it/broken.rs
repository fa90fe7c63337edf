//! A panic in one game: the game is written down as broken, and nothing else happens.

use ludens_arena::{
    Backend, BrokenRecord, Cell, CellResults, Contestant, Counting, Ending, Experiment, InLanes, Journal, JournalLine,
    OneByOne, OpenGames, Planned, Run, RunObserver, Seats, Shard, Store,
    report::{experiment_document, summarize},
};
use ludens_catalog as catalog;
use ludens_game::check::{Plan, Violation, Walks};
use ludens_game::{DynGame, Lanes, Move, Playouts, Position, Rng, Role, RuleCircuit, Seed};
use ludens_search::{
    Budget, Effort, InMemory, LaneGame, Learned, Playable, Played, Player, Schedule, SearchError, Spec,
};
use std::sync::{Arc, Mutex};

/// A game of the catalogue whose first player fails at its third choice in some of the games.
struct Trap {
    game: Arc<dyn Playable>,
    /// Whether the players fail; else only the lanes do.
    in_players: bool,
}

/// Whether the game of a seed is one of those: about one in eight.
fn is_fatal(game: Seed) -> bool {
    game.at(0).value().is_multiple_of(8)
}

struct Failing {
    player: Box<dyn Player>,
    choices_left: Option<u32>,
}

impl Player for Failing {
    fn start(&mut self, seed: Seed) {
        self.choices_left = seed.value().is_multiple_of(8).then_some(2);
        self.player.start(seed);
    }

    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        if let Some(left) = &mut self.choices_left {
            *left = left.checked_sub(1).expect("a third choice");
        }
        self.player.choose(budget, stop)
    }

    fn observe(&mut self, joint: &[Move]) {
        self.player.observe(joint);
    }
}

/// Lanes that fail some searches after a fatal game has begun.
struct FailingSchedule<'s> {
    schedule: &'s mut dyn Schedule,
    searches_left: Option<u32>,
}

impl Schedule for FailingSchedule<'_> {
    fn next(&mut self) -> Option<LaneGame> {
        let task = self.schedule.next()?;
        if is_fatal(task.seed) {
            self.searches_left = self.searches_left.or(Some(30));
        }
        Some(task)
    }

    fn searched(&mut self, effort: Effort) {
        if let Some(left) = &mut self.searches_left {
            *left = left.checked_sub(1).expect("no more searches");
        }
        self.schedule.searched(effort);
    }

    fn finished(&mut self, number: u64, game: Played) {
        self.schedule.finished(number, game);
    }

    fn is_stopped(&self) -> bool {
        self.schedule.is_stopped()
    }
}

impl Playable for Trap {
    fn player(
        self: Arc<Self>,
        role: Role,
        spec: &Spec,
        learned: Arc<dyn Learned>,
    ) -> Result<Box<dyn Player>, SearchError> {
        let player = self.game.clone().player(role, spec, learned)?;
        let fails = self.in_players && role == Role(0);
        Ok(if fails { Box::new(Failing { player, choices_left: None }) } else { player })
    }

    fn lockstep(
        self: Arc<Self>,
        lanes: usize,
        schedule: &mut dyn Schedule,
        learned: Arc<dyn Learned>,
    ) -> Result<bool, SearchError> {
        let mut failing = FailingSchedule { schedule, searches_left: None };
        self.game.clone().lockstep(lanes, &mut failing, learned)
    }
}

impl DynGame for Trap {
    fn name(&self) -> String {
        self.game.name()
    }

    fn role_names(&self) -> Vec<String> {
        self.game.role_names()
    }

    fn moves(&self, role: Role) -> usize {
        self.game.moves(role)
    }

    fn engine(&self) -> &'static str {
        self.game.engine()
    }

    fn perft(&self, depth: u32) -> u64 {
        self.game.perft(depth)
    }

    fn conformance(&self, plan: Plan) -> Result<Walks, Violation> {
        self.game.conformance(plan)
    }

    fn playouts(&self, count: u64, rng: &mut Rng, limit: u32) -> Playouts {
        self.game.playouts(count, rng, limit)
    }

    fn lanes(&self, count: usize) -> Option<Box<dyn Lanes>> {
        self.game.lanes(count)
    }

    fn circuit(&self) -> Option<RuleCircuit> {
        None
    }

    fn start(self: Arc<Self>) -> Box<dyn Position> {
        self.game.clone().start()
    }
}

const GAMES: u64 = 60;

fn experiment() -> Experiment {
    let contestant = |spec: &str| Contestant { name: spec.into(), spec: spec.parse().expect("a spec") };
    let players = vec![contestant("uct+mast"), contestant("uct")];
    let cell = Cell { game: "gdl:connect4".into(), budget: Budget::simulations(8), players, seats: Seats::All };
    Experiment {
        name: "broken".into(),
        about: String::new(),
        seed: 2,
        counting: Counting::Players,
        stop: None,
        cells: vec![Planned { cell: Arc::new(cell), games: GAMES, first: 0 }],
    }
}

/// The games with the fatal seeds.
fn fatal_games() -> Vec<u64> {
    let seed = experiment().cells[0].cell.seed(2);
    (0..GAMES).filter(|&index| is_fatal(seed.at(index))).collect()
}

/// Hears how many games broke off, and all notes.
#[derive(Default)]
struct Ears {
    broken: Mutex<Vec<u64>>,
    notes: Mutex<Vec<String>>,
}

impl RunObserver for Ears {
    fn broken(&self, _cell: usize, game: &BrokenRecord) {
        self.broken.lock().unwrap().push(game.index);
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }
}

fn play(games: &OpenGames, engine: &dyn Backend, store: &mut Store, retry_broken: bool) -> Ears {
    let run = Run {
        experiment: &experiment(),
        shard: Shard::default(),
        games,
        learned: Arc::new(InMemory::default()),
        engine,
        threads: 2,
        retry_broken,
        stop: &|| false,
    };
    let ears = Ears::default();
    assert_eq!(run.go(store, &ears).expect("the run goes on"), Ending::Complete);
    ears
}

fn trap(in_players: bool) -> OpenGames {
    OpenGames::with(move |text| Ok(Arc::new(Trap { game: catalog::open(text)?, in_players })))
}

fn cell(store: &Store) -> &CellResults {
    &store.results.cells[&experiment().cells[0].cell.id(2)]
}

/// The games that were finished, by number, with their moves.
fn finished(games: &OpenGames, engine: &dyn Backend) -> (Vec<(u64, Vec<f64>)>, Ears) {
    let mut store = Store::default();
    let ears = play(games, engine, &mut store, false);
    let finished = cell(&store).games.values().map(|game| (game.index, game.scores.clone()));
    (finished.collect(), ears)
}

#[test]
fn a_broken_game_is_no_result_and_takes_no_other_with_it() {
    let fatal = fatal_games();
    assert!((3..20).contains(&fatal.len()), "{fatal:?}");
    let (mut sound, _) = finished(&OpenGames::default(), &OneByOne);
    assert_eq!(sound.len(), GAMES as usize);
    sound.retain(|(index, _)| !fatal.contains(index));
    for engine in [&OneByOne as &dyn Backend, &InLanes] {
        let (games, ears) = finished(&trap(true), engine);
        assert_eq!(games, sound);
        let mut broken = ears.broken.into_inner().unwrap();
        broken.sort_unstable();
        assert_eq!(broken, fatal);
    }
}

#[test]
fn where_only_the_lanes_fail_no_game_is_lost() {
    let (sound, _) = finished(&OpenGames::default(), &OneByOne);
    let (games, ears) = finished(&trap(false), &InLanes);
    assert_eq!(games, sound);
    assert!(ears.broken.into_inner().unwrap().is_empty());
    let notes = ears.notes.into_inner().unwrap();
    assert!(notes[0].starts_with("the lanes of gdl:connect4 failed: no more searches at "), "{notes:?}");
}

#[test]
fn a_broken_game_is_recorded_and_played_again_only_if_asked() {
    let folder = std::env::temp_dir().join(format!("ludens-broken-{}", std::process::id()));
    let open = || Store::open(&folder, Shard::default()).expect("a folder").0;
    let fatal = fatal_games();
    play(&trap(true), &OneByOne, &mut open(), false);

    let (_, content) = Journal::open(&folder.join("games.jsonl")).expect("a journal");
    let records = content
        .lines
        .iter()
        .filter_map(|line| if let JournalLine::Broken(record) = line { Some(record) } else { None });
    let record = records.clone().find(|record| record.index == fatal[0]).expect("it is written down");
    assert_eq!(records.count(), fatal.len());
    // Both players have chosen twice, and both chose at every step.
    assert_eq!((record.message.as_str(), record.moves.len()), ("a third choice", 2));
    assert!(record.place.as_ref().is_some_and(|place| place.contains("broken.rs:")), "{record:?}");
    let replay = format!("ludens match gdl:connect4 uct+mast uct --budget sims=8 --seed 2 --game {}", fatal[0]);
    assert_eq!(record.replay, replay);

    let again = play(&trap(true), &OneByOne, &mut open(), false);
    assert!(again.broken.into_inner().unwrap().is_empty(), "the same would happen again");
    let retried = play(&trap(true), &OneByOne, &mut open(), true);
    assert_eq!(retried.broken.into_inner().unwrap().len(), fatal.len());
    let mut store = open();
    assert_eq!((cell(&store).broken.len(), cell(&store).games.len()), (fatal.len(), GAMES as usize - fatal.len()));

    let summary = summarize(&experiment(), &store.results);
    assert_eq!((summary.cells[0].broken, summary.cells[0].games), (fatal.len() as u64, GAMES - fatal.len() as u64));
    let text = experiment_document(&summary).markdown();
    assert!(text.contains("failed and are not counted: game ") && text.contains(&replay), "{text}");

    play(&OpenGames::default(), &OneByOne, &mut store, true);
    assert_eq!((cell(&store).broken.len(), cell(&store).games.len()), (0, GAMES as usize), "mended");
    std::fs::remove_dir_all(&folder).expect("the test's own folder");
}
