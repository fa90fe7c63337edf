//! [`Solo`]: a game of one role, where the best line ever found can be followed to its end.
//!
//! Nobody interferes, so that a line is worth what it scored. A tree search averages and easily loses the one line that
//! solves a puzzle; here it shares the time with a nested Monte-Carlo search (Cazenave: Nested Monte-Carlo Search, IJCAI
//! 2009), every playout of which is compared with the best line so far.

use ludens_game::{Game, Move, Rng, Role, Seed};
use ludens_search::{Budget, Effort, Player, Report, Search};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The bounds of a slice of time that one of the two searches gets.
const SHORTEST: Duration = Duration::from_millis(30);
const LONGEST: Duration = Duration::from_secs(2);

/// Lines longer than this are given up.
const MAX_STEPS: usize = 500;

pub(crate) struct Solo<G: Game> {
    game: Arc<G>,
    search: Search<G>,
    best: Option<SoloLine>,
    rng: Rng,
}

/// Moves to the end of the game, and what they score.
#[derive(Clone, Debug, PartialEq)]
struct SoloLine {
    score: f64,
    moves: Vec<Move>,
}

impl<G: Game> Solo<G> {
    pub(crate) fn new(game: Arc<G>, search: Search<G>) -> Solo<G> {
        Solo { game, search, best: None, rng: Seed::new(0).rng() }
    }

    fn best_score(&self) -> f64 {
        self.best.as_ref().map_or(-1.0, |line| line.score)
    }

    /// Looks for better lines until `halt` says so; deeper in every other round.
    fn explore(&mut self, round: u32, halt: &dyn Fn() -> bool) {
        let state = self.search.state().clone();
        let mut explorer = Explorer {
            game: &*self.game,
            rng: &mut self.rng,
            halt,
            path: Vec::new(),
            best: &mut self.best,
            legal: Vec::new(),
        };
        while !explorer.is_done() {
            explorer.nested(state.clone(), 1 + round % 2);
        }
    }

    /// The move that the search would play, and the score that it expects.
    fn searched(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort, f64) {
        let (mv, effort) = self.search.choose(budget, stop);
        let report = self.search.report();
        let score = report.arms.iter().find(|arm| arm.mv == mv).and_then(|arm| arm.score);
        (mv, effort, report.proven.or(score).unwrap_or(0.0))
    }
}

impl<G: Game> Player for Solo<G> {
    fn start(&mut self, seed: Seed) {
        self.search.start(seed);
        self.rng = seed.named("solo").rng();
        self.best = None;
    }

    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        if let Some(&mv) = self.best.as_ref().filter(|line| line.score == 1.0).and_then(|line| line.moves.first()) {
            return (mv, Effort::default());
        }
        let begun = Instant::now();
        let time = budget.time.unwrap_or(LONGEST);
        let left = || time.saturating_sub(begun.elapsed());
        let mut total = Effort::default();
        for round in 0.. {
            let slice = (left() / 10).clamp(SHORTEST, LONGEST).min(left());
            let (mv, effort, expected) = self.searched(&Budget { time: Some(slice), ..*budget }, stop);
            total += effort;
            let is_over = stop() || left().is_zero();
            if is_over || self.best_score() == 1.0 || self.search.report().proven.is_some() {
                let line = self.best.as_ref().filter(|line| line.score >= expected);
                return (line.and_then(|line| line.moves.first().copied()).unwrap_or(mv), total);
            }
            let end = Instant::now() + slice.min(left());
            self.explore(round, &|| stop() || Instant::now() >= end);
        }
        unreachable!("there is no end of rounds")
    }

    fn observe(&mut self, joint: &[Move]) {
        self.search.observe(joint);
        let follows = |line: &SoloLine| line.moves.first() == Some(&joint[0]);
        self.best = self.best.take().filter(follows).map(|mut line| {
            line.moves.remove(0);
            line
        });
    }

    fn report(&self) -> Report {
        self.search.report()
    }
}

/// A nested search under way. `path` are the moves from the root of the search to where it is.
struct Explorer<'e, G: Game> {
    game: &'e G,
    rng: &'e mut Rng,
    halt: &'e dyn Fn() -> bool,
    path: Vec<Move>,
    best: &'e mut Option<SoloLine>,
    legal: Vec<Move>,
}

impl<G: Game> Explorer<'_, G> {
    fn is_done(&self) -> bool {
        self.best.as_ref().is_some_and(|line| line.score == 1.0) || (self.halt)()
    }

    fn score(&self, state: &G::State) -> Option<f64> {
        let mut scores = [0.0];
        self.game.scores(state, &mut scores).then_some(scores[0])
    }

    /// Tries every move by a search one level below, and plays on along the best line found; returns it and its score.
    fn nested(&mut self, mut state: G::State, level: u32) -> (f64, Vec<Move>) {
        if level == 0 {
            return self.playout(state);
        }
        let start = self.path.len();
        let mut found = (-1.0, Vec::new());
        while self.score(&state).is_none() && self.path.len() < MAX_STEPS {
            let mut moves = Vec::new();
            self.game.legals(&state, Role(0), &mut moves);
            for mv in moves {
                if self.is_done() {
                    self.path.truncate(start);
                    return found;
                }
                let mut next = state.clone();
                self.game.advance(&mut next, &[mv]);
                self.path.push(mv);
                let (score, rest) = self.nested(next, level - 1);
                if score > found.0 {
                    found = (score, self.path[start..].iter().copied().chain(rest).collect());
                }
                self.path.pop();
            }
            let Some(&mv) = found.1.get(self.path.len() - start) else { break };
            self.game.advance(&mut state, &[mv]);
            self.path.push(mv);
        }
        if let (true, Some(score)) = (found.1.is_empty(), self.score(&state)) {
            found.0 = score;
            self.keep(score);
        }
        self.path.truncate(start);
        found
    }

    /// Plays at random to the end; returns the moves and their score.
    fn playout(&mut self, mut state: G::State) -> (f64, Vec<Move>) {
        let start = self.path.len();
        let score = loop {
            match self.score(&state) {
                Some(score) => {
                    self.keep(score);
                    break score;
                }
                // A line without an end is worth less than any with one.
                None if self.path.len() >= MAX_STEPS || (self.halt)() => break -1.0,
                None => {
                    self.game.playout_moves(&state, Role(0), &mut self.legal);
                    let mv = self.legal[self.rng.below(self.legal.len() as u32) as usize];
                    self.game.advance(&mut state, &[mv]);
                    self.path.push(mv);
                }
            }
        };
        (score, self.path.split_off(start))
    }

    /// The path is a whole line.
    fn keep(&mut self, score: f64) {
        if self.best.as_ref().is_none_or(|line| score > line.score) {
            *self.best = Some(SoloLine { score, moves: self.path.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_game::toy::{Node, Tree};
    use ludens_search::InMemory;

    /// Six choices of three in a row; one line of 729 scores everything, the others some little.
    fn needle(depth: u32, right: bool) -> Node {
        if depth == 0 {
            return Node::End(vec![if right { 1.0 } else { 0.2 }]);
        }
        let child = |arm: u32| needle(depth - 1, right && arm == depth % 3);
        Node::Choice(Role(0), (0..3).map(child).collect())
    }

    #[test]
    fn the_best_line_is_found_remembered_and_followed() {
        let game = Arc::new(Tree::new(1, needle(6, true)));
        let search =
            Search::new(game.clone(), Role(0), &"uct".parse().unwrap(), Arc::new(InMemory::default())).unwrap();
        let mut solo = Solo::new(game.clone(), search);
        solo.start(Seed::new(5));
        let mut state = game.initial();
        let mut scores = [0.0];
        let begun = Instant::now();
        while !game.scores(&state, &mut scores) {
            let (mv, _) = solo.choose(&Budget::time(Duration::from_secs(5)), &|| false);
            assert_eq!(solo.best_score(), 1.0);
            game.advance(&mut state, &[mv]);
            solo.observe(&[mv]);
        }
        assert_eq!(scores, [1.0]);
        assert!(begun.elapsed() < Duration::from_secs(5), "once found there is nothing to think about");
    }

    #[test]
    fn another_move_than_that_of_the_line_ends_it() {
        let game = Arc::new(Tree::new(1, needle(3, true)));
        let search =
            Search::new(game.clone(), Role(0), &"uct".parse().unwrap(), Arc::new(InMemory::default())).unwrap();
        let mut solo = Solo::new(game, search);
        solo.best = Some(SoloLine { score: 1.0, moves: vec![Move(0), Move(2), Move(1)] });
        solo.observe(&[Move(0)]);
        assert_eq!(solo.best, Some(SoloLine { score: 1.0, moves: vec![Move(2), Move(1)] }));
        solo.observe(&[Move(1)]);
        assert_eq!(solo.best, None);
    }
}
