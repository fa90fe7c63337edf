//! Havannah against a slow version of its rules, and facts about it.

use crate::slow::{self, Slow, agree, line};
use ludens_game::check::{self, Plan};
use ludens_game::{Charset, Move, Role, Style, TurnGame, perft};
use ludens_games::havannah::{Havannah, MAX_SIDE, MIN_SIDE, State};
use std::collections::{HashMap, HashSet};

/// A cell in coordinates around the centre whose sum is zero.
type Cube = (i32, i32, i32);

/// Havannah from the rules: everything is found out anew after every move.
#[derive(Clone)]
struct SlowHavannah {
    radius: i32,
    /// By [`SlowHavannah::index`].
    stones: Vec<Option<usize>>,
    moves: usize,
}

impl SlowHavannah {
    fn new(side: usize) -> SlowHavannah {
        SlowHavannah { radius: side as i32 - 1, stones: vec![None; (2 * side + 1).pow(2)], moves: 0 }
    }

    /// Numbers the cells of the board and those around it.
    fn index(&self, (a, _, c): Cube) -> usize {
        let from_zero = |value: i32| (value + self.radius + 1) as usize;
        from_zero(a) * from_zero(self.radius + 2) + from_zero(c)
    }

    fn owner(&self, cell: Cube) -> Option<usize> {
        self.stones[self.index(cell)]
    }

    fn radius_of((a, b, c): Cube) -> i32 {
        a.abs().max(b.abs()).max(c.abs())
    }

    fn neighbours((a, b, c): Cube) -> [Cube; 6] {
        [
            (a + 1, b - 1, c),
            (a - 1, b + 1, c),
            (a + 1, b, c - 1),
            (a - 1, b, c + 1),
            (a, b + 1, c - 1),
            (a, b - 1, c + 1),
        ]
    }

    /// All cells, row by row from the bottom, each row from the left: `a` grows with the files, `b` with the ranks.
    fn cells(&self) -> Vec<Cube> {
        let all = -self.radius..=self.radius;
        let cells = all.clone().flat_map(|b| all.clone().map(move |a| (a, b - a, -b)));
        cells.filter(|&cell| Self::radius_of(cell) <= self.radius).collect()
    }

    fn name(&self, (a, _, c): Cube) -> String {
        let letter = char::from(b'a' + (a + self.radius) as u8);
        format!("{letter}{}", self.radius - c + 1)
    }

    /// All cells that can be reached from `start` over cells that `open` allows.
    fn flood(&self, start: Cube, open: impl Fn(Cube) -> bool) -> Vec<Cube> {
        let mut seen = vec![false; self.stones.len()];
        seen[self.index(start)] = true;
        let mut reached = vec![start];
        let mut next = 0;
        while next < reached.len() {
            for cell in Self::neighbours(reached[next]) {
                if open(cell) && !std::mem::replace(&mut seen[self.index(cell)], true) {
                    reached.push(cell);
                }
            }
            next += 1;
        }
        reached
    }

    fn has_ring(&self, role: usize) -> bool {
        let own = |cell: Cube| self.owner(cell) == Some(role);
        // The cells around the board are foreign and outside.
        let start = (self.radius + 1, -self.radius - 1, 0);
        let mut outside = vec![false; self.stones.len()];
        for cell in self.flood(start, |cell| Self::radius_of(cell) <= self.radius + 1 && !own(cell)) {
            outside[self.index(cell)] = true;
        }
        self.cells().into_iter().any(|cell| match own(cell) {
            true => Self::neighbours(cell).into_iter().all(own),
            false => !outside[self.index(cell)],
        })
    }

    fn has_bridge_or_fork(&self, role: usize) -> bool {
        let own = |cell: Cube| self.owner(cell) == Some(role);
        let mut border = self.cells();
        border.retain(|&cell| Self::radius_of(cell) == self.radius);
        border.into_iter().filter(|&cell| own(cell)).any(|cell| {
            let (mut corners, mut edges) = (0, HashSet::new());
            for (a, b, c) in self.flood(cell, own) {
                let extreme = |value: i32| (value.abs() == self.radius).then_some(value.signum());
                match [extreme(a), extreme(b), extreme(c)] {
                    [None, None, None] => {}
                    [Some(_), None, None] | [None, Some(_), None] | [None, None, Some(_)] => {
                        edges.insert([extreme(a), extreme(b), extreme(c)]);
                    }
                    _ => corners += 1,
                }
            }
            corners >= 2 || edges.len() >= 3
        })
    }
}

impl Slow for SlowHavannah {
    fn to_move(&self) -> usize {
        self.moves % 2
    }

    fn legals(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        self.cells().into_iter().filter(|&cell| self.owner(cell).is_none()).map(|cell| self.name(cell)).collect()
    }

    fn play(&mut self, name: &str) {
        let cell = self.cells().into_iter().find(|&cell| self.name(cell) == name).expect("a cell");
        let (index, role) = (self.index(cell), self.to_move());
        assert_eq!(self.stones[index].replace(role), None);
        self.moves += 1;
    }

    fn scores(&self) -> Option<[f64; 2]> {
        let wins = |role| self.has_ring(role) || self.has_bridge_or_fork(role);
        match (wins(0), wins(1)) {
            (true, true) => panic!("both have won"),
            (true, false) => Some([1.0, 0.0]),
            (false, true) => Some([0.0, 1.0]),
            (false, false) => (self.moves == self.cells().len()).then_some([0.5, 0.5]),
        }
    }

    fn board(&self) -> Vec<Option<usize>> {
        self.cells().into_iter().map(|cell| self.owner(cell)).collect()
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    for side in MIN_SIDE..=MAX_SIDE {
        let plan = Plan { walks: 3, max_steps: 397, seed: 1 };
        check::conformance(&Havannah::new(side), plan).unwrap();
    }
}

#[test]
fn random_moves_are_uniform() {
    for side in [3, 4, 6] {
        check::random_moves(&Havannah::new(side), Plan { walks: 10, max_steps: 100, seed: 2 }, 2000).unwrap();
    }
}

#[test]
fn agrees_with_the_slow_version() {
    for (side, games) in [(3, 200), (4, 200), (5, 200), (6, 200), (8, 60), (10, 20), (12, 5)] {
        agree(&Havannah::new(side), || SlowHavannah::new(side), games, 3);
    }
}

#[test]
fn perft_of_small_boards() {
    for (side, counts) in [(3, [19, 342, 5814, 93024]), (4, [37, 1332, 46620, 1585080])] {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&Havannah::new(side), depth), count, "side {side}, depth {depth}");
        }
        assert_eq!(slow::perft(&SlowHavannah::new(side), 2), counts[1]);
    }
}

const WHITE_WINS: Option<[f64; 2]> = Some([1.0, 0.0]);
const DRAW: Option<[f64; 2]> = Some([0.5, 0.5]);

fn result(game: &Havannah, state: &State) -> Option<[f64; 2]> {
    let mut scores = [0.0; 2];
    TurnGame::scores(game, state, &mut scores).then_some(scores)
}

/// Plays `white` in order, with replies from those `black` cells that white leaves free; the result after the last of them.
///
/// The game must not be over before.
fn white_plays(side: usize, white: &[&str], black: &[&str]) -> Option<[f64; 2]> {
    let game = Havannah::new(side);
    let mut state = game.initial();
    let mut replies = black.iter().filter(|cell| !white.contains(cell));
    for (index, cell) in white.iter().enumerate() {
        if index > 0 {
            play(&game, &mut state, replies.next().expect("a reply for every stone but the last"));
        }
        assert_eq!(result(&game, &state), None, "{white:?} before {cell}");
        play(&game, &mut state, cell);
    }
    result(&game, &state)
}

fn play(game: &Havannah, state: &mut State, cell: &str) {
    let mv = slow::legal(game, state, cell).unwrap_or_else(|| panic!("{cell} is not empty"));
    game.play(state, mv);
}

/// `cells` in all orders that differ by the last one.
fn each_last<'a>(cells: &[&'a str]) -> Vec<Vec<&'a str>> {
    let ending_with = |last| {
        let mut order = cells.to_vec();
        let cell = order.remove(last);
        order.push(cell);
        order
    };
    (0..cells.len()).map(ending_with).collect()
}

/// Replies at the border of a board of side 6, no two of them neighbours and only one of them a corner.
const FAR: [&str; 13] = ["b1", "d1", "a3", "a5", "g2", "i4", "k7", "k9", "c8", "e10", "g11", "i11", "f1"];

/// The six cells around f6, the centre of side 6.
const HEXAGON: [&str; 6] = ["e6", "f7", "g7", "g6", "f5", "e5"];

/// The twelve cells at distance two from f6.
const WIDE_RING: [&str; 12] = ["d6", "e7", "f8", "g8", "h8", "h7", "h6", "g5", "f4", "e4", "d4", "d5"];

#[test]
fn the_board_of_side_four() {
    let game = Havannah::new(4);
    assert_eq!(TurnGame::name(&game), "havannah:4");
    assert_eq!(TurnGame::role_names(&game), ["white", "black"]);
    assert_eq!(TurnGame::moves(&game, Role(0)), 37);
    let state = line(&game, &["d4", "e5", "c3", "g7"]);
    let expected = [
        "    7 . . . X",
        "   6 . . . . .",
        "  5 . . . X . .",
        " 4 . . . O . . .",
        "  3 . . O . . . g",
        "   2 . . . . . f",
        "    1 . . . . e",
        "       a b c d",
    ];
    let text = TurnGame::view(&game, &state).draw(Style { charset: Charset::Ascii, color: false });
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn names_of_cells() {
    let game = Havannah::new(4);
    let parse = |text| TurnGame::parse_move(&game, Role(1), text);
    assert_eq!(parse("a1"), Some(Move(0)));
    assert_eq!(parse("d1"), Some(Move(3)));
    assert_eq!(parse(" G7 "), Some(Move(36)));
    for text in ["", "a", "1", "e1", "a5", "h7", "g8", "a0", "a+1", "a1b", "11", "é1", "a999"] {
        assert_eq!(parse(text), None, "{text:?}");
    }
}

#[test]
fn equal_positions_have_equal_hashes() {
    let game = Havannah::new(4);
    let hash = |cells: &[&str]| TurnGame::hash(&game, &line(&game, cells));
    assert_eq!(hash(&["d4", "e5", "c3", "g7"]), hash(&["c3", "g7", "d4", "e5"]));
    assert_ne!(hash(&["d4", "e5", "c3", "g7"]), hash(&["e5", "d4", "g7", "c3"]));
}

#[test]
fn a_ring_closes_with_any_of_its_stones() {
    for order in each_last(&HEXAGON) {
        assert_eq!(white_plays(6, &order, &FAR), WHITE_WINS);
        assert_eq!(white_plays(6, &order[..5], &FAR), None);
    }
    for order in each_last(&WIDE_RING) {
        assert_eq!(white_plays(6, &order, &FAR), WHITE_WINS);
        assert_eq!(white_plays(6, &order[..11], &FAR), None);
    }
}

#[test]
fn a_ring_may_be_filled_with_anything() {
    for order in each_last(&HEXAGON) {
        let enemy_inside = [&["f6"], &FAR[..]].concat();
        assert_eq!(white_plays(6, &order, &enemy_inside), WHITE_WINS, "enemy stone inside");
        let own_inside = [&["f6"], &order[..]].concat();
        assert_eq!(white_plays(6, &own_inside, &FAR), WHITE_WINS, "own stone inside");
    }
    for order in each_last(&WIDE_RING) {
        let enemies_inside = [&["f6", "e5", "g7"], &FAR[..]].concat();
        assert_eq!(white_plays(6, &order, &enemies_inside), WHITE_WINS, "enemies and empty cells inside");
        let some_inside = [&["f6"], &order[..]].concat();
        assert_eq!(white_plays(6, &some_inside, &enemies_inside), WHITE_WINS, "both colours and empty cells inside");
    }
}

#[test]
fn blobs_without_an_inner_cell_are_no_rings() {
    let blobs: [&[&str]; 5] = [
        &["e5", "f5", "f6"],
        &["e5", "f5", "g5", "e6", "f6", "g6"],
        &["e5", "f5", "g5", "f6", "g6", "g7"],
        &["f6", "e6", "f7", "g7", "g6", "f5"],
        &["d5", "e5", "f5", "g5", "h5", "d6", "e6", "f6", "g6", "h6"],
    ];
    for order in blobs.into_iter().flat_map(each_last) {
        assert_eq!(white_plays(6, &order, &FAR), None, "{order:?}");
    }
}

#[test]
fn the_border_closes_no_ring() {
    let far = ["k7", "k9", "i4", "c8", "e10"];
    for order in each_last(&["b1", "c2", "d2", "d1"]).into_iter().chain(each_last(&["a2", "b2", "b1"])) {
        assert_eq!(white_plays(6, &order, &far), None, "{order:?}");
    }
    // A ring may lie along the border, though.
    for order in each_last(&["b1", "b2", "c3", "d3", "d2", "c1"]) {
        assert_eq!(white_plays(6, &order, &far), WHITE_WINS, "{order:?}");
    }
}

/// Replies on a board of side 4 that win nothing, more than any of the shapes below needs.
const IDLE: [&str; 14] = ["b1", "a2", "f3", "g5", "f7", "c6", "b4", "e3", "e6", "e2", "c2", "b5", "f6", "b2"];

#[test]
fn any_two_corners_make_a_bridge() {
    let arms = [
        ["a1", "b2", "c3"],
        ["d1", "d2", "d3"],
        ["g4", "f4", "e4"],
        ["g7", "f6", "e5"],
        ["d7", "d6", "d5"],
        ["a4", "b4", "c4"],
    ];
    for (index, from) in arms.iter().enumerate() {
        for (distance, to) in (1..).zip(&arms[index + 1..]) {
            // The arms of neighbouring corners touch, the others meet in the centre.
            let centre: &[&str] = if [1, 5].contains(&distance) { &[] } else { &["d4"] };
            for order in each_last(&[&from[..], centre, to].concat()) {
                assert_eq!(white_plays(4, &order, &IDLE), WHITE_WINS, "{order:?}");
            }
        }
    }
}

#[test]
fn three_edges_make_a_fork_and_corners_belong_to_none() {
    let two_edges = ["d4", "e4", "f5", "g5", "c4", "c5", "c6"];
    for order in each_last(&[&two_edges[..], &["d3", "c2", "c1"]].concat()) {
        assert_eq!(white_plays(4, &order, &IDLE), WHITE_WINS, "{order:?}");
    }
    for order in each_last(&[&two_edges[..], &["d3", "d2", "d1"]].concat()) {
        assert_eq!(white_plays(4, &order, &IDLE), None, "{order:?}");
    }
}

#[test]
fn chains_along_the_border() {
    assert_eq!(white_plays(4, &["a1", "b1", "c1"], &["g5", "e7"]), None);
    assert_eq!(white_plays(4, &["a1", "b1", "c1", "d1"], &["g5", "e7", "b5"]), WHITE_WINS);
    // Around two corners without touching them: three edges.
    let around_corners = ["a2", "b2", "b1", "c1", "d2", "e2"];
    for order in each_last(&around_corners) {
        let result = white_plays(4, &order, &["g5", "e7", "b5", "f4", "d6"]);
        assert_eq!(result, WHITE_WINS, "{order:?}");
    }
}

#[test]
fn a_full_board_is_a_draw() {
    let cells = "e4 e3 c5 b4 b3 d3 d2 e5 c2 c4 b2 c3 d4 a1 d5 c1 b1 a2 a3";
    let game = Havannah::new(3);
    let state = line(&game, &cells.split(' ').collect::<Vec<_>>());
    assert_eq!(result(&game, &state), DRAW);
}

/// Side 3 is solved (<https://www.hexwiki.net/index.php/Havannah>): the first move wins in a corner and loses elsewhere.
#[test]
fn only_a_corner_wins_on_side_three() {
    let game = Havannah::new(3);
    for (first, winner) in [("a1", Role(0)), ("b1", Role(1)), ("b2", Role(1)), ("c3", Role(1))] {
        let state = line(&game, &[first]);
        assert!(can_force(&game, &state, winner, &mut HashMap::new()), "{first}");
    }
}

/// Whether `role` wins against any defence.
fn can_force(game: &Havannah, state: &State, role: Role, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(scores) = result(game, state) {
        return scores[role.index()] == 1.0;
    }
    let hash = TurnGame::hash(game, state).expect("Havannah has hashes");
    if let Some(&forced) = known.get(&hash) {
        return forced;
    }
    let mut moves = Vec::new();
    TurnGame::legals(game, state, &mut moves);
    let mut next: Vec<State> = (moves.iter())
        .map(|&mv| {
            let mut next = state.clone();
            game.play(&mut next, mv);
            next
        })
        .collect();
    // Moves that end the game first: they often settle the matter.
    next.sort_by_key(|state| result(game, state).is_none());
    let attacks = game.to_move(state) == role;
    let forced = next.iter().any(|state| can_force(game, state, role, known) == attacks) == attacks;
    known.insert(hash, forced);
    forced
}
