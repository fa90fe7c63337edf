//! What controllers do.

use crate::{answers, replies};
use std::time::{Duration, Instant};

#[test]
fn all_required_commands_are_there() {
    let list = replies("go:9,eyes=on", "1 list_commands\nquit\n");
    let names: Vec<&str> = list[0].trim_start_matches("=1 ").lines().collect();
    for required in [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "undo",
        "time_settings",
        "time_left",
        "final_score",
        "final_status_list",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "reg_genmove",
        "showboard",
        "kgs-genmove_cleanup",
        "lz-analyze",
        "kata-analyze",
    ] {
        assert!(names.contains(&required), "{required}");
        assert_eq!(replies("go:9", &format!("known_command {required}")), ["= true"]);
    }
    assert_eq!(
        replies("havannah:4", "known_command kgs-genmove_cleanup\nprotocol_version\nname"),
        ["= false", "= 2", "= Ludens"]
    );
}

#[test]
fn errors_have_the_form_of_the_protocol_and_end_nothing() {
    let session = "7 nonsense\nplay\nplay green D4\n3 play b Z99\nplay b D4\nplay w D4\nboardsize x\nboardsize 500\nkomi \
                   x\nundo\n9 undo\ngenmove\n4\ntime_left b\nfixed_handicap 77\nlz-analyze avoid\nname\n";
    let replies = replies("go:9", session);
    let starts = [
        "?7 unknown command",
        "? syntax error",
        "? invalid color \"green\"",
        "?3 invalid vertex \"Z99\"",
        "=",
        "? illegal move: D4 is taken by a black stone",
        "? boardsize not an integer",
        "? unacceptable size",
        "? syntax error",
        "=",
        "?9 cannot undo",
        "? syntax error",
        "?4 unknown command",
        "? syntax error",
        "? invalid number of stones",
        "? syntax error",
        "= Ludens",
    ];
    assert_eq!(replies.len(), starts.len(), "{replies:?}");
    for (reply, start) in replies.iter().zip(starts) {
        assert!(reply.starts_with(start), "{reply} instead of {start}");
    }
}

#[test]
fn sizes_and_komi_change_the_game() {
    let session = "boardsize 5\nkomi 0.5\nplay b C1\nplay w D1\nplay b C2\nplay w D2\nplay b C3\nplay w D3\nplay b C4\nplay w \
                   D4\nplay b C5\nplay w D5\nfinal_score\nkomi 6.5\nfinal_score\nundo\nfinal_status_list dead\nkomi 0.3\n";
    let replies = replies("go:9", session);
    // Black has the files a to c, white d and e: 15 to 10.
    assert_eq!((replies[12].as_str(), replies[14].as_str()), ("= B+4.5", "= W+1.5"));
    assert_eq!((replies[15].as_str(), replies[16].as_str()), ("=", "="));
    assert!(replies[17].starts_with("? unacceptable komi"), "{}", replies[17]);
    let sheet = self::replies("gdl:hex7", "boardsize 7\nboardsize 11\nkomi 5\nplay b a1\nshowboard\nfinal_score");
    assert_eq!(sheet[..4], ["=", "? unacceptable size: this board has 7", "=", "="]);
    assert!(sheet[4].starts_with("= \n"), "{}", sheet[4]);
    assert_eq!(sheet[5], "? cannot score: the game is not over");
}

#[test]
fn handicap_stones_stand_before_white_moves() {
    let replies = replies(
        "go:9,eyes=on",
        "fixed_handicap 3\ngenmove w\nset_free_handicap A1 B2\nclear_board\nset_free_handicap A1 \
                                           B2\nplay w A1\nplay w C3",
    );
    assert_eq!(replies[0], "= C3 G7 C7");
    assert!(replies[1].starts_with("= "), "{}", replies[1]);
    assert_eq!(replies[2..5], ["? board not empty", "=", "="]);
    assert_eq!(replies[5], "? illegal move: A1 is taken by a black stone");
    assert_eq!(replies[6], "=");
}

#[test]
fn dead_stones_are_cleaned_up_after_the_passes() {
    // As in the test of life.rs: a white stone behind black's wall.
    let black = ["D1", "D2", "D3", "D4", "D5", "D6", "D7", "B2", "B4", "B6", "C2"];
    let white = ["E1", "E2", "E3", "E4", "E5", "E6", "E7", "F2", "F6", "A1", "F4"];
    let mut session = "boardsize 7\nkomi 0.5\n".to_owned();
    for (black, white) in black.iter().zip(white) {
        session += &format!("play b {black}\nplay w {white}\n");
    }
    session += "play b pass\nplay w pass\nfinal_status_list dead\nfinal_score\nkgs-genmove_cleanup b\nkgs-genmove_cleanup \
                w\nkgs-genmove_cleanup b\nfinal_status_list dead\nkgs-genmove_cleanup b\nfinal_score\n";
    let replies = replies("go:9,eyes=on", &session);
    let end = &replies[26..];
    // Black has 28 of the 49 points with the dead stone, white 21.
    assert_eq!(end[..2], ["= A1", "= B+6.5"]);
    assert!(["= A2", "= B1"].contains(&end[2].as_str()), "{}", end[2]);
    assert_eq!(end[3], "= pass");
    assert!(["= A2", "= B1"].contains(&end[4].as_str()), "{}", end[4]);
    assert_eq!(end[5..], ["=", "= pass", "= B+6.5"]);
}

#[test]
fn a_game_of_havannah_comes_to_its_end() {
    let mut session = "boardsize 3\n".to_owned();
    session += &"genmove w\ngenmove b\n".repeat(10);
    let all = answers("havannah:4", format!("{session}final_score\n"));
    assert!(all.contains("? the game is over") && !all.contains("pass"), "{all}");
    let score = all.trim_end().lines().last().expect("a reply");
    assert!(["= W+", "= B+", "= 0"].contains(&score), "{score}");
}

#[test]
fn clocks_are_obeyed() {
    let begun = Instant::now();
    let session = "time_settings 1 0 0\n".to_owned() + &"genmove b\ngenmove w\n".repeat(8);
    let played = replies("go:9,eyes=on", &session);
    assert!(played[1..].iter().all(|reply| reply.starts_with("= ")), "{played:?}");
    assert!(begun.elapsed() < Duration::from_secs(8), "two clocks of a second took {:?}", begun.elapsed());
    let begun = Instant::now();
    replies("go:9,eyes=on", "time_settings 0 60 1\ntime_left b 0.3 1\ngenmove b\n");
    let spent = begun.elapsed();
    assert!(spent > Duration::from_millis(150) && spent < Duration::from_secs(20), "{spent:?} of 0.3 s");
}

#[test]
fn an_analysis_ends_with_the_next_command() {
    for (command, rate) in [("lz-analyze b 1", "winrate 4"), ("kata-analyze interval 1 maxmoves 2", "winrate 0.")] {
        let replies = replies("go:9,eyes=on", &format!("5 {command}\n6 name\n"));
        let mut lines = replies[0].lines();
        assert_eq!(lines.next(), Some("=5"));
        let last = lines.next_back().expect("at least one report");
        assert!(last.starts_with("info move ") && last.contains(" visits ") && last.contains(" order 0 pv "), "{last}");
        assert!(last.contains(rate) || last.contains("winrate 5"), "{last}");
        assert_eq!(replies[1], "=6 Ludens");
    }
    let replies = replies("gdl:tictactoe", "kata-genmove_analyze b interval 1\nundo\nundo\n");
    let played = replies[0].lines().last().expect("a reply").to_owned();
    assert!(played.starts_with("play "), "{played}");
    assert_eq!(replies[1..], ["=", "? cannot undo"]);
}
