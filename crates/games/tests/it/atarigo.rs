//! Atari Go against its rules written a second time, and facts about it.

use crate::plain::{self, Grid};
use crate::slow::{self, Slow, agree, legal, line};
use ludens_game::check::Plan;
use ludens_game::{TurnGame, perft};
use ludens_games::atarigo::{AtariGo, Rules, Suicide};

const DEFAULT: Rules = Rules { suicide: Suicide::Illegal, eyes: false };
const SUICIDE: Rules = Rules { suicide: Suicide::Loses, ..DEFAULT };
const EYES: Rules = Rules { eyes: true, ..DEFAULT };
const BOTH: Rules = Rules { suicide: Suicide::Loses, eyes: true };

#[derive(Clone)]
struct Plain {
    grid: Grid,
    rules: Rules,
    to_move: usize,
    winner: Option<usize>,
}

impl Plain {
    fn new(size: usize, rules: Rules) -> Plain {
        Plain { grid: Grid::new(size), rules, to_move: 0, winner: None }
    }

    fn is_legal(&self, place: plain::Place) -> bool {
        let mut grid = self.grid.clone();
        self.rules.suicide == Suicide::Loses || grid.put(place, self.to_move) > 0 || grid.liberties(place) > 0
    }

    fn considered(&self) -> Vec<String> {
        let legals = self.legals();
        let is_eye = |name: &String| self.grid.is_eye(plain::place(name), self.to_move);
        let sensible: Vec<_> = legals.iter().filter(|name| !is_eye(name)).cloned().collect();
        if sensible.is_empty() { legals } else { sensible }
    }
}

impl Slow for Plain {
    fn to_move(&self) -> usize {
        self.to_move
    }

    fn legals(&self) -> Vec<String> {
        let free = if self.winner.is_some() { Vec::new() } else { self.grid.empty_places() };
        free.into_iter().filter(|&place| self.is_legal(place)).map(plain::name).collect()
    }

    fn play(&mut self, name: &str) {
        let place = plain::place(name);
        if self.grid.put(place, self.to_move) > 0 {
            self.winner = Some(self.to_move);
        } else if self.grid.liberties(place) == 0 {
            self.grid.remove(place);
            self.winner = Some(1 - self.to_move);
        }
        self.to_move = 1 - self.to_move;
    }

    fn scores(&self) -> Option<[f64; 2]> {
        let stuck = || !self.grid.empty_places().into_iter().any(|place| self.is_legal(place));
        let winner = self.winner.or_else(|| stuck().then_some(1 - self.to_move))?;
        Some([0, 1].map(|role| if role == winner { 1.0 } else { 0.0 }))
    }

    fn board(&self) -> Vec<Option<usize>> {
        self.grid.cells()
    }
}

fn result<const W: usize>(game: &AtariGo<W>, moves: &[&str]) -> Option<[f64; 2]> {
    let mut scores = [0.0; 2];
    TurnGame::scores(game, &line(game, moves), &mut scores).then_some(scores)
}

#[test]
fn agrees_with_the_rules_written_plainly() {
    for rules in [DEFAULT, SUICIDE] {
        for size in [2, 3, 4, 5, 8] {
            agree(&AtariGo::<1>::new(size, rules), || Plain::new(size, rules), 200, size as u64);
        }
        agree(&AtariGo::<2>::new(9, rules), || Plain::new(9, rules), 200, 9);
        agree(&AtariGo::<6>::new(19, rules), || Plain::new(19, rules), 5, 19);
    }
}

#[test]
fn playouts_consider_what_the_eye_rule_says() {
    for rules in [EYES, BOTH] {
        for size in [2, 3, 5, 8] {
            plain::consider(&AtariGo::<1>::new(size, rules), || Plain::new(size, rules), Plain::considered);
        }
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    let plan = Plan { walks: 20, max_steps: 361, seed: 1 };
    for rules in [DEFAULT, SUICIDE, EYES, BOTH] {
        for size in [2, 3, 5, 8] {
            slow::keeps_promises(&AtariGo::<1>::new(size, rules), plan, 200);
        }
        slow::keeps_promises(&AtariGo::<2>::new(9, rules), plan, 200);
        let plan = Plan { walks: 2, ..plan };
        slow::keeps_promises(&AtariGo::<6>::new(19, rules), plan, 200);
    }
}

#[test]
fn counts_of_paths() {
    let fast = |size: usize, rules: Rules, depth: u32| perft(&AtariGo::<1>::new(size, rules), depth);
    for rules in [DEFAULT, SUICIDE] {
        for (size, deepest) in [(2, 5), (3, 6), (4, 4)] {
            for depth in 0..=deepest {
                let slow = slow::perft(&Plain::new(size, rules), depth);
                assert_eq!(fast(size, rules, depth), slow, "size {size}, depth {depth}, {rules:?}");
            }
        }
    }
    assert_eq!([1, 2, 3, 4, 5].map(|depth| fast(2, DEFAULT, depth)), [4, 12, 24, 16, 0]);
    assert_eq!([1, 2, 3, 4, 5, 6].map(|depth| fast(3, DEFAULT, depth)), [9, 72, 504, 2928, 13952, 48000]);
    assert_eq!([1, 2, 3, 4, 5, 6].map(|depth| fast(3, SUICIDE, depth)), [9, 72, 504, 2976, 14160, 51072]);
    assert_eq!([1, 2, 3, 4].map(|depth| fast(5, DEFAULT, depth)), [25, 600, 13800, 303248]);
    assert_eq!([1, 2, 3].map(|depth| fast(8, DEFAULT, depth)), [64, 4032, 249984]);
}

#[test]
fn the_first_capture_wins() {
    let game = AtariGo::<1>::new(5, DEFAULT);
    assert_eq!(result(&game, &["a2", "a1"]), None);
    assert_eq!(result(&game, &["a2", "a1", "b1"]), Some([1.0, 0.0]));
    let state = line(&game, &["a2", "a1", "b1"]);
    assert_eq!(TurnGame::view(&game, &state).cells[0].piece, None, "the captured stone is off the board");
    assert_eq!(result(&game, &["a1", "a2", "e5", "b1"]), Some([0.0, 1.0]));
}

#[test]
fn a_capture_needs_no_liberty() {
    let game = AtariGo::<1>::new(5, DEFAULT);
    // Black's a1 has no empty neighbour, but c1 and b2 leave white's b1 no liberty except a1.
    assert_eq!(result(&game, &["c1", "b1", "b2", "a2", "a1"]), Some([1.0, 0.0]));
}

#[test]
fn suicide_is_illegal_or_loses() {
    let moves = ["e5", "a2", "e4", "b1"];
    let game = AtariGo::<1>::new(5, DEFAULT);
    assert!(legal(&game, &line(&game, &moves), "a1").is_none());
    let game = AtariGo::<1>::new(5, SUICIDE);
    assert!(legal(&game, &line(&game, &moves), "a1").is_some());
    assert_eq!(result(&game, &["e5", "a2", "e4", "b1", "a1"]), Some([0.0, 1.0]));
    // A capture is no suicide, under either rule.
    assert_eq!(result(&game, &["c1", "b1", "b2", "a2", "a1"]), Some([1.0, 0.0]));
}

#[test]
fn who_cannot_move_has_lost() {
    // Black has a3, b3, c3 and may play nowhere: b2, the chain's last liberty, a1 and c1 are all suicides.
    let game = AtariGo::<1>::new(3, DEFAULT);
    let moves = ["b3", "b1", "c3", "a2", "a3", "c2"];
    assert_eq!(result(&game, &moves[..5]), None);
    assert_eq!(result(&game, &moves), Some([0.0, 1.0]));
    assert_eq!(result(&AtariGo::<1>::new(3, SUICIDE), &moves), None);
}

#[test]
fn playouts_leave_their_eyes_alone() {
    let game = AtariGo::<1>::new(5, EYES);
    let state = line(&game, &["a2", "e5", "b1", "e4", "b2", "e3"]);
    let eye = legal(&game, &state, "a1").expect("filling an eye is legal");
    let mut moves = Vec::new();
    TurnGame::playout_moves(&game, &state, &mut moves);
    assert!(!moves.contains(&eye));
    assert_eq!(moves.len(), 25 - 6 - 1);
}

#[test]
fn playouts_fill_eyes_if_nothing_else_is_left() {
    // Black holds the upper half but for b4 and d4, white the lower but for a1 and c1, which black may not enter.
    let game = AtariGo::<1>::new(4, EYES);
    let moves = ["c4", "c2", "b3", "a2", "a4", "b2", "c3", "b1", "d3", "d1", "a3", "d2"];
    let state = line(&game, &moves);
    let mut considered = Vec::new();
    TurnGame::playout_moves(&game, &state, &mut considered);
    assert_eq!(considered, ["b4", "d4"].map(|name| legal(&game, &state, name).unwrap()));
}

#[test]
fn names_tell_the_rules() {
    let name = |rules| TurnGame::name(&AtariGo::<1>::new(8, rules));
    assert_eq!(name(DEFAULT), "atarigo:8x8");
    assert_eq!(name(SUICIDE), "atarigo:8x8,suicide=loses");
    assert_eq!(name(BOTH), "atarigo:8x8,suicide=loses,eyes=on");
}
