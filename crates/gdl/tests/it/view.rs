//! What states of rulesheets look like.

use ludens_game::{Charset, Game, Move, Role, Style, View};
use ludens_gdl::ground::{Ground, Limits};
use ludens_gdl::network::Network;
use ludens_gdl::simplify::simplify;
use ludens_gdl::{Checked, Interpreter, Machine};
use std::sync::Arc;

/// Two players on a board of 3 columns and 2 rows; the words in braces can be exchanged.
const MARKS: &str = "
(role {white}) (role {black})
({col} {a}) ({col} {b}) ({col} {c}) ({row} 1) ({row} 2)
(<= (init ({cell} ?x ?y {none})) ({col} ?x) ({row} ?y))
(init ({turn} {white}))
(<= (legal ?r ({put} ?x ?y)) (true ({turn} ?r)) (true ({cell} ?x ?y {none})))
(<= (legal ?r {wait}) (role ?r) (not (true ({turn} ?r))))
(<= (next ({cell} ?x ?y ?r)) (does ?r ({put} ?x ?y)))
(<= (next ({cell} ?x ?y ?p)) (true ({cell} ?x ?y ?p)) (does ?r ({put} ?v ?w)) (or (distinct ?x ?v) (distinct ?y ?w)))
(<= (next ({turn} {white})) (true ({turn} {black})))
(<= (next ({turn} {black})) (true ({turn} {white})))
(<= {open} (true ({cell} ?x ?y {none})))
(<= terminal (not {open}))
(<= (goal ?r 50) (role ?r))
";

fn named(sheet: &str) -> String {
    sheet.replace(['{', '}'], "")
}

/// Every word in braces becomes another one.
fn scrambled(sheet: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut out = String::new();
    for (index, part) in sheet.split(['{', '}']).enumerate() {
        if index % 2 == 0 {
            out.push_str(part);
            continue;
        }
        let number = words.iter().position(|word| word == part).unwrap_or_else(|| {
            words.push(part.to_owned());
            words.len() - 1
        });
        out.push_str(["umbra", "velvet", "quartz", "jigsaw", "fog", "zephyr"][number % 6]);
        out.push_str(&"x".repeat(number / 6));
    }
    out
}

fn machine(sheet: &str) -> Machine {
    let checked = Checked::new(sheet);
    assert!(!checked.is_broken(), "{:?}", checked.diagnostics);
    let ground = Ground::new(&checked.rules, Limits::default()).unwrap();
    let (network, _) = simplify(Network::new(&ground).unwrap());
    Machine::new("test", &ground, network)
}

fn interpreter(sheet: &str) -> Interpreter {
    Interpreter::new("test", Arc::new(Checked::new(sheet).rules))
}

/// The position after some moves of the only role that has a choice, with the last of them marked.
fn after<G: Game>(game: &G, moves: &[&str]) -> View {
    let mut state = game.initial();
    let mut touched = Vec::new();
    for text in moves {
        let joint: Vec<Move> = Role::all(game.roles())
            .map(|role| {
                let mut legal = Vec::new();
                game.legals(&state, role, &mut legal);
                let wanted = legal.iter().find(|&&mv| game.move_name(role, mv) == *text);
                *wanted.unwrap_or(&legal[0])
            })
            .collect();
        touched = Role::all(joint.len()).zip(&joint).flat_map(|(role, &mv)| game.touched_cells(role, mv)).collect();
        game.advance(&mut state, &joint);
    }
    let mut view = game.view(&state);
    view.mark(touched);
    view
}

fn drawn(view: &View) -> String {
    view.draw(Style { charset: Charset::Ascii, color: false })
}

#[test]
fn a_relation_of_places_and_pieces_is_a_board() {
    let sheet = named(MARKS);
    let moves = ["(put b 2)", "(put a 1)"];
    let expected = " 2 . W .\n 1(b). .\n   a b c\nW white, b black\n(turn white)\n";
    assert_eq!(drawn(&after(&machine(&sheet), &moves)), expected);
    assert_eq!(drawn(&after(&interpreter(&sheet), &moves)), expected);
}

#[test]
fn pieces_have_owners_and_cells_have_names() {
    let view = after(&machine(&named(MARKS)), &["(put b 2)"]);
    let cell = view.cells.iter().find(|cell| cell.piece.is_some()).unwrap();
    assert_eq!(cell.name, "b 2");
    assert_eq!(view.pieces[cell.piece.unwrap()].role, Some(Role(0)));
    assert_eq!(view.pieces[cell.piece.unwrap()].name, "white");
}

#[test]
fn other_names_give_the_same_board() {
    let game = machine(&scrambled(MARKS));
    let plain = after(&machine(&named(MARKS)), &[]);
    let view = after(&game, &[]);
    let places = |view: &View| view.cells.iter().map(|cell| (cell.x, cell.y, cell.piece)).collect::<Vec<_>>();
    assert_eq!(places(&view), places(&plain));
    let first = game.move_name(Role(0), first_move(&game));
    let view = after(&game, &[&first]);
    assert_eq!(view.cells.iter().filter(|cell| cell.piece.is_some()).count(), 1);
    assert_eq!(view.cells.iter().filter(|cell| cell.marked).count(), 1);
}

fn first_move<G: Game>(game: &G) -> Move {
    let mut legal = Vec::new();
    game.legals(&game.initial(), Role(0), &mut legal);
    legal[0]
}

/// A sheet of one role that can only wait, with these facts in every state.
fn still(facts: &str) -> String {
    let init: String = facts.lines().map(|fact| format!("(init {fact})\n")).collect();
    format!("(role r) (legal r wait) (<= (next ?f) (true ?f)) {init} (<= terminal (true over)) (goal r 0)")
}

#[test]
fn several_keys_are_several_boards() {
    let facts: Vec<_> =
        (1..=2).flat_map(|b| (1..=3).flat_map(move |x| (1..=3).map(move |y| format!("(at {b} {x} {y} e)")))).collect();
    let facts = facts.join("\n").replace("(at 2 3 1 e)", "(at 2 3 1 ship)");
    let view = after(&machine(&still(&facts)), &[]);
    let expected =
        "   1         2\n 3 . . .   3 . . .\n 2 . . .   2 . . .\n 1 . . .   1 . . s\n   1 2 3     1 2 3\ns ship\n";
    assert_eq!(drawn(&view), expected);
}

#[test]
fn successors_give_the_order_of_coordinates() {
    let chain = "(after seven kite) (after kite plum) (after plum oak) (<= terminal (after oak kite))";
    let facts: Vec<_> = (["oak", "plum", "kite", "seven"].iter())
        .flat_map(|x| (1..=3).map(move |y| format!("(on {x} {y} {})", if *x == "oak" { "tree" } else { "e" })))
        .collect();
    let view = after(&machine(&format!("{chain}{}", still(&facts.join("\n")))), &[]);
    let order = |name: &str| view.cells.iter().find(|cell| cell.name.starts_with(name)).unwrap().x;
    assert_eq!([order("seven"), order("kite"), order("plum"), order("oak")].map(|x| x - order("seven")), [0, 1, 2, 3]);
    assert!(view.labels.iter().any(|label| label.text == "k"), "names of columns run downwards");
}

#[test]
fn what_moves_over_a_board_is_drawn_over_it() {
    let floor: Vec<_> = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(floor {x} {y})"))).collect();
    let walk =
        "(init (robot 1 1)) (<= (next (robot ?y ?y)) (true (robot ?x ?x)) (up ?x ?y)) (up 1 2) (up 2 3) (up 3 1)";
    let sheet = still(&floor.join("\n")).replace("(true ?f)", "(true ?f) (not (distinct ?f (floor ?x ?y)))");
    let view = after(&machine(&format!("{walk}{sheet}")), &["wait"]);
    assert_eq!(drawn(&view), " 3 . . .\n 2 . r .\n 1 . . .\n   1 2 3\nr robot\n");
}

#[test]
fn what_is_no_board_is_told_in_words() {
    let facts = "(heap a 11)\n(heap b 7)\n(heap c 5)\n(heap d 2)\n(score r 10)\nready";
    let view = after(&machine(&still(facts)), &[]);
    assert!(view.cells.is_empty());
    assert_eq!(drawn(&view), "(heap a 11) (heap b 7) (heap c 5) (heap d 2)\n(score r 10)\nready\n");
}

#[test]
fn moves_touch_the_cells_they_name_in_order() {
    let sheet = named(MARKS).replace("(put ?x ?y)", "(put ?x ?y from ?y)");
    let game = machine(&sheet.replace("(put ?v ?w)", "(put ?v ?w from ?w)"));
    let cells = |text: &str| game.touched_cells(Role(0), game.parse_move(Role(0), text).unwrap());
    let view = game.view(&game.initial());
    let names = |text: &str| cells(text).into_iter().map(|cell| view.cells[cell].name.clone()).collect::<Vec<_>>();
    assert_eq!(names("(put c 1 from 1)"), ["c 1"]);
    assert!(names("wait").is_empty());
}

/// A board of 3 by 2 cells whose neighbours lie in the directions of these rules.
fn tiled(neighbours: &str) -> View {
    let cells: Vec<_> = (1..=3).flat_map(|x| (1..=2).map(move |y| format!("(cell {x} {y} blank)"))).collect();
    let rules = "(succ 1 2) (succ 2 3) (col 1) (col 2) (col 3) (row 1) (row 2)
        (<= (met ?x1 ?y1) (beside ?x1 ?y1 ?x2 ?y2) (true (cell ?x2 ?y2 blank)))
        (<= (legal r (look ?x ?y)) (met ?x ?y))
        (<= (beside ?x1 ?y ?x2 ?y) (row ?y) (succ ?x1 ?x2))
        (<= (beside ?x ?y1 ?x ?y2) (col ?x) (row ?y1) (row ?y2) (succ ?y1 ?y2))";
    after(&machine(&format!("{rules} {neighbours} {}", still(&cells.join("\n")))), &[])
}

#[test]
fn neighbours_in_six_directions_are_hexagons() {
    use ludens_game::Layout;
    assert_eq!(tiled("").layout, Layout::Square, "four directions");
    // The third direction leads to the right and down: the lowest row is drawn at the top, and (2, 1) touches (1, 2).
    let view = tiled("(<= (beside ?x1 ?y1 ?x2 ?y2) (row ?y1) (row ?y2) (succ ?x1 ?x2) (succ ?y2 ?y1))");
    assert_eq!(view.layout, Layout::Hex);
    assert_eq!(drawn(&view), " 1 . . .\n  2 . . .\n     1 2 3\n");
    // To the right and up: the rows are drawn from the bottom, and (1, 1) touches (2, 2).
    let view = tiled("(<= (beside ?x1 ?y1 ?x2 ?y2) (row ?y1) (row ?y2) (succ ?x1 ?x2) (succ ?y1 ?y2))");
    assert_eq!((view.layout, &*drawn(&view)), (Layout::Hex, " 2 . . .\n  1 . . .\n     1 2 3\n"));
    let both = "(<= (beside ?x1 ?y1 ?x2 ?y2) (row ?y1) (row ?y2) (succ ?x1 ?x2) (succ ?y1 ?y2))
        (<= (beside ?x1 ?y1 ?x2 ?y2) (row ?y1) (row ?y2) (succ ?x1 ?x2) (succ ?y2 ?y1))";
    assert_eq!(tiled(both).layout, Layout::Square, "eight directions are those of a king");
}

#[test]
fn rows_with_two_columns_between_neighbours_are_hexagons() {
    // A middle cell and its six neighbours: (3 2) between (1 2), (5 2), (2 1), (4 1), (2 3) and (4 3).
    let places = [(3, 2), (1, 2), (5, 2), (2, 1), (4, 1), (2, 3), (4, 3)];
    let cells: Vec<_> = places.iter().map(|(x, y)| format!("(cell {x} {y} blank)")).collect();
    let next: String = places[1..].iter().map(|(x, y)| format!("(way here 3 2 {x} {y})")).collect();
    let rules = "(<= (legal r (look ?x ?y)) (way here 3 2 ?x ?y) (true (cell ?x ?y blank)))";
    let view = after(&machine(&format!("{next} {rules} {}", still(&cells.join("\n")))), &[]);
    assert_eq!(drawn(&view), "  3 . .\n 2 . . .\n  1 . .\n");
}

#[test]
fn pieces_of_roles_are_no_empty_cells_even_if_they_fill_the_board() {
    let facts = "(on 1 1 r)\n(on 1 2 stone)\n(on 2 1 r)\n(on 2 2 r)";
    let view = after(&machine(&still(facts)), &[]);
    assert_eq!(drawn(&view), " 2 s R\n 1 R R\n   1 2\ns stone\n");
}
