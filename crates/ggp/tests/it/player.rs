//! The player at a real socket: answers, clocks, and what servers get wrong.

use crate::support::{CARDS, Guest, rules};
use std::time::{Duration, Instant};

const MARKS: [&str; 9] = ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3"];

fn is_mark(reply: &str) -> bool {
    MARKS.iter().any(|cell| reply == format!("( mark {cell} )"))
}

/// Waits until the player has noted something.
fn wait_for(guest: &Guest, part: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !guest.noted(part) {
        assert!(Instant::now() < deadline, "{part:?} is not in {:?}", guest.notes);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn answers_are_those_of_ggp_base() {
    let guest = Guest::new();
    let info = |status: &str| format!("( ( name ludens ) ( status {status} ) ( species computer ) )");
    // Idle.
    assert_eq!(guest.say("( INFO )"), info("available"));
    assert_eq!(guest.say(&format!("( PREVIEW ( {CARDS} ) 5 )")), "ready");
    for message in ["( PLAY m.1 NIL )", "( STOP m.1 NIL )", "( ABORT m.1 )"] {
        assert_eq!(guest.say(message), "busy", "{message}");
    }
    // Playing, spoken to about another match.
    assert_eq!(guest.start("m.1", "left", CARDS, (1, 1)), "ready");
    assert_eq!(guest.say("( INFO )"), info("busy"));
    assert_eq!(guest.say(&format!("( PREVIEW ( {CARDS} ) 5 )")), "busy");
    assert_eq!(guest.start("m.1", "left", CARDS, (1, 1)), "busy");
    assert_eq!(guest.start("m.2", "left", CARDS, (1, 1)), "busy");
    for message in ["( PLAY m.2 NIL )", "( STOP M.1 NIL )", "( ABORT m.2 )"] {
        assert_eq!(guest.say(message), "busy", "{message}");
    }
    // Playing.
    let reply = guest.say("( PLAY m.1 NIL )");
    assert!(["( show 1 )", "( show 2 )", "( show 3 )"].contains(&&*reply), "{reply}");
    assert_eq!(guest.say("( STOP m.1 ( ( show 3 ) ( show 1 ) ) )"), "done");
    // Idle again.
    assert_eq!(guest.say("( INFO )"), info("available"));
    assert_eq!(guest.start("m.3", "right", CARDS, (1, 1)), "ready");
    assert_eq!(guest.say("( ABORT m.3 )"), "aborted");
    assert_eq!(guest.say("( INFO )"), info("available"));
}

#[test]
fn the_final_state_is_seen() {
    let guest = Guest::new();
    guest.start("m.1", "left", CARDS, (1, 1));
    guest.say("( PLAY m.1 NIL )");
    guest.say("( STOP m.1 ( ( show 3 ) ( show 1 ) ) )");
    wait_for(&guest, "own score 100");
}

#[test]
fn clocks_are_used_and_kept() {
    let sheet = rules("breakthrough");
    let is_kept = || {
        let guest = Guest::thinking();
        let begun = Instant::now();
        assert_eq!(guest.start("m.1", "white", &sheet, (2, 1)), "ready");
        let prepared = begun.elapsed();
        assert!(prepared > Duration::from_millis(900), "{prepared:?}");
        let begun = Instant::now();
        let mv = guest.say("( PLAY m.1 NIL )");
        let thought = begun.elapsed();
        assert!(mv.starts_with("( move "), "{mv}");
        assert!(thought > Duration::from_millis(400), "{thought:?}");
        // There is nothing to think about while the other side moves.
        let begun = Instant::now();
        assert_eq!(guest.say(&format!("( PLAY m.1 ( {mv} noop ) )")), "noop");
        let waited = begun.elapsed();
        println!("{prepared:?} of 2 s to prepare, {thought:?} of 1 s to move, {waited:?} without a choice");
        prepared < Duration::from_secs(2) && thought < Duration::from_secs(1) && waited < Duration::from_millis(700)
    };
    // A busy machine may delay one match, but not all of them.
    assert!((0..5).any(|_| is_kept()));
}

#[test]
fn its_own_moves_may_be_replaced() {
    let guest = Guest::new();
    assert_eq!(guest.start("m.1", "crosses", &rules("tictactoe"), (1, 1)), "ready");
    let said = guest.say("( PLAY m.1 NIL )");
    let other = if said == "( mark 1 1 )" { "( mark 3 3 )" } else { "( mark 1 1 )" };
    assert_eq!(guest.say(&format!("( PLAY m.1 ( {other} noop ) )")), "noop");
    assert!(guest.noted("instead of"), "{:?}", guest.notes);
    let reply = guest.say("( PLAY m.1 ( noop ( mark 2 2 ) ) )");
    assert!(is_mark(&reply) && reply != other && reply != "( mark 2 2 )", "{reply}");
}

#[test]
fn repeated_messages_get_the_same_answer() {
    let guest = Guest::new();
    assert_eq!(guest.start("m.1", "crosses", &rules("tictactoe"), (1, 1)), "ready");
    let first = guest.say("( PLAY m.1 NIL )");
    assert_eq!(guest.say("( PLAY m.1 NIL )"), first);
    let step = format!("( PLAY m.1 ( {first} noop ) )");
    assert_eq!(guest.say(&step), "noop");
    assert_eq!(guest.say(&step), "noop", "the mark is made: this is the same step once more");
    assert_eq!(guest.say("( PLAY m.1 NIL )"), "noop", "the match has begun long ago");
    let cell = if first == "( mark 2 2 )" { "( mark 1 1 )" } else { "( mark 2 2 )" };
    // Two at once: the second one waits for the answer to the first.
    let step = format!("( PLAY m.1 ( noop {cell} ) )");
    let replies: Vec<String> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..2).map(|_| scope.spawn(|| guest.say(&step))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(is_mark(&replies[0]), "{replies:?}");
    assert_eq!(replies[0], replies[1]);
}

#[test]
fn wrong_moves_are_told_and_survived() {
    let guest = Guest::new();
    assert_eq!(guest.start("m.1", "crosses", &rules("tictactoe"), (1, 1)), "ready");
    guest.say("( PLAY m.1 NIL )");
    // With some marks on the board the rest is proven at once, and no answer waits for its clock.
    for moves in ["( mark 2 2 ) noop", "noop ( mark 1 2 )", "( mark 3 3 ) noop", "noop ( mark 1 1 )"] {
        guest.say(&format!("( PLAY m.1 ( {moves} ) )"));
    }
    for moves in ["( noop )", "( ( mark 9 9 ) noop )", "( noop noop )", "( a b c d )", "( ( ( ( ) ) ) ) ", "( )"] {
        let reply = guest.say(&format!("( PLAY m.1 {moves} )"));
        assert!(is_mark(&reply), "{moves}: {reply}");
    }
    assert!(guest.noted("cannot follow the server: 1 moves for 2 roles"), "{:?}", guest.notes);
    assert!(guest.noted("cannot follow the server: (mark 9 9) is not a legal move"), "{:?}", guest.notes);
    assert_eq!(guest.say("( PLAY m.1 ( ( mark 3 1 ) noop ) )"), "noop", "and the match goes on");
    assert_eq!(guest.say("( STOP m.1 ( a b c ) )"), "done");
}

#[test]
fn an_abort_ends_a_thought() {
    let guest = Guest::thinking();
    assert_eq!(guest.start("m.1", "left", CARDS, (1, 60)), "ready");
    std::thread::scope(|scope| {
        let begun = Instant::now();
        let thought = scope.spawn(|| guest.say("( PLAY m.1 NIL )"));
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(guest.say("( ABORT m.1 )"), "aborted");
        thought.join().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    });
}

#[test]
fn two_starts_at_once_begin_one_match() {
    let guest = Guest::thinking();
    let mut replies: Vec<String> = std::thread::scope(|scope| {
        let start = |id: &'static str| guest.start(id, "left", CARDS, (1, 1));
        let asked: Vec<_> = ["m.1", "m.2"].map(|id| scope.spawn(move || start(id))).into_iter().collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    replies.sort();
    assert_eq!(replies, ["busy", "ready"]);
}

#[test]
fn a_forgotten_match_blocks_nobody() {
    let guest = Guest::with(|options| options.patience = Duration::from_millis(300));
    assert_eq!(guest.start("m.1", "left", CARDS, (0, 0)), "ready");
    assert_eq!(guest.start("m.2", "left", CARDS, (0, 0)), "busy");
    std::thread::sleep(Duration::from_millis(400));
    assert!(guest.say("( INFO )").contains("available"));
    assert_eq!(guest.start("m.2", "left", CARDS, (0, 0)), "ready");
}

#[test]
fn without_time_to_compile_the_interpreter_begins_and_the_machine_goes_on() {
    let guest = Guest::thinking();
    let sheet = rules("checkers");
    let role = sheet.split("(role ").nth(1).unwrap().split(')').next().unwrap().to_owned();
    assert_eq!(guest.start("m.1", &role, &sheet, (0, 1)), "ready");
    let first = guest.say("( PLAY m.1 NIL )");
    assert!(first.starts_with("( "), "{first}");
    assert!(guest.noted("still compiling"), "{:?}", guest.notes);
    wait_for(&guest, "switching to the machine");
    assert_eq!(guest.say(&format!("( PLAY m.1 ( {first} noop ) )")), "noop");
}

#[test]
fn deep_rules_do_not_overflow_the_stack() {
    let guest = Guest::with(|options| options.spec = "uct@threads=2".parse().unwrap());
    let chain: String = (0..3000).map(|n| format!("( <= ( p{n} ?x ) ( p{} ?x ) ) ", n + 1)).collect();
    let sheet = format!("{CARDS} ( p3000 1 ) {chain} ( <= ( legal left ( bluff ?x ) ) ( p0 ?x ) )");
    assert_eq!(guest.start("m.1", "left", &sheet, (0, 2)), "ready");
    let reply = guest.say("( PLAY m.1 NIL )");
    assert!(reply.starts_with("( "), "{reply}");
    assert_eq!(guest.say("( STOP m.1 ( ( show 1 ) ( show 1 ) ) )"), "done");
}

#[test]
fn rules_with_errors_are_played_as_far_as_they_go() {
    let guest = Guest::new();
    // The second rule for legal has a variable that nothing binds.
    let sheet = format!("{CARDS} ( <= ( legal left ( bluff ?x ) ) ( true start ) )");
    assert_eq!(guest.start("m.1", "left", &sheet, (1, 1)), "ready");
    assert!(guest.noted("the rules have errors"), "{:?}", guest.notes);
    let reply = guest.say("( PLAY m.1 NIL )");
    assert!(reply.starts_with("( show "), "{reply}");
    assert_eq!(guest.say("( STOP m.1 ( ( show 1 ) ( show 1 ) ) )"), "done");
}

#[test]
fn rules_that_nobody_can_play_are_refused() {
    let guest = Guest::new();
    assert!(guest.try_say("( START m.1 left ( ( role ) 1 1 )").is_ok_and(|reply| reply.is_empty()));
    assert!(guest.noted("refused: not an expression"), "{:?}", guest.notes);
    for (rules, role, reason) in [
        ("", "left", "no roles"),
        (CARDS, "middle", "no role middle; roles: left, right"),
        ("( <= )", "left", "cannot be read"),
    ] {
        assert_eq!(guest.start("m.1", role, rules, (1, 1)), "busy", "{rules}");
        assert!(guest.noted(reason), "{rules}: {:?}", guest.notes);
    }
    let many: String = (0..300).map(|n| format!("( role r{n} ) ")).collect();
    assert_eq!(guest.start("m.1", "r7", &many, (1, 1)), "busy");
    assert!(guest.say("( INFO )").contains("available"), "the match is forgotten");
}

#[test]
fn a_role_without_moves_is_no_disaster() {
    let guest = Guest::new();
    let sheet = "( role you ) ( role me ) ( init ( at 0 ) ) ( up 0 1 ) ( up 1 2 )
        ( <= ( legal you ( go ?x ?y ) ) ( true ( at ?x ) ) ( up ?x ?y ) )
        ( <= ( legal me ( go ?x ?y ) ) ( true ( at ?x ) ) ( up ?x ?y ) )
        ( <= ( legal me wait ) ( true ( at 0 ) ) )
        ( <= ( next ( at ?y ) ) ( does you ( go ?x ?y ) ) )
        ( <= terminal ( true ( at 3 ) ) ) ( goal you 100 ) ( goal me 0 )";
    assert_eq!(guest.start("m.1", "me", sheet, (1, 1)), "ready");
    guest.say("( PLAY m.1 NIL )");
    guest.say("( PLAY m.1 ( ( go 0 1 ) wait ) )");
    assert_eq!(guest.say("( PLAY m.1 ( ( go 1 2 ) ( go 1 2 ) ) )"), "nil");
    assert_eq!(guest.say("( STOP m.1 ( nil nil ) )"), "done");
}

#[test]
fn rules_without_end_are_cut_short() {
    let guest = Guest::thinking();
    // Ever larger terms, and joins of everything with everything.
    let tower = "( role me ) ( init a ) ( p a ) ( <= ( p ( f ?x ?y ) ) ( p ?x ) ( p ?y ) )
        ( <= ( legal me ?x ) ( p ?x ) ) ( <= terminal ( true b ) ) ( goal me 50 )";
    let begun = Instant::now();
    let reply = guest.start("m.1", "me", tower, (2, 1));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(reply == "ready" || reply == "busy", "{reply}");
    if reply == "ready" {
        let begun = Instant::now();
        guest.say("( PLAY m.1 NIL )");
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert_eq!(guest.say("( ABORT m.1 )"), "aborted");
    }
    assert_eq!(guest.start("m.2", "left", CARDS, (1, 1)), "ready");
    assert!(guest.say("( PLAY m.2 NIL )").starts_with("( show "));
}

#[test]
fn a_puzzle_is_solved_in_one_match() {
    let guest = Guest::thinking();
    let sheet = rules("pegs");
    let game = ludens_ggp::RefereeGame::open("pegs", &sheet).unwrap();
    let role = &game.roles()[0];
    assert_eq!(guest.start("m.1", role, &sheet, (3, 1)), "ready");
    let mut last = "NIL".to_owned();
    let mut steps = 0;
    loop {
        let reply = guest.say(&format!("( PLAY m.1 {last} )"));
        if reply == "nil" {
            break;
        }
        last = format!("( {reply} )");
        steps += 1;
        assert!(steps < 50);
    }
    assert_eq!(guest.say("( STOP m.1 NIL )"), "done");
    wait_for(&guest, "own score 100");
}
