//! The player without sockets: clocks shorter than a message can say, and players that do everything wrong.

use super::*;
use crate::board::{Board, RefereeGame};
use ludens_catalog::SHEETS;
use ludens_game::{Move, Rng, Role};
use ludens_search::{DEFAULT_PLAYER, Effort, Player, Report};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread;

/// A player that can be made to fail.
struct Faulty {
    inner: Box<dyn Player>,
    /// What goes wrong.
    fault: Arc<dyn Fn(Moment) + Send + Sync>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Start,
    Choose,
    Observe,
    Report,
}

impl Player for Faulty {
    fn start(&mut self, seed: Seed) {
        (self.fault)(Moment::Start);
        self.inner.start(seed);
    }

    fn choose(&mut self, budget: &ludens_search::Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        (self.fault)(Moment::Choose);
        self.inner.choose(budget, stop)
    }

    fn observe(&mut self, joint: &[Move]) {
        (self.fault)(Moment::Observe);
        self.inner.observe(joint);
    }

    fn report(&self) -> Report {
        (self.fault)(Moment::Report);
        self.inner.report()
    }
}

/// A player without a socket, and everything that it noted.
struct Bench {
    player: NetworkPlayer,
    notes: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    fn new(spec: &str) -> Bench {
        let notes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&notes);
        let journal = Journal::new(move |line| kept.lock().unwrap().push(line.to_owned()));
        let options = Options { journal, ..Options::new("ludens", spec.parse().unwrap()) };
        Bench { player: NetworkPlayer::new(options), notes }
    }

    fn faulty(fault: impl Fn(Moment) + Send + Sync + 'static) -> Bench {
        // What is proven needs no clock: the end of a match takes no time.
        let mut bench = Bench::new("uct@solver=on");
        let fault: Arc<dyn Fn(Moment) + Send + Sync> = Arc::new(fault);
        bench.player.disguise = Some(Arc::new(move |inner| Box::new(Faulty { inner, fault: Arc::clone(&fault) })));
        bench
    }

    fn noted(&self, part: &str) -> bool {
        self.notes.lock().unwrap().iter().any(|note| note.contains(part))
    }

    /// The answer to START, whose clocks need not be whole seconds.
    fn start(&self, id: &str, (role, rules): (&str, &str), (start, play): (u64, u64)) -> &'static str {
        let (rules, role, spec) = (rules.to_owned(), role.to_owned(), self.player.options.spec.clone());
        let task = RoleTask { rules, role, spec, seed: Seed::new(1), disguise: self.player.disguise.clone() };
        let clocks = (Duration::from_millis(start), Duration::from_millis(play));
        self.player.start(id, task, clocks, Instant::now())
    }

    /// The answer to PLAY, and how long it took.
    fn play(&self, id: &str, moves: Option<&[String]>) -> (String, Duration) {
        let begun = Instant::now();
        let moves = moves.map_or("NIL".to_owned(), |moves| format!("( {} )", moves.join(" ")));
        let answer = self.player.answer(&format!("( PLAY {id} {moves} )"), begun).unwrap();
        (answer, begun.elapsed())
    }

    fn say(&self, message: &str) -> String {
        self.player.answer(message, Instant::now()).unwrap()
    }
}

/// A match of one role against random moves.
struct Walk<'w> {
    bench: &'w Bench,
    board: Box<dyn Board>,
    roles: Vec<String>,
    own: usize,
    rng: Rng,
    last: Option<Vec<String>>,
}

impl Walk<'_> {
    /// One step, by the own answer or at random; that answer, whether it was legal, and how long it took. None at the end.
    fn step(&mut self, follows: bool) -> Option<(String, bool, Duration)> {
        if self.board.is_over() {
            return None;
        }
        let legal: Vec<_> = Role::all(self.roles.len()).map(|role| self.board.legal(role)).collect();
        if legal.iter().any(Vec::is_empty) {
            return None;
        }
        let (answer, time) = self.bench.play("m", self.last.as_deref());
        let said = legal[self.own].iter().find(|mv| spaced(mv) == answer).cloned();
        let rng = &mut self.rng;
        let mut joint: Vec<_> =
            legal.iter().map(|moves| moves[rng.below(moves.len() as u32) as usize].clone()).collect();
        let is_legal = said.is_some();
        if let (true, Some(said)) = (follows, said) {
            joint[self.own] = said;
        }
        self.board.advance(&joint);
        self.last = Some(joint);
        Some((answer, is_legal, time))
    }
}

/// Longer than any clock here, and shorter than anything that goes wrong on purpose; a busy machine gets the difference.
const LATE: Duration = Duration::from_secs(10);

const TICTACTOE: &str = "tictactoe";

fn rules(name: &str) -> String {
    let sheet = SHEETS.iter().find(|sheet| sheet.name == name).expect("a bundled sheet");
    RefereeGame::open(name, sheet.text).unwrap().rules().to_owned()
}

/// Plays tic-tac-toe to its end with clocks of half a second; all answers must be legal and in time.
fn tictactoe_is_played_well(bench: &Bench) {
    let game = RefereeGame::open(TICTACTOE, &rules(TICTACTOE)).unwrap();
    let roles = game.roles().to_vec();
    assert_eq!(bench.start("m", (&roles[0], game.rules()), (500, 500)), "ready");
    let mut walk = Walk { bench, board: game.start(), roles, own: 0, rng: Seed::new(1).rng(), last: None };
    let mut steps = 0;
    while let Some((answer, is_legal, time)) = walk.step(true) {
        assert!(is_legal, "{answer}: {:?}", bench.notes);
        assert!(time < LATE, "{time:?}");
        steps += 1;
    }
    assert!(steps >= 5);
    assert_eq!(bench.say("( STOP m NIL )"), "done");
}

#[test]
fn a_search_that_keeps_its_tree_for_seconds_is_not_waited_for() {
    let bench = Bench::faulty(|moment| {
        if moment == Moment::Observe {
            thread::sleep(Duration::from_secs(40));
        }
    });
    tictactoe_is_played_well(&bench);
    assert!(bench.noted("because the search did not answer"), "{:?}", bench.notes);
}

#[test]
fn a_search_that_never_comes_back_is_not_waited_for() {
    let bench = Bench::faulty(|moment| {
        if moment == Moment::Choose {
            thread::sleep(Duration::from_secs(40));
        }
    });
    tictactoe_is_played_well(&bench);
}

#[test]
fn after_a_panic_a_fresh_search_goes_on() {
    for moment in [Moment::Start, Moment::Choose, Moment::Observe, Moment::Report] {
        let count = AtomicU32::new(0);
        let bench = Bench::faulty(move |now| {
            if now == moment && count.fetch_add(1, Ordering::Relaxed) == 0 {
                panic!("on purpose");
            }
        });
        tictactoe_is_played_well(&bench);
        for part in
            ["the search panicked: on purpose at ", "tests.rs:", "player uct", "Seed(", "continuing with a new search"]
        {
            assert!(bench.noted(part), "{part}: {:?}", bench.notes);
        }
        assert!(!bench.noted("random"), "{:?}", bench.notes);
        assert!(bench.noted("simulations"), "{:?}", bench.notes);
    }
}

#[test]
fn the_note_of_a_panic_has_all_moves() {
    let count = AtomicU32::new(0);
    let bench = Bench::faulty(move |now| {
        if now == Moment::Observe && count.fetch_add(1, Ordering::Relaxed) == 1 {
            panic!("on purpose");
        }
    });
    let rules = rules(TICTACTOE);
    assert_eq!(bench.start("m", ("crosses", &rules), (500, 300)), "ready");
    bench.play("m", None);
    bench.play("m", Some(&["(mark 1 1)".to_owned(), "noop".to_owned()]));
    bench.play("m", Some(&["noop".to_owned(), "(mark 2 2)".to_owned()]));
    assert!(bench.noted("moves: ((mark 1 1) noop) (noop (mark 2 2))"), "{:?}", bench.notes);
    assert!(bench.noted("role crosses"), "{:?}", bench.notes);
}

#[test]
fn a_search_that_always_panics_leaves_a_random_player() {
    let bench = Bench::faulty(|moment| assert!(moment != Moment::Choose, "on purpose"));
    tictactoe_is_played_well(&bench);
    assert!(bench.noted("moves are random from now on"), "{:?}", bench.notes);
    // And the next match is a new one.
    bench.notes.lock().unwrap().clear();
    tictactoe_is_played_well(&bench);
    assert!(bench.noted("continuing with a new search"), "{:?}", bench.notes);
}

#[test]
fn threads_that_do_not_end_do_not_pile_up() {
    let is_stuck = Arc::new(AtomicBool::new(true));
    let stuck = Arc::clone(&is_stuck);
    let bench = Bench::faulty(move |moment| {
        while moment == Moment::Start && stuck.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
    });
    let rules = rules(TICTACTOE);
    let start = |id: &str| bench.start(id, ("crosses", &rules), (60, 60));
    let mut refused = 0;
    for number in 0..100 {
        let id = format!("m.{number}");
        refused += u32::from(start(&id) == BUSY);
        bench.say(&format!("( ABORT {id} )"));
    }
    assert!(refused > 50, "{refused}");
    assert!(bench.noted("earlier matches"), "{:?}", bench.notes);
    is_stuck.store(false, Ordering::Relaxed);
    let deadline = Instant::now() + Duration::from_secs(30);
    while start("later") == BUSY {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(50));
    }
}

/// What came of three moves at every one of many sheets.
#[derive(Debug, Default)]
struct Tally {
    sheets: usize,
    answers: usize,
    /// Positions that were still being worked out.
    unknown: Vec<String>,
    wrong: Vec<String>,
}

/// Every role of a sheet in turn; three moves after some random ones.
fn try_sheet(name: &str, text: &str, seed: u64, tally: &Mutex<Tally>) {
    let Ok(game) = RefereeGame::interpreted(name, text) else { return };
    let roles = game.roles().to_vec();
    let mut rng = Seed::new(seed).rng();
    let own = rng.below(roles.len() as u32) as usize;
    let bench = Bench::new(DEFAULT_PLAYER);
    let mut found = Tally { sheets: 1, ..Tally::default() };
    if bench.start("m", (&roles[own], game.rules()), (200, 100)) != "ready" {
        found.wrong.push(format!("{name} is refused: {:?}", bench.notes.lock().unwrap()));
    }
    let random = rng.below(3) as usize;
    let mut walk = Walk { bench: &bench, board: game.start(), roles, own, rng, last: None };
    for step in 0..random + 3 {
        let Some((answer, is_legal, time)) = walk.step(step >= random) else { break };
        found.answers += 1;
        let place = || format!("{name}, step {}: {answer} after {time:?}", step + 1);
        if answer == "nil" && bench.noted("no legal move is known in time") {
            found.unknown.push(place());
        } else if !is_legal || time > LATE {
            found.wrong.push(format!("{}: {:?}", place(), bench.notes.lock().unwrap()));
        }
    }
    if bench.noted("panicked") {
        found.wrong.push(format!("{name}: {:?}", bench.notes.lock().unwrap()));
    }
    let mut tally = tally.lock().unwrap();
    tally.sheets += found.sheets;
    tally.answers += found.answers;
    tally.unknown.extend(found.unknown);
    tally.wrong.extend(found.wrong);
}

/// Tries sheets, some at a time. All answers have to be right, and nearly all positions known in time.
fn try_sheets(sheets: &[(String, String)]) {
    let (next, tally) = (AtomicUsize::new(0), Mutex::<Tally>::default());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let at = next.fetch_add(1, Ordering::Relaxed)
                    && let Some((name, text)) = sheets.get(at)
                {
                    try_sheet(name, text, at as u64, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{} sheets, {} answers; too early for {:?}", tally.sheets, tally.answers, tally.unknown);
    assert_eq!(tally.sheets, sheets.len());
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(tally.unknown.len() * 5 <= tally.answers, "{:#?}", tally.unknown);
}

#[test]
fn the_default_player_is_fine_with_all_rulesheets() {
    let sheets: Vec<_> = SHEETS.iter().map(|sheet| (sheet.name.to_owned(), sheet.text.to_owned())).collect();
    try_sheets(&sheets);
}

#[test]
fn the_default_player_is_fine_with_real_sheets() {
    let files = ludens_gdl::testing::real_sheet_files();
    let sheets: Vec<_> = files
        .iter()
        .map(|file| (file.clone(), String::from_utf8_lossy(&std::fs::read(file).expect("a sheet")).into_owned()))
        .collect();
    try_sheets(&sheets);
}
