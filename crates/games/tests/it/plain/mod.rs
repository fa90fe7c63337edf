//! A Go board as a plain grid, on which chains are found by flood fill every time they are asked for.

use crate::slow::Slow;
use ludens_game::{Seed, TurnGame};

/// A place: file and rank, from 0.
pub(crate) type Place = (usize, usize);

/// Stones by rank and file: the role that they belong to.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Grid(Vec<Vec<Option<usize>>>);

impl Grid {
    pub(crate) fn new(size: usize) -> Grid {
        Grid(vec![vec![None; size]; size])
    }

    pub(crate) fn at(&self, (file, rank): Place) -> Option<usize> {
        self.0[rank][file]
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        let size = self.0.len();
        (0..size).flat_map(|rank| (0..size).map(move |file| (file, rank))).collect()
    }

    pub(crate) fn empty_places(&self) -> Vec<Place> {
        self.places().into_iter().filter(|&place| self.at(place).is_none()).collect()
    }

    fn offset(&self, (file, rank): Place, steps: [(i32, i32); 4]) -> impl Iterator<Item = Place> + use<> {
        let inside = 0..self.0.len() as i32;
        steps
            .into_iter()
            .map(move |(right, up)| (file as i32 + right, rank as i32 + up))
            .filter(move |(file, rank)| inside.contains(file) && inside.contains(rank))
            .map(|(file, rank)| (file as usize, rank as usize))
    }

    pub(crate) fn neighbours(&self, place: Place) -> impl Iterator<Item = Place> + use<> {
        self.offset(place, [(0, 1), (1, 0), (0, -1), (-1, 0)])
    }

    /// All places connected with this one through places of the same contents.
    pub(crate) fn connected(&self, start: Place) -> Vec<Place> {
        let mut seen = vec![vec![false; self.0.len()]; self.0.len()];
        let (mut found, mut open) = (Vec::new(), vec![start]);
        while let Some((file, rank)) = open.pop() {
            if !seen[rank][file] && self.at((file, rank)) == self.at(start) {
                seen[rank][file] = true;
                found.push((file, rank));
                open.extend(self.neighbours((file, rank)));
            }
        }
        found
    }

    /// What lies next to all that is [`connected`](Grid::connected), without repetition.
    pub(crate) fn surroundings(&self, group: &[Place]) -> Vec<Place> {
        let mut found: Vec<Place> = group.iter().flat_map(|&place| self.neighbours(place)).collect();
        found.sort();
        found.dedup();
        found.retain(|&place| self.at(place) != self.at(group[0]));
        found
    }

    pub(crate) fn liberties(&self, stone: Place) -> usize {
        let around = self.surroundings(&self.connected(stone));
        around.into_iter().filter(|&place| self.at(place).is_none()).count()
    }

    /// Takes off the chain at `stone`.
    pub(crate) fn remove(&mut self, stone: Place) {
        for (file, rank) in self.connected(stone) {
            self.0[rank][file] = None;
        }
    }

    /// Puts a stone and takes off the other role's chains that have no liberty; returns the number of their stones.
    pub(crate) fn put(&mut self, (file, rank): Place, role: usize) -> usize {
        self.0[rank][file] = Some(role);
        let mut captured = 0;
        for place in self.neighbours((file, rank)) {
            if self.at(place) == Some(1 - role) && self.liberties(place) == 0 {
                captured += self.connected(place).len();
                self.remove(place);
            }
        }
        captured
    }

    /// The usual notion of an eye that should not be filled.
    pub(crate) fn is_eye(&self, place: Place, role: usize) -> bool {
        let corners: Vec<Place> = self.offset(place, [(1, 1), (1, -1), (-1, 1), (-1, -1)]).collect();
        let hostile = corners.iter().filter(|&&corner| self.at(corner) == Some(1 - role)).count();
        let tolerated = if corners.len() == 4 { 1 } else { 0 };
        self.at(place).is_none()
            && self.neighbours(place).all(|place| self.at(place) == Some(role))
            && hostile <= tolerated
    }

    /// The contents in the order of the fast games' pictures.
    pub(crate) fn cells(&self) -> Vec<Option<usize>> {
        self.0.concat()
    }
}

const FILES: &str = "abcdefghjklmnopqrst";

pub(crate) fn name((file, rank): Place) -> String {
    format!("{}{}", &FILES[file..=file], rank + 1)
}

pub(crate) fn place(name: &str) -> Place {
    (FILES.find(&name[..1]).unwrap(), name[1..].parse::<usize>().unwrap() - 1)
}

/// Plays random games with the moves that playouts consider, and compares those at every state.
pub(crate) fn consider<G: TurnGame, S: Slow>(game: &G, new: impl Fn() -> S, considered: impl Fn(&S) -> Vec<String>) {
    let mut moves = Vec::new();
    for index in 0..300 {
        let mut rng = Seed::new(9).at(index).rng();
        let (mut fast, mut slow) = (game.initial(), new());
        while slow.scores().is_none() {
            game.playout_moves(&fast, &mut moves);
            let role = game.to_move(&fast);
            let mut names: Vec<_> = moves.iter().map(|&mv| game.move_name(role, mv)).collect();
            let chosen = rng.below(moves.len() as u32) as usize;
            let (mv, name) = (moves[chosen], names[chosen].clone());
            let mut expected = considered(&slow);
            names.sort();
            expected.sort();
            assert_eq!(names, expected);
            game.play(&mut fast, mv);
            slow.play(&name);
        }
    }
}
