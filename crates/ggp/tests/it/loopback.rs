//! Whole matches between the referee and players at real sockets: no late answer, no illegal move, no error.
//!
//! Long runs are started by hand: `LUDENS_MATCHES=200 cargo test --release -p ludens-ggp --test it loopback -- --nocapture`. They take
//! the sheets of `../shared/gdl` besides our own. What else can be set:
//!
//! ```text
//! LUDENS_TABLES   how many matches are played at a time
//! LUDENS_START    seconds to prepare, instead of 1 to 3
//! LUDENS_PLAY     seconds a step, instead of 1 to 3
//! LUDENS_PLAYER   who plays; `default` for the default player
//! LUDENS_SHEETS   names of sheets, ours as gdl:NAME; `large` for those whose trees grow the fastest
//! ```

use crate::support::Guest;
use ludens_catalog::SHEETS;
use ludens_game::Seed;
use ludens_ggp::{
    Contestant, Journal, MatchObserver, MatchRecord, Occasion, Referee, RefereeGame, Remote, Scrambler, Seat, Summons,
    Trouble,
};
use ludens_search::{DEFAULT_PLAYER, Spec};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A player whose answers to PLAY are timed.
struct Timed {
    remote: Remote,
    play: Duration,
    worst: Arc<Worst>,
}

/// Of all answers the one that used the most of its clock, in thousandths.
#[derive(Default)]
struct Worst {
    share: AtomicU64,
    answers: AtomicU64,
}

impl Contestant for Timed {
    fn name(&self) -> String {
        self.remote.name()
    }

    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        let begun = Instant::now();
        let answer = self.remote.ask(occasion);
        if occasion.summons == Summons::Play {
            let share = 1000.0 * begun.elapsed().as_secs_f64() / self.play.as_secs_f64();
            self.worst.share.fetch_max(share as u64, Ordering::Relaxed);
            self.worst.answers.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }
}

/// One match.
struct Fixture {
    sheet: String,
    start: u64,
    play: u64,
    is_scrambled: bool,
    /// Whether all roles are ours; otherwise one is, and chance has the others.
    is_full: bool,
    number: usize,
}

/// The text of a sheet: one of ours as `gdl:NAME`, or a real one.
fn text(sheet: &str) -> Option<String> {
    if let Some(name) = sheet.strip_prefix("gdl:") {
        return SHEETS.iter().find(|sheet| sheet.name == name).map(|sheet| sheet.text.to_owned());
    }
    let bytes = std::fs::read(ludens_gdl::testing::real_sheets().join(format!("{sheet}.kif"))).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Plays a match; what is wrong with it, if anything is.
fn play(fixture: &Fixture, rules: &str, worst: &Arc<Worst>) -> (MatchRecord, Vec<String>) {
    let game = RefereeGame::open(&fixture.sheet, rules).unwrap_or_else(|error| panic!("{}: {error}", fixture.sheet));
    let roles = game.roles().len();
    let guest = || Guest::with(|options| options.spec = player().unwrap_or(options.spec.clone()));
    let guests: Vec<_> = (0..if fixture.is_full { roles } else { 1 }).map(|_| guest()).collect();
    let seat = |role: usize| {
        let guest =
            if fixture.is_full { guests.get(role) } else { guests.first().filter(|_| role == fixture.number % roles) };
        guest.map_or(Seat::Random, |guest| {
            let remote = Remote::new(&guest.address().to_string());
            let play = Duration::from_secs(fixture.play);
            Seat::Contestant(Arc::new(Timed { remote, play, worst: Arc::clone(worst) }))
        })
    };
    let seats: Vec<_> = (0..roles).map(seat).collect();
    let seed = Seed::new(fixture.number as u64);
    let referee = Referee {
        game: &game,
        id: format!("loopback.{}", fixture.number),
        start: fixture.start,
        play: fixture.play,
        scrambler: fixture.is_scrambled.then(|| Scrambler::new(game.rules(), seed)),
        seed,
        journal: Journal::silent(),
    };
    let record = referee.run(&seats, &mut MatchObserver { seen: &mut |_| {}, stop: &|| false });
    let mut wrong: Vec<String> = record.errors.concat().into_iter().filter(|error| !error.is_empty()).collect();
    if !record.is_completed {
        wrong.push("not completed".to_owned());
    }
    for guest in &guests {
        let notes = guest.notes.lock().unwrap();
        wrong.extend(notes.iter().filter(|note| note.contains("instead of") || note.contains("cannot")).cloned());
        if !wrong.is_empty() {
            wrong.extend(notes.iter().cloned());
        }
    }
    (record, wrong)
}

/// Plays all matches, some at a time; returns what went wrong.
fn play_all(fixtures: &[Fixture], tables: usize) -> Vec<String> {
    let (next, failures, worst) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Arc::new(Worst::default()));
    let played = Mutex::new((0_usize, 0_usize, BTreeSet::new()));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..tables {
            scope.spawn(|| {
                while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(rules) = text(&fixture.sheet) else {
                        eprintln!("SKIPPED: there is no sheet {}", fixture.sheet);
                        continue;
                    };
                    let (record, wrong) = play(fixture, &rules, &worst);
                    let mut played = played.lock().unwrap();
                    played.0 += 1;
                    played.1 += record.moves.len();
                    played.2.insert(fixture.sheet.clone());
                    if !wrong.is_empty() {
                        eprintln!("{}: {wrong:?}", fixture.sheet);
                        failures
                            .lock()
                            .unwrap()
                            .push(format!("match {}, {}: {wrong:?}", fixture.number, fixture.sheet));
                    }
                }
            });
        }
    });
    let (matches, steps, sheets) = played.into_inner().unwrap();
    let failures = failures.into_inner().unwrap();
    eprintln!(
        "{matches} matches of {} sheets, {steps} steps, {} answers, the slowest after {:.1} % of its clock; {} matches \
         with errors; {:.0} s",
        sheets.len(),
        worst.answers.load(Ordering::Relaxed),
        worst.share.load(Ordering::Relaxed) as f64 / 10.0,
        failures.len(),
        begun.elapsed().as_secs_f64()
    );
    failures
}

/// Sheets for one to three roles, in turns and at the same time: what is played unless somebody asks for more.
const SHORT_RUN: &str = "gdl:tictactoe gdl:pegs gdl:goofspiel gdl:nim gdl:col3 gdl:clobber";

/// Sheets for one to six roles whose matches are short enough for a run of some minutes.
const LONG_RUN: &str = "
    gdl:pegs brain_teaser_extended buttons circlesolitaire coins_atomic duplicateStateMedium futoshiki4 futoshiki5 futoshiki6
    haystack hidato37 kitten_escapes_from_fire knightsTour lightsOn lightsOnSimul4 lightsOnSimultaneous max_knights
    mineClearingSmall nonogram_5x5_1 pearls queens queens08ug queens12ug ruleDepthLinear snakeParallel snake_2008_tweaked
    snake_2009 snake_2009_big stateSpaceSmall survival tpeg troublemaker02 untwistycomplex2 wargame01 wargame02 wargame03
    zombieAttack1PL6
    gdl:atarigo5 gdl:clobber gdl:connect4 gdl:domineering gdl:fighter gdl:goofspiel gdl:nim gdl:nogo5 gdl:pawnwhopping
    gdl:tictactoe biddingTicTacToe_10coins blockerParallel blockerSerial brawl bunk_t catcha_mouse checkLines
    chickentictactoe chickentoetictac cittaceot colonelBlottoVariant colonelBlottoVariant2 coloredtrails connectFourLarge
    connectFourLarger connectFourSimultaneous endgame eotcatcit eotcitcit gt_centipede gt_chicken gt_dollar gt_staghunt
    gt_ultimatum hodgepodge minichess-evilconjuncts nim1 nim3 nineBoardTicTacToe onestep pawnToQueen racer
    racetrackcorridor shmup snake2p snakeAssemblit sum15 ticTacHeaven ticTacToe ticTacToeNoVars ticTacToeParallel ticblock
    tictactoe-init1 tictactoe_orthogonal tron_10x10 ttcc4_2player ttcc4_2player_small
    gdl:col3 gdl:ttcc4-3p crossers3 switches tictactoe_3player
    battlebrushes smallest_4player knightwar gt_two_thirds_6p tictactoe_3d_small_6player";

/// Sheets whose trees take the most memory a second.
const LARGE: &str = "
    blockerParallel lightsOnSimul4 max_knights knightThrough breakthroughHoles breakthroughSmall breakthroughWalls connect5
    choicethroughalt breakthrough";

/// Who plays, if somebody has set it.
fn player() -> Option<Spec> {
    let text = std::env::var("LUDENS_PLAYER").ok()?;
    let text = if text == "default" { DEFAULT_PLAYER } else { &text };
    Some(text.parse().unwrap_or_else(|error| panic!("LUDENS_PLAYER: {error}")))
}

/// A number that somebody may have set.
fn setting(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn whole_matches_without_an_error() {
    let wanted = setting("LUDENS_MATCHES");
    let sheets = std::env::var("LUDENS_SHEETS").ok();
    let sheets = match sheets.as_deref() {
        Some("large") => LARGE,
        Some(sheets) => sheets,
        None if wanted.is_some() => LONG_RUN,
        None => SHORT_RUN,
    };
    let sheets: Vec<_> = sheets.split_whitespace().collect();
    // The clocks of a long run are 1 to 3 s in all combinations.
    let longest = if wanted.is_some() { 3 } else { 1 };
    let clock = |name: &str, number: usize| setting(name).unwrap_or(1 + number % longest) as u64;
    let fixture = |number: usize| Fixture {
        sheet: sheets[number % sheets.len()].to_owned(),
        start: clock("LUDENS_START", number),
        play: clock("LUDENS_PLAY", number / 3),
        is_scrambled: (number + number / sheets.len()).is_multiple_of(2),
        is_full: number.is_multiple_of(3),
        number,
    };
    let fixtures: Vec<_> = (0..wanted.unwrap_or(sheets.len())).map(fixture).collect();
    assert_eq!(play_all(&fixtures, setting("LUDENS_TABLES").unwrap_or(3)), Vec::<String>::new());
}
