//! Every game by its name: what opens, what is refused and how, and that all of them keep the promises of games.

use ludens_catalog::{GAMES, SHEETS, interpret, open, rules};
use ludens_game::{Role, Seed, Turn, check::Plan};

fn name(text: &str) -> String {
    open(text).map_or_else(|error| error.to_string(), |game| game.name())
}

#[test]
fn games_open_by_name_and_parameters() {
    assert_eq!(name("breakthrough"), "breakthrough:8x8");
    assert_eq!(name("breakthrough:5x6"), "breakthrough:5x6");
    assert_eq!(name(" Misère-Nogo:5 "), "misere-nogo:5x5");
    assert_eq!(name("HAVANNAH:6"), "havannah:6");
    assert_eq!(name("go:9,komi=6.5,eyes=on"), "go:9x9,komi=6.5,eyes=on");
    assert_eq!(name("atarigo:5,suicide=loses"), "atarigo:5x5,suicide=loses");
    assert_eq!(name("GDL: nim"), "gdl:nim");
    assert_eq!(name("misère-gdl:nim"), "misere-gdl:nim");
}

#[test]
fn a_rulesheet_opens_without_its_prefix_where_no_native_game_has_the_name() {
    assert_eq!(name("Connect4"), "gdl:connect4");
    assert_eq!(name("misère-tictactoe"), "misere-gdl:tictactoe");
    assert_eq!(name("breakthrough"), "breakthrough:8x8");
    assert_eq!(interpret("nim").expect("a rulesheet").name(), "gdl:nim");
    assert_eq!(rules("nim"), rules("gdl:nim"));
    assert!(name("connect4:5").starts_with("unknown game \"connect4\" (did you mean \"gdl:connect4\"?)"));
}

#[test]
fn errors_are_one_line_that_names_the_choices() {
    let sheets = SHEETS.iter().map(|sheet| sheet.name).collect::<Vec<_>>().join(", ");
    let games = GAMES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
    let all = format!("games: {games}; rulesheets, as gdl:NAME: {sheets}");
    assert_eq!(name("breaktrough:5"), format!("unknown game \"breaktrough\" (did you mean \"breakthrough\"?); {all}"));
    assert_eq!(name("chess"), format!("unknown game \"chess\"; {all}"));
    assert_eq!(name(""), format!("unknown game \"\"; {all}"));
    assert_eq!(name("tictacto"), format!("unknown game \"tictacto\" (did you mean \"gdl:tictactoe\"?); {all}"));
    assert_eq!(
        name("misere-gdl:nimm"),
        format!("unknown rulesheet \"nimm\" (did you mean \"nim\"?); rulesheets: {sheets}")
    );
    assert_eq!(name("gdl"), format!("unknown rulesheet \"\"; rulesheets: {sheets}"));
    assert_eq!(name("havannah:13"), "havannah: side cannot be \"13\"; allowed: 3 to 12");
    assert_eq!(name("nogo:5x6"), "nogo: size cannot be \"5x6\"; allowed: 2 to 19");
    assert_eq!(name("nogo:komi=1"), "nogo: unknown parameter \"komi\"; parameters: size");
    assert!(!name(&"x\n".repeat(10_000)).contains('\n'));
}

#[test]
fn every_entry_describes_its_game() {
    for entry in GAMES {
        let game = entry.open("").expect("defaults open a game");
        assert_eq!(game.role_names(), entry.roles, "{}", entry.name);
        assert!(game.name().starts_with(&format!("{}:", entry.name)), "{} is {}", entry.name, game.name());
        assert_eq!(name(&game.name()), game.name(), "a canonical name opens the same game");
        assert!(!entry.about.is_empty() && !entry.about.contains('\n'));
    }
    assert!(GAMES.is_sorted_by_key(|entry| entry.name));
}

#[test]
fn every_entry_conforms() {
    let plan = Plan { walks: 5, max_steps: 1000, seed: 1 };
    for entry in GAMES {
        for params in ["", "5"] {
            let game = entry.open(params).expect("every game has a board of 5");
            assert_eq!(game.conformance(plan).map(|walks| walks.count), Ok(plan.walks), "{}", game.name());
        }
    }
}

#[test]
fn every_size_in_range_can_be_played() {
    for entry in GAMES {
        let bounds = entry.params[0].kind.bounds().expect("the first parameter is the size");
        for size in bounds {
            let game = entry.open(&size.to_string()).expect("a size in range");
            let playouts = game.playouts(10, &mut Seed::new(1).rng(), u32::MAX);
            assert!(playouts.steps >= 10, "{}: {playouts:?}", game.name());
        }
    }
}

#[test]
fn moves_are_single_words_and_garbage_is_none() {
    for entry in GAMES {
        let position = entry.open("").expect("defaults open a game").start();
        let Turn::One(role) = position.turn() else { panic!("{} is alternating", entry.name) };
        for mv in position.legals(role) {
            let name = position.move_name(role, mv);
            assert!(!name.contains([' ', ',']), "{}: {name:?} cannot stand in a list", entry.name);
            assert_eq!(position.parse_move(role, &name.to_uppercase()), Some(mv), "{}: {name:?}", entry.name);
        }
        for garbage in ["", " ", "é", "日本", "a", "1", "a0", "a-1", "z99", "a1a", "a18446744073709551616", "\0", "--"]
        {
            for role in [Role(0), Role(1)] {
                assert_eq!(position.parse_move(role, garbage), None, "{}: {garbage:?}", entry.name);
            }
        }
    }
}
