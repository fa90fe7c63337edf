//! Races across a board, cell by cell: the slow version of Breakthrough and Knightthrough.

use crate::slow::Slow;
use ludens_game::{Move, Seed, TurnGame};
use std::collections::BTreeMap;

/// File and rank, from 0.
type Place = (i32, i32);

/// May a piece move that many files and ranks forward, onto a piece of the other side or not?
pub(crate) type Rule = fn(files: i32, ranks: i32, captures: bool) -> bool;

#[derive(Clone)]
pub(crate) struct SlowRace {
    width: i32,
    height: i32,
    rule: Rule,
    pieces: BTreeMap<Place, usize>,
    mover: usize,
}

impl SlowRace {
    pub(crate) fn new(width: usize, height: usize, rule: Rule) -> SlowRace {
        let (width, height) = (width as i32, height as i32);
        let mut pieces = BTreeMap::new();
        for file in 0..width {
            for (rank, owner) in [(0, 0), (1, 0), (height - 1, 1), (height - 2, 1)] {
                pieces.insert((file, rank), owner);
            }
        }
        SlowRace { width, height, rule, pieces, mover: 0 }
    }

    /// Whether a legal move takes a piece.
    fn captures(&self, name: &str) -> bool {
        self.pieces.contains_key(&read(name).1)
    }
}

fn write((file, rank): Place) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn read(name: &str) -> (Place, Place) {
    let place = |text: &str| (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().unwrap() - 1);
    let (from, to) = name.split_once('-').unwrap();
    (place(from), place(to))
}

impl Slow for SlowRace {
    fn to_move(&self) -> usize {
        self.mover
    }

    fn legals(&self) -> Vec<String> {
        let mut names = Vec::new();
        if self.scores().is_some() {
            return names;
        }
        let forward = if self.mover == 0 { 1 } else { -1 };
        for (&(file, rank), _) in self.pieces.iter().filter(|&(_, &owner)| owner == self.mover) {
            for (x, y) in (0..self.width).flat_map(|x| (0..self.height).map(move |y| (x, y))) {
                let there = self.pieces.get(&(x, y));
                let own = there == Some(&self.mover);
                if !own && (self.rule)(x - file, forward * (y - rank), there.is_some()) {
                    names.push(format!("{}-{}", write((file, rank)), write((x, y))));
                }
            }
        }
        names
    }

    fn play(&mut self, name: &str) {
        let (from, to) = read(name);
        let piece = self.pieces.remove(&from).unwrap();
        self.pieces.insert(to, piece);
        self.mover = 1 - self.mover;
    }

    fn scores(&self) -> Option<[f64; 2]> {
        let has = |owner: usize| self.pieces.values().any(|&o| o == owner);
        let reached = |owner: usize, goal: i32| self.pieces.iter().any(|(at, &o)| o == owner && at.1 == goal);
        if reached(0, self.height - 1) || !has(1) {
            Some([1.0, 0.0])
        } else if reached(1, 0) || !has(0) {
            Some([0.0, 1.0])
        } else {
            None
        }
    }

    fn board(&self) -> Vec<Option<usize>> {
        let places = (0..self.height).flat_map(|rank| (0..self.width).map(move |file| (file, rank)));
        places.map(|place| self.pieces.get(&place).copied()).collect()
    }
}

/// Compares the feature codes of all moves of random games with what the slow version says of them.
pub(crate) fn codes_tell_captures<G: TurnGame>(game: &G, new: impl Fn() -> SlowRace) {
    let (mut moves, mut codes) = (Vec::new(), Vec::new());
    let mut rng = Seed::new(6).rng();
    let mut captures = 0;
    for _ in 0..100 {
        let (mut fast, mut slow) = (game.initial(), new());
        while let Some(mv) = game.random_move(&fast, &mut rng) {
            let role = game.to_move(&fast);
            let name = |mv: Move| game.move_name(role, mv);
            game.legals(&fast, &mut moves);
            game.codes(&fast, &moves, &mut codes);
            let expected: Vec<_> = moves.iter().map(|&mv| 2 * mv.0 + u32::from(slow.captures(&name(mv)))).collect();
            assert_eq!(codes, expected);
            captures += codes.iter().filter(|&code| code % 2 == 1).count();
            slow.play(&name(mv));
            game.play(&mut fast, mv);
        }
    }
    assert!(captures > 1_000, "the games had captures");
}
