//! Moves as people write them.

use ludens_catalog::notation::*;
use ludens_game::{DynGame, Role, toy::Pennies};
use std::sync::Arc;

#[test]
fn given_moves_must_be_legal_and_complete() {
    let given = |text| {
        let names = DynGame::role_names(&Pennies);
        play_moves(&mut *Arc::new(Pennies).start(), &names, text)
    };
    assert_eq!(given("heads, tails"), Ok(()));
    let error = |text| given(text).expect_err("an error");
    assert_eq!(error("heads edge"), "move 1: \"edge\" is not a move of this game; legal for odd: heads, tails");
    assert_eq!(error("heads he"), "move 1: \"he\" is an incomplete move; legal for odd: heads, tails");
    assert_eq!(error("heads"), "the last step needs a move of every role that has a choice");
    assert_eq!(error("heads tails heads"), "move \"heads\" comes after the end of the game");
}

#[test]
fn written_moves_can_be_read() {
    for name in ["gdl:goofspiel", "gdl:col3", "gdl:connect4", "breakthrough:5", "havannah:4"] {
        let game = ludens_catalog::open(name).expect("a game");
        let names = game.role_names();
        let mut position = game.clone().start();
        for _ in 0..4 {
            position.advance(&joint(&*position, names.len(), &[]));
        }
        let mut again = game.clone().start();
        play_moves(&mut *again, &names, &written_moves(game, position.history())).expect("legal moves");
        assert_eq!(again.history(), position.history(), "{name}");
    }
}

#[test]
fn who_has_one_move_is_to_play_unless_it_waits() {
    let game = ludens_catalog::open("gdl:nim").expect("a game");
    let names = game.role_names();
    let mut position = game.start();
    play_moves(&mut *position, &names, "(leave a 0) (leave b 0) (leave c 1)").expect("legal moves");
    assert_eq!(deciders(&*position, 2), [Role(1)]);
    assert_eq!(legal_names(&*position, Role(1)), ["(leave c 0)"]);
    for text in ["(leave c 0)", "noop"] {
        play_moves(&mut *position, &names, text).expect("the only step");
        assert_eq!(position.scores(), Some(vec![0.0, 1.0]));
        position.undo();
    }
}

#[test]
fn moves_of_rulesheets_need_no_parentheses() {
    let game = ludens_catalog::open("gdl:nim").expect("a game");
    let (names, position) = (game.role_names(), game.start());
    let read = |text| read_move(&*position, Role(0), text, &names);
    assert_eq!(read("leave a 1"), read("(leave a 1)"));
    assert!(read("leave a 1").is_ok());
    assert!(read("leave a 9").is_err());
}

#[test]
fn moves_in_parentheses_are_not_parted() {
    let game = ludens_catalog::open("gdl:nim").expect("a game");
    let names = game.role_names();
    let mut position = game.start();
    for (text, unknown) in [
        ("(leave a 1), (leave (at 3,4) 5) pass", "\"(leave (at 3,4) 5)\""),
        (" a1 )b2, (c3 d4", "\"a1\""),
        (")b2, (c3 d4", "\")b2\""),
        ("(c3 d4", "\"(c3 d4\""),
    ] {
        let error = play_moves(&mut *position, &names, text).expect_err("not a move");
        assert!(error.contains(unknown), "{text}: {error}");
        while position.undo() {}
    }
}
