//! The referee against players that do everything wrong, and the record of it.

use crate::support::actor::{Fault, actor};
use crate::support::{CARDS, Guest, rules};
use ludens_game::Seed;
use ludens_ggp::{
    Inside, Journal, MatchObserver, MatchRecord, NetworkPlayer, Options, Referee, RefereeGame, Remote, Scrambler, Seat,
    Standing, Tournament,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn remote(address: &str) -> Seat {
    Seat::Contestant(Arc::new(Remote::new(address)))
}

/// Plays a match in which only the grace is left to answer.
fn play(game: &RefereeGame, seats: &[Seat]) -> MatchRecord {
    play_by(game, seats, 0)
}

fn play_by(game: &RefereeGame, seats: &[Seat], play: u64) -> MatchRecord {
    let (id, seed, journal) = ("test.1".to_owned(), Seed::new(7), Journal::silent());
    let referee = Referee { game, id, start: 1, play, scrambler: None, seed, journal };
    referee.run(seats, &mut MatchObserver { seen: &mut |_| {}, stop: &|| false })
}

/// What the record of a finished match promises.
fn is_complete(record: &MatchRecord) -> bool {
    let states = record.moves.len() + 1;
    record.is_completed
        && !record.is_aborted
        && record.goal_values.is_some()
        && [record.states.len(), record.state_times.len(), record.errors.len()] == [states; 3]
}

#[test]
fn every_fault_is_recorded_and_the_match_goes_on() {
    let game = RefereeGame::open("cards", CARDS).unwrap();
    for (fault, error) in [
        (Fault::Says("( show 2 )"), ""),
        (Fault::Says("(show  2)"), ""),
        (Fault::Says("( show 9 )"), "IL ( show 9 )"),
        (Fault::Says("( SHOW 2 )"), "IL ( SHOW 2 )"),
        (Fault::Says("busy"), "IL busy"),
        (Fault::Says("nil"), "IL nil"),
        (Fault::Says(""), "IL null"),
        (Fault::Says(")))"), "IL null"),
        (Fault::Says("( show 2"), "IL null"),
        (Fault::Noise, "CE"),
        (Fault::Half, "CE"),
        (Fault::Hangs, "CE"),
        (Fault::Flood, "IL null"),
        (Fault::Late, "TO"),
        (Fault::Silent, "TO"),
    ] {
        let begun = Instant::now();
        let record = play(&game, &[remote(&actor(fault)), Seat::Random]);
        assert!(begun.elapsed() < Duration::from_secs(30), "{fault:?}: {:?}", begun.elapsed());
        assert!(is_complete(&record), "{fault:?}: {record:?}");
        assert_eq!(record.errors, [["", ""], [error, ""]], "{fault:?}");
        if error.is_empty() {
            assert_eq!(record.moves[0][0], "( show 2 )");
        }
        assert!(record.moves[0].iter().all(|mv| mv.starts_with("( show ")), "{record:?}");
    }
}

#[test]
fn nobody_at_the_address_is_a_connection_error() {
    let game = RefereeGame::open("cards", CARDS).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for address in [port.to_string(), "no.such.host.invalid:9147".into(), "nonsense".into()] {
        let record = play(&game, &[remote(&address), Seat::Random]);
        assert!(is_complete(&record), "{record:?}");
        assert_eq!(record.errors, [["CE", ""], ["CE", ""]], "{address}");
    }
}

#[test]
fn a_player_that_leaves_in_mid_match_loses_only_its_own_moves() {
    let game = RefereeGame::open("tictactoe", &rules("tictactoe")).unwrap();
    let record = play(&game, &[remote(&actor(Fault::Leaves)), Seat::Random]);
    assert!(is_complete(&record), "{record:?}");
    assert_eq!(record.moves[0], ["( mark 1 1 )", "noop"]);
    assert_eq!((&*record.errors[0][0], &*record.errors[1][0]), ("", ""));
    assert!(record.errors[2..].iter().all(|errors| *errors == ["CE", ""]), "{:?}", record.errors);
}

#[test]
fn stopping_aborts_at_once_and_keeps_the_record() {
    let game = RefereeGame::open("tictactoe", &rules("tictactoe")).unwrap();
    let guest = Guest::thinking();
    let inside = NetworkPlayer::new(Options::new("inside", "uct".parse().unwrap()));
    let seats = [remote(&guest.address().to_string()), Seat::Contestant(Arc::new(Inside::new("inside", inside)))];
    let (stopped, begun) = (AtomicBool::new(false), Instant::now());
    let stop = || stopped.load(Ordering::Relaxed);
    let mut seen = |record: &MatchRecord| stopped.store(record.moves.len() == 3, Ordering::Relaxed);
    let (id, journal) = ("test.1".to_owned(), Journal::silent());
    let referee = Referee { game: &game, id, start: 1, play: 1, scrambler: None, seed: Seed::new(1), journal };
    let record = referee.run(&seats, &mut MatchObserver { seen: &mut seen, stop: &stop });
    assert!(record.is_aborted && !record.is_completed && record.goal_values.is_none(), "{record:?}");
    assert_eq!((record.moves.len(), record.states.len(), record.errors.len()), (3, 4, 4));
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    assert!(guest.say("( INFO )").contains("available"), "it got the ABORT");
    assert!(guest.noted("aborted"), "{:?}", guest.notes);
}

#[test]
fn nobody_waits_for_answers_that_nobody_needs() {
    let game = RefereeGame::open("cards", CARDS).unwrap();
    let begun = Instant::now();
    let seats = [remote(&actor(Fault::Silent)), Seat::Random];
    let (id, journal) = ("test.1".to_owned(), Journal::silent());
    let referee = Referee { game: &game, id, start: 1, play: 30, scrambler: None, seed: Seed::new(1), journal };
    let stop = || begun.elapsed() > Duration::from_millis(500);
    let record = referee.run(&seats, &mut MatchObserver { seen: &mut |_| {}, stop: &stop });
    assert!(record.is_aborted, "{record:?}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn unsound_rules_end_a_match_with_a_reason() {
    let stuck = "(role a) (init x) (<= (legal a go) (true x)) (<= (next y) (true x)) (<= terminal (true z)) (goal a 1)";
    let two_goals = "(role a) (init x) (<= (legal a go) (role a)) (<= (next y) (true x)) (<= terminal (true y))
        (goal a 1) (goal a 2)";
    for (sheet, steps, reason) in [(stuck, 1, "a has no legal move"), (two_goals, 1, "a has 2 goal values")] {
        let game = RefereeGame::open("unsound", sheet).unwrap();
        let notes = Arc::new(std::sync::Mutex::new(String::new()));
        let kept = Arc::clone(&notes);
        let journal = Journal::new(move |line| kept.lock().unwrap().push_str(line));
        let id = "test.1".to_owned();
        let referee = Referee { game: &game, id, start: 1, play: 1, scrambler: None, seed: Seed::new(1), journal };
        let record = referee.run(&[Seat::Random], &mut MatchObserver { seen: &mut |_| {}, stop: &|| false });
        assert!(record.is_aborted && !record.is_completed, "{record:?}");
        assert_eq!(record.moves.len(), steps);
        assert!(notes.lock().unwrap().contains(reason), "{notes:?}");
    }
    assert!(RefereeGame::open("broken", "(role a)").is_err());
}

#[test]
fn a_game_that_is_over_at_once_gets_a_stop_without_moves() {
    let sheet =
        "(role a) (init x) (<= (legal a go) (true x)) (<= (next x) (true x)) (<= terminal (true x)) (goal a 70)";
    let game = RefereeGame::open("over", sheet).unwrap();
    let guest = Guest::new();
    let record = play_by(&game, &[remote(&guest.address().to_string())], 5);
    assert!(is_complete(&record), "{record:?}");
    assert_eq!((record.moves.len(), record.goal_values), (0, Some(vec![70])));
    assert!(guest.say("( INFO )").contains("available"));
}

#[test]
fn a_role_called_random_is_nobody() {
    let sheet = CARDS.replace("right", "random");
    let game = RefereeGame::open("cards", &sheet).unwrap();
    let guest = Guest::new();
    let tournament = Tournament {
        game,
        players: vec![remote(&guest.address().to_string())],
        start: 1,
        play: 1,
        matches: 2,
        scramble: true,
        seed: Seed::new(1),
        journal: Journal::silent(),
    };
    assert_eq!(tournament.check(), Ok(()));
    let standings = tournament.run(&mut |_| {}, &|| false);
    let Standing { matches, late, illegal, unreachable, .. } = standings[0].clone();
    assert_eq!((matches, late, illegal, unreachable), (2, 0, 0, 0));
}

#[test]
fn seats_rotate_and_points_are_counted() {
    let game = || RefereeGame::open("cards", CARDS).unwrap();
    let tournament = |players| {
        let (seed, journal) = (Seed::new(1), Journal::silent());
        Tournament { game: game(), players, start: 1, play: 0, matches: 4, scramble: false, seed, journal }
    };
    let (high, wrong) = (remote(&actor(Fault::Says("( show 3 )"))), remote(&actor(Fault::Says("busy"))));
    let one = tournament(vec![high.clone()]).check().unwrap_err().to_string();
    assert_eq!(one, "cards needs 2 players, for left, right; 1 given");
    let mut seatings = Vec::new();
    let standings = tournament(vec![high.clone(), wrong.clone()]).run(
        &mut |progress| {
            if progress.is_over {
                seatings.push(progress.record.player_names_from_host[0].clone());
            }
        },
        &|| false,
    );
    assert_eq!(seatings, [high.name(), wrong.name(), high.name(), wrong.name()]);
    assert_eq!((standings[0].matches, standings[0].illegal, standings[0].best), (4, 0, 4));
    assert_eq!((standings[1].matches, standings[1].illegal), (4, 4));
    assert!(standings[0].points >= 200 && standings[0].points + standings[1].points == 400, "{standings:?}");
    assert_eq!(standings[0].mean(), Some(standings[0].points as f64 / 4.0));
}

#[test]
fn a_record_has_the_fields_of_ggp_base() {
    let game = RefereeGame::open("tictactoe", &rules("tictactoe")).unwrap();
    let (id, seed, journal) = ("test.tictactoe.7".to_owned(), Seed::new(3), Journal::silent());
    let scrambler = Some(Scrambler::new(game.rules(), seed));
    let guest = Guest::new();
    let referee = Referee { game: &game, id, start: 1, play: 1, scrambler, seed, journal };
    let mut lengths = Vec::new();
    let mut seen = |record: &MatchRecord| lengths.push(record.states.len());
    let seats = [remote(&guest.address().to_string()), Seat::Random];
    let record = referee.run(&seats, &mut MatchObserver { seen: &mut seen, stop: &|| false });
    assert!(is_complete(&record), "{record:?}");
    assert!(lengths.is_sorted() && lengths.len() >= record.states.len(), "it is seen after every step: {lengths:?}");
    let json = serde_json::to_value(&record).unwrap();
    let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "matchId",
            "randomToken",
            "startTime",
            "isCompleted",
            "isAborted",
            "states",
            "moves",
            "stateTimes",
            "errors",
            "goalValues",
            "previewClock",
            "startClock",
            "playClock",
            "playerNamesFromHost",
            "isPlayerHuman",
            "scrambled"
        ]
    );
    assert_eq!(json["matchId"], "test.tictactoe.7");
    let token = json["randomToken"].as_str().unwrap();
    assert!(token.len() == 32 && token.chars().all(|c| c.is_ascii_alphanumeric()), "{token}");
    assert!(json["startTime"].as_u64().unwrap() > 1_600_000_000_000);
    assert_eq!(
        json["states"][0],
        "( ( cell 1 1 blank ) ( cell 1 2 blank ) ( cell 1 3 blank ) ( cell 2 1 blank ) ( cell 2 2 blank ) \
         ( cell 2 3 blank ) ( cell 3 1 blank ) ( cell 3 2 blank ) ( cell 3 3 blank ) ( control crosses ) )"
    );
    assert!(json["moves"][0][0].as_str().unwrap().starts_with("( mark "), "{json}");
    assert_eq!(json["moves"][0][1], "noop");
    let times: Vec<_> = json["stateTimes"].as_array().unwrap().iter().map(|time| time.as_u64().unwrap()).collect();
    assert!(times.is_sorted() && times[0] >= json["startTime"].as_u64().unwrap());
    assert!(json["errors"].as_array().unwrap().iter().all(|errors| *errors == serde_json::json!(["", ""])), "{json}");
    let goals: Vec<_> = json["goalValues"].as_array().unwrap().iter().map(|goal| goal.as_i64().unwrap()).collect();
    assert_eq!(goals.iter().sum::<i64>(), 100);
    assert_eq!((&json["previewClock"], &json["startClock"], &json["playClock"]), (&(-1).into(), &1.into(), &1.into()));
    assert_eq!(json["isPlayerHuman"], serde_json::json!([false, false]));
    assert_eq!(
        (&json["isCompleted"], &json["isAborted"], &json["scrambled"]),
        (&true.into(), &false.into(), &true.into())
    );
    assert_eq!(serde_json::from_value::<MatchRecord>(json).unwrap(), record);
}
