//! Plays one game between players.
//!
//! Written once, as an async function over [`Mover`]s: a seat is a player that answers at once, or a search
//! whose simulations wait for others.

use crate::{budget::Budget, player::Player, report::Effort};
use ludens_game::{Move, Position, Role, Seed};
use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The joint moves.
    pub moves: Vec<Vec<Move>>,
    /// The scores of the roles; all zero if the game was cut off.
    pub scores: Vec<f64>,
    /// What each role's player computed.
    pub efforts: Vec<Effort>,
    /// Whether it was cut off after [`MAX_STEPS`], or because its rules could not be evaluated within their limits.
    pub is_cut: bool,
    /// Whether it was played in a lane, so that the players' times are shares of what all lanes took.
    pub in_lanes: bool,
}

/// User-written rules may never end; a game longer than this has no result.
pub const MAX_STEPS: usize = 10_000;

/// The player at a role.
pub(crate) trait Mover {
    /// See [`Player::start`].
    fn start(&mut self, seed: Seed);
    /// See [`Player::choose`].
    fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> impl Future<Output = (Move, Effort)>;
    /// See [`Player::observe`].
    fn observe(&mut self, joint: &[Move]);
}

/// A player that answers at once.
impl Mover for &mut Box<dyn Player> {
    fn start(&mut self, seed: Seed) {
        (**self).start(seed);
    }

    async fn choose(&mut self, budget: &Budget, stop: &dyn Fn() -> bool) -> (Move, Effort) {
        (**self).choose(budget, stop)
    }

    fn observe(&mut self, joint: &[Move]) {
        (**self).observe(joint);
    }
}

/// Plays a game to its end: `seats[r]` is role r and gets the seed `seed.at(r)`. `None` if `stop` said so first.
pub(crate) async fn play_seats<S: Mover>(
    position: &mut dyn Position,
    seats: &mut [S],
    (budget, seed): (Budget, Seed),
    stop: &dyn Fn() -> bool,
) -> Option<Played> {
    let mut efforts = vec![Effort::default(); seats.len()];
    for (role, seat) in (0..).zip(seats.iter_mut()) {
        seat.start(seed.at(role));
    }
    loop {
        let scores = position.scores();
        let is_too_long = scores.is_none() && position.history().len() >= MAX_STEPS;
        let is_cut = is_too_long || position.failure().is_some();
        if let Some(scores) = scores.filter(|_| !is_cut).or_else(|| is_cut.then(|| vec![0.0; seats.len()])) {
            return Some(Played { moves: position.history().to_vec(), scores, efforts, is_cut, in_lanes: false });
        }
        let mut joint = Vec::with_capacity(seats.len());
        for (seat, total) in seats.iter_mut().zip(&mut efforts) {
            let (mv, effort) = seat.choose(&budget, stop).await;
            *total += effort;
            joint.push(mv);
        }
        if stop() {
            return None;
        }
        for (role, mv) in Role::all(joint.len()).zip(&joint) {
            debug_assert!(position.legals(role).contains(mv), "players choose legal moves");
        }
        position.advance(&joint);
        seats.iter_mut().for_each(|seat| seat.observe(&joint));
    }
}

/// Plays a game on from its initial position to its end: `players[r]` sits at role r and gets the seed `seed.at(r)`. `None`
/// if `stop` said so first. Whatever happens, the position has the moves so far.
pub fn play(
    position: &mut dyn Position,
    players: &mut [&mut Box<dyn Player>],
    setup: (Budget, Seed),
    stop: &dyn Fn() -> bool,
) -> Option<Played> {
    at_once(play_seats(position, players, setup, stop))
}

/// The result of something that never has to wait.
fn at_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => unreachable!("whoever is asked here answers at once"),
    }
}
