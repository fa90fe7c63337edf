//! Go against its rules written a second time, and facts about it.

use crate::plain::{self, Grid, Place};
use crate::slow::{self, Slow, agree, legal, line};
use ludens_game::check::{Plan, conformance};
use ludens_game::{Role, TurnGame, perft};
use ludens_games::go::{Go, Rules, State};

const DEFAULT: Rules = Rules { komi: 7.5, eyes: false };
const EYES: Rules = Rules { eyes: true, ..DEFAULT };

#[derive(Clone)]
struct Plain {
    rules: Rules,
    size: usize,
    /// All positions so far, the current one last.
    grids: Vec<Grid>,
    passes: usize,
}

impl Plain {
    fn new(size: usize, rules: Rules) -> Plain {
        Plain { rules, size, grids: vec![Grid::new(size)], passes: 0 }
    }

    fn grid(&self) -> &Grid {
        self.grids.last().unwrap()
    }

    /// Suicide is forbidden, and so is what restores the position before the last move.
    fn is_legal(&self, place: Place) -> bool {
        let mut grid = self.grid().clone();
        grid.put(place, self.to_move());
        let restores = self.grids.len() > 1 && grid == self.grids[self.grids.len() - 2];
        grid.liberties(place) > 0 && !restores
    }

    fn is_over(&self) -> bool {
        self.passes == 2 || self.grids.len() > 3 * self.size * self.size
    }

    fn considered(&self) -> Vec<String> {
        let is_eye = |name: &str| self.grid().is_eye(plain::place(name), self.to_move());
        let sensible: Vec<_> = self.legals().into_iter().filter(|name| name != "pass" && !is_eye(name)).collect();
        if sensible.is_empty() { vec!["pass".to_owned()] } else { sensible }
    }

    fn area(&self, role: usize) -> usize {
        let grid = self.grid();
        let belongs = |place: &Place| match grid.at(*place) {
            Some(owner) => owner == role,
            None => {
                let around = grid.surroundings(&grid.connected(*place));
                !around.is_empty() && around.iter().all(|&place| grid.at(place) == Some(role))
            }
        };
        grid.places().iter().filter(|place| belongs(place)).count()
    }
}

impl Slow for Plain {
    fn to_move(&self) -> usize {
        (self.grids.len() - 1) % 2
    }

    fn legals(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let points = self.grid().empty_places().into_iter().filter(|&place| self.is_legal(place));
        points.map(plain::name).chain(["pass".to_owned()]).collect()
    }

    fn play(&mut self, name: &str) {
        let mut grid = self.grid().clone();
        if name == "pass" {
            self.passes += 1;
        } else {
            grid.put(plain::place(name), self.to_move());
            self.passes = 0;
        }
        self.grids.push(grid);
    }

    fn scores(&self) -> Option<[f64; 2]> {
        if !self.is_over() {
            return None;
        }
        let (black, white) = (self.area(0) as f64, self.area(1) as f64 + self.rules.komi);
        Some(match black.total_cmp(&white) {
            std::cmp::Ordering::Greater => [1.0, 0.0],
            std::cmp::Ordering::Equal => [0.5, 0.5],
            std::cmp::Ordering::Less => [0.0, 1.0],
        })
    }

    fn board(&self) -> Vec<Option<usize>> {
        self.grid().cells()
    }
}

fn go(size: usize) -> Go<1> {
    Go::new(size, DEFAULT)
}

fn result(size: usize, komi: f64, moves: &[&str]) -> Option<[f64; 2]> {
    let game = Go::<1>::new(size, Rules { komi, ..DEFAULT });
    let mut scores = [0.0; 2];
    TurnGame::scores(&game, &line(&game, moves), &mut scores).then_some(scores)
}

/// Whether these points are empty.
fn are_empty(game: &Go<1>, state: &State<1>, names: &[&str]) -> bool {
    let view = TurnGame::view(game, state);
    names.iter().all(|name| view.cells.iter().any(|cell| cell.name == *name && cell.piece.is_none()))
}

#[test]
fn agrees_with_the_rules_written_plainly() {
    let with = |komi: f64| Rules { komi, ..DEFAULT };
    for (size, games, komi) in [(2, 200, 0.0), (3, 200, 1.0), (4, 200, 2.0), (5, 200, 7.5), (8, 100, 7.5)] {
        agree(&Go::<1>::new(size, with(komi)), || Plain::new(size, with(komi)), games, size as u64);
    }
    agree(&Go::<2>::new(9, DEFAULT), || Plain::new(9, DEFAULT), 50, 9);
    agree(&Go::<6>::new(13, DEFAULT), || Plain::new(13, DEFAULT), 4, 13);
}

#[test]
fn playouts_consider_what_the_eye_rule_says() {
    for size in [2, 3, 5] {
        plain::consider(&Go::<1>::new(size, EYES), || Plain::new(size, EYES), Plain::considered);
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    for rules in [DEFAULT, EYES, Rules { komi: 0.0, ..DEFAULT }] {
        let plan = Plan { walks: 20, max_steps: 3 * 361, seed: 1 };
        for size in [2, 3, 5, 8] {
            slow::keeps_promises(&Go::<1>::new(size, rules), plan, 200);
        }
        let plan = Plan { walks: 2, ..plan };
        slow::keeps_promises(&Go::<2>::new(9, rules), plan, 200);
        conformance(&Go::<6>::new(19, rules), plan).unwrap();
    }
}

#[test]
fn counts_of_paths() {
    for (size, deepest) in [(2, 8), (3, 5), (4, 4)] {
        for depth in 0..=deepest {
            let slow = slow::perft(&Plain::new(size, DEFAULT), depth);
            assert_eq!(perft(&go(size), depth), slow, "size {size}, depth {depth}");
        }
    }
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(|depth| perft(&go(2), depth)), [5, 21, 68, 156, 316, 604, 1168, 2592]);
    assert_eq!([1, 2, 3, 4, 5].map(|depth| perft(&go(3), depth)), [10, 91, 738, 5281, 33384]);
    assert_eq!([1, 2, 3, 4].map(|depth| perft(&go(5), depth)), [26, 651, 15650, 361041]);
    assert_eq!([1, 2, 3].map(|depth| perft(&go(8), depth)), [65, 4161, 262208]);
}

#[test]
fn chains_without_liberties_are_captured() {
    let game = go(5);
    let single = line(&game, &["a2", "a1", "b1"]);
    assert!(are_empty(&game, &single, &["a1"]));
    let pair = line(&game, &["a2", "a1", "b2", "b1", "c1"]);
    assert!(are_empty(&game, &pair, &["a1", "b1"]));
    let around = ["a3", "b3", "b2", "d3", "b4", "pass", "e3", "pass", "d2", "pass", "d4", "pass"];
    assert!(!are_empty(&game, &line(&game, &around), &["b3"]));
    let two_chains = line(&game, &[&around[..], &["c3"]].concat());
    assert!(are_empty(&game, &two_chains, &["b3", "d3"]));
}

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    let game = go(5);
    let taken = ["b3", "d2", "c2", "d4", "c4", "e3", "a1", "c3", "d3"];
    let state = line(&game, &taken);
    assert!(are_empty(&game, &state, &["c3"]));
    assert!(legal(&game, &state, "c3").is_none());
    assert_eq!(TurnGame::view(&game, &state).notes, ["ko at c3"]);
    let exchanged = [&taken[..], &["a5", "e5"]].concat();
    assert!(legal(&game, &line(&game, &exchanged), "c3").is_some());
    let retaken = line(&game, &[&exchanged[..], &["c3"]].concat());
    assert!(are_empty(&game, &retaken, &["d3"]));
    assert!(legal(&game, &retaken, "d3").is_none());
    // The ko is part of what the future depends on.
    let without = line(&game, &["d3", "d2", "c2", "d4", "c4", "e3", "a1", "pass", "b3"]);
    assert!(legal(&game, &without, "c3").is_some());
    assert_ne!(TurnGame::hash(&game, &state), TurnGame::hash(&game, &without));
}

#[test]
fn a_snapback_is_no_ko() {
    let game = go(5);
    let thrown_in = ["a2", "a3", "b2", "b3", "e5", "c2", "e4", "c1", "e3", "a1", "b1"];
    let state = line(&game, &thrown_in);
    assert!(are_empty(&game, &state, &["a1"]), "black has captured the stone");
    let state = line(&game, &[&thrown_in[..], &["a1"]].concat());
    assert!(are_empty(&game, &state, &["a2", "b2", "b1"]), "and loses three");
}

#[test]
fn suicide_is_forbidden_but_a_capture_needs_no_liberty() {
    let game = go(5);
    let state = line(&game, &["a2", "e5", "b1"]);
    assert!(legal(&game, &state, "a1").is_none());
    // Two stones are no better off than one.
    let state = line(&game, &["a3", "a2", "b2", "e5", "b1"]);
    assert!(legal(&game, &state, "a1").is_none());
    let state = line(&game, &["c1", "b1", "b2", "a2"]);
    assert!(legal(&game, &state, "a1").is_some());
    let state = line(&game, &["c1", "b1", "b2", "a2", "a1"]);
    assert!(are_empty(&game, &state, &["b1"]));
}

#[test]
fn eyes_and_surrounded_regions_count() {
    // Black holds the files a to c, white d and e; black's side has eyes, white's is one region.
    let moves = ["c1", "d1", "c2", "d2", "c3", "d3", "c4", "d4", "c5", "d5", "b2", "pass", "a2", "pass", "pass"];
    assert_eq!(result(5, 5.0, &moves), Some([0.5, 0.5]), "15 against 10");
    assert_eq!(result(5, 4.5, &moves), Some([1.0, 0.0]));
    assert_eq!(result(5, 5.5, &moves), Some([0.0, 1.0]));
}

#[test]
fn shared_liberties_of_a_seki_count_for_nobody() {
    // Black a1, a2, a3, b2 and white c1, c2, c3 share b1 and b3: whoever plays one of them is captured on the other.
    let seki = ["b2", "c2", "a1", "c1", "a2", "c3", "a3"];
    let moves = [&seki[..], &["pass", "pass"]].concat();
    assert_eq!(result(3, 1.0, &moves), Some([0.5, 0.5]), "4 against 3");
    let game = go(3);
    let state = line(&game, &[&seki[..], &["b1", "b3"]].concat());
    assert!(are_empty(&game, &state, &["b1", "c1", "c2", "c3"]));
}

#[test]
fn two_passes_in_a_row_end_the_game() {
    assert_eq!(result(5, 0.0, &["pass"]), None);
    assert_eq!(result(5, 0.0, &["pass", "pass"]), Some([0.5, 0.5]), "an empty board belongs to nobody");
    assert_eq!(result(5, 7.5, &["pass", "c3", "pass"]), None);
    assert_eq!(result(5, 7.5, &["c3", "pass", "pass"]), Some([1.0, 0.0]), "one stone owns the board");
    let game = go(5);
    let [once, never] = [line(&game, &["pass"]), TurnGame::initial(&game)];
    assert_ne!(TurnGame::hash(&game, &once), TurnGame::hash(&game, &never));
}

#[test]
fn long_cycles_end_at_the_limit_of_steps() {
    // Six moves that return to the position after the first one.
    let cycle = ["a1", "b2", "a2", "b1", "a1", "a2"];
    let game = go(2);
    let hash = |moves: &[&str]| TurnGame::hash(&game, &line(&game, moves));
    let twice = [cycle, cycle].concat();
    assert_eq!(hash(&twice[..7]), hash(&twice[..1]));
    assert_eq!(result(2, 0.5, &twice[..11]), None);
    assert_eq!(result(2, 0.5, &twice), Some([0.0, 1.0]), "3·2² steps; white owns all points");
}

#[test]
fn passing_and_points_are_read_as_players_write_them() {
    let game = Go::<2>::new(9, DEFAULT);
    let parse = |text: &str| TurnGame::parse_move(&game, Role(0), text);
    assert_eq!(parse("PASS"), parse("pass"));
    assert_eq!(parse("pass").map(|mv| mv.index()), Some(81));
    assert_eq!(parse("J1").map(|mv| mv.index()), Some(8));
    assert_eq!(parse("i1"), None);
}

#[test]
fn names_tell_the_rules() {
    let name = |rules| TurnGame::name(&Go::<2>::new(9, rules));
    assert_eq!(name(DEFAULT), "go:9x9");
    assert_eq!(name(Rules { komi: 6.0, eyes: true }), "go:9x9,komi=6,eyes=on");
}
