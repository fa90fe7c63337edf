//! Nogo against its rules written a second time, and facts about it.

use crate::plain::{self, Grid};
use crate::slow::{self, Slow, agree, legal, line};
use ludens_game::check::{Plan, conformance, random_moves};
use ludens_game::{Objective, TurnGame, perft};
use ludens_games::nogo::Nogo;

#[derive(Clone)]
struct Plain {
    grid: Grid,
    to_move: usize,
}

impl Plain {
    fn new(size: usize) -> Plain {
        Plain { grid: Grid::new(size), to_move: 0 }
    }

    fn is_legal(&self, place: plain::Place) -> bool {
        let mut grid = self.grid.clone();
        grid.put(place, self.to_move) == 0 && grid.liberties(place) > 0
    }
}

impl Slow for Plain {
    fn to_move(&self) -> usize {
        self.to_move
    }

    fn legals(&self) -> Vec<String> {
        self.grid.empty_places().into_iter().filter(|&place| self.is_legal(place)).map(plain::name).collect()
    }

    fn play(&mut self, name: &str) {
        self.grid.put(plain::place(name), self.to_move);
        self.to_move = 1 - self.to_move;
    }

    fn scores(&self) -> Option<[f64; 2]> {
        let winner = 1 - self.to_move;
        let can_move = self.grid.empty_places().into_iter().any(|place| self.is_legal(place));
        (!can_move).then(|| [0, 1].map(|role| if role == winner { 1.0 } else { 0.0 }))
    }

    fn board(&self) -> Vec<Option<usize>> {
        self.grid.cells()
    }
}

#[test]
fn agrees_with_the_rules_written_plainly() {
    for size in [2, 3, 4, 5, 8] {
        agree(&Nogo::<1>::new(size), || Plain::new(size), 200, size as u64);
    }
    agree(&Nogo::<2>::new(9), || Plain::new(9), 100, 9);
    agree(&Nogo::<6>::new(13), || Plain::new(13), 10, 13);
    agree(&Nogo::<6>::new(19), || Plain::new(19), 2, 19);
}

#[test]
fn keeps_the_promises_of_a_game() {
    let plan = Plan { walks: 20, max_steps: 361, seed: 1 };
    for size in [2, 3, 5, 8] {
        conformance(&Nogo::<1>::new(size), plan).unwrap();
        conformance(&Objective::lose(Nogo::<1>::new(size)), plan).unwrap();
        random_moves(&Nogo::<1>::new(size), plan, 200).unwrap();
    }
    conformance(&Nogo::<2>::new(11), plan).unwrap();
    random_moves(&Nogo::<2>::new(9), plan, 200).unwrap();
    let plan = Plan { walks: 2, ..plan };
    slow::keeps_promises(&Nogo::<6>::new(19), plan, 200);
}

const GAMES_OF_3X3: [u64; 9] = [9, 72, 496, 2832, 12768, 41328, 80352, 43776, 0];

#[test]
fn counts_of_paths() {
    let fast = |size: usize, depth: u32| perft(&Nogo::<1>::new(size), depth);
    for (size, deepest) in [(2, 4), (3, 6), (4, 4)] {
        for depth in 0..=deepest {
            assert_eq!(fast(size, depth), slow::perft(&Plain::new(size), depth), "size {size}, depth {depth}");
        }
    }
    assert_eq!([1, 2, 3, 4].map(|depth| fast(2, depth)), [4, 12, 16, 0]);
    assert_eq!([1, 2, 3, 4, 5, 6, 7, 8, 9].map(|depth| fast(3, depth)), GAMES_OF_3X3);
    assert_eq!([1, 2, 3, 4].map(|depth| fast(5, depth)), [25, 600, 13792, 302896]);
    assert_eq!([1, 2, 3].map(|depth| fast(8, depth)), [64, 4032, 249976]);
}

#[test]
fn captures_are_forbidden() {
    let game = Nogo::<1>::new(5);
    let state = line(&game, &["a2", "a1", "e5"]);
    assert!(legal(&game, &state, "b1").is_some(), "white may extend");
    let state = line(&game, &["a2", "a1", "e5", "e4"]);
    assert!(legal(&game, &state, "b1").is_none(), "black may not capture a1");
    let state = line(&game, &["a2", "b1", "b2", "a1", "e5", "e4"]);
    assert!(legal(&game, &state, "c1").is_none(), "nor the chain a1, b1");
}

#[test]
fn suicides_are_forbidden() {
    let game = Nogo::<1>::new(5);
    let state = line(&game, &["a2", "e5", "b1"]);
    assert!(legal(&game, &state, "a1").is_none());
    let state = line(&game, &["a2", "e5", "b1", "e4"]);
    assert!(legal(&game, &state, "a1").is_some(), "black may fill, his chains have other liberties");
}

#[test]
fn who_cannot_move_has_lost() {
    let game = Nogo::<1>::new(2);
    let mut scores = [0.0; 2];
    let state = line(&game, &["a1", "b1"]);
    assert!(!TurnGame::scores(&game, &state, &mut scores));
    // The last free point, b2, is the last liberty of both chains: white would capture.
    let state = line(&game, &["a1", "b1", "a2"]);
    assert!(TurnGame::scores(&game, &state, &mut scores));
    assert_eq!(scores, [1.0, 0.0]);
}

#[test]
fn moves_are_read_as_players_write_them() {
    let game = Nogo::<2>::new(9);
    let role = TurnGame::to_move(&game, &TurnGame::initial(&game));
    assert_eq!(TurnGame::name(&game), "nogo:9x9");
    let corner = TurnGame::parse_move(&game, role, "J9").unwrap();
    assert_eq!(TurnGame::move_name(&game, role, corner), "j9");
    assert_eq!(TurnGame::parse_move(&game, role, "i9"), None);
    assert_eq!(TurnGame::parse_move(&game, role, "a10"), None);
}

#[test]
fn features_are_the_four_neighbours() {
    let game = Nogo::<1>::new(5);
    let state = line(&game, &["b2", "a2", "e5", "c1"]);
    let mut codes = Vec::new();
    // North, east, south, west of b1: own b2, other c1, edge, empty a1.
    TurnGame::codes(&game, &state, &[legal(&game, &state, "b1").unwrap()], &mut codes);
    assert_eq!(codes, [256 + 0b01_10_11_00]);
}
