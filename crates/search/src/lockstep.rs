//! The driver of hundreds of searches: one game per lane, all lanes make their steps together.
//!
//! Every lane is an async function that plays one game after the other, with searches of its own. The driver polls them
//! all, and when each has paused for an answer the engine makes one tick. A game is the same here as when it is played
//! alone: whatever chance decides comes from the game's own seed.

use crate::{
    budget::Budget,
    drive::think,
    lane::{Desk, LaneWorld},
    learned::Learned,
    report::Effort,
    search::{Search, SearchError},
    spec::Spec,
};
use ludens_game::{Game, Move, Role, Seed};
use std::{
    cell::RefCell,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// A game that is to be played.
#[derive(Clone, Debug)]
pub struct Task {
    /// Under which number its result is told.
    pub number: u64,
    /// Who sits at each role.
    pub seats: Vec<Spec>,
    /// How long each may think about a move.
    pub budget: Budget,
    /// What chance decides; role r gets `seed.at(r)`.
    pub seed: Seed,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The joint moves.
    pub moves: Vec<Vec<Move>>,
    /// The scores of the roles.
    pub scores: Vec<f64>,
    /// What each role's player computed.
    pub efforts: Vec<Effort>,
}

/// Where games come from and results go to.
pub trait Schedule {
    /// The next game to play.
    fn next(&mut self) -> Option<Task>;
    /// A game has ended.
    fn finished(&mut self, number: u64, game: Played);
    /// Whether all games shall be given up.
    fn is_stopped(&self) -> bool;
}

/// Everything that the lanes share.
struct Hall<'h, G> {
    game: &'h Arc<G>,
    learned: &'h Arc<dyn Learned>,
    desk: RefCell<Desk>,
    schedule: RefCell<&'h mut dyn Schedule>,
}

/// The games of one lane.
type Lane<'h> = Pin<Box<dyn Future<Output = Result<(), SearchError>> + 'h>>;

/// Plays all games of a schedule in up to `lanes` lanes; `false` if the game has no lanes.
///
/// # Errors
/// If a spec cannot play the game.
pub(crate) fn lockstep<G: Game>(
    game: &Arc<G>,
    lanes: usize,
    schedule: &mut dyn Schedule,
    learned: &Arc<dyn Learned>,
) -> Result<bool, SearchError> {
    let Some(engine) = game.lanes(lanes) else { return Ok(false) };
    let hall = Hall { game, learned, desk: RefCell::new(Desk::new(engine)), schedule: RefCell::new(schedule) };
    let mut players: Vec<Option<Lane<'_>>> =
        (0..lanes).map(|lane| Some(Box::pin(hall.play(lane)) as Lane<'_>)).collect();
    let mut active = players.len();
    loop {
        for player in &mut players {
            active -= usize::from(poll(player)?);
        }
        loop {
            let served = hall.desk.borrow_mut().settle_if_due(active);
            if served.is_empty() {
                break;
            }
            for lane in served {
                active -= usize::from(poll(&mut players[lane])?);
            }
        }
        if active == 0 {
            return Ok(true);
        }
        hall.desk.borrow_mut().tick();
    }
}

/// Lets a lane go on until it pauses; whether it has come to its end just now.
fn poll(player: &mut Option<Lane<'_>>) -> Result<bool, SearchError> {
    let Some(future) = player else { return Ok(false) };
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Pending => Ok(false),
        Poll::Ready(result) => {
            *player = None;
            result.map(|()| true)
        }
    }
}

impl<G: Game> Hall<'_, G> {
    /// Plays in one lane as long as there are games.
    async fn play(&self, lane: usize) -> Result<(), SearchError> {
        let mut world = LaneWorld::new(&self.desk, lane, self.game.roles());
        let mut players = Vec::new();
        loop {
            let Some(task) = self.schedule.borrow_mut().next() else { return Ok(()) };
            players = self.sit_down(players, &task)?;
            let Some(played) = self.play_game(&mut players, &mut world, &task).await else { return Ok(()) };
            self.schedule.borrow_mut().finished(task.number, played);
        }
    }

    /// The players of a task; those of the last game who play on keep their memory.
    fn sit_down(&self, mut last: Vec<Search<G>>, task: &Task) -> Result<Vec<Search<G>>, SearchError> {
        let seats = Role::all(self.game.roles()).zip(&task.seats);
        let player = |(role, spec): (Role, &Spec)| match last
            .iter()
            .position(|player| player.role() == role && player.spec() == spec)
        {
            Some(place) => Ok(last.swap_remove(place)),
            None => Search::new(self.game.clone(), role, spec, self.learned.clone()),
        };
        seats.map(player).collect()
    }

    async fn play_game(&self, players: &mut [Search<G>], world: &mut LaneWorld<'_>, task: &Task) -> Option<Played> {
        use crate::player::Player;
        let game = &**self.game;
        let mut played = Played {
            moves: Vec::new(),
            scores: vec![0.0; players.len()],
            efforts: vec![Effort::default(); players.len()],
        };
        let stop = || self.schedule.borrow().is_stopped();
        for (role, player) in (0..).zip(players.iter_mut()) {
            player.start(task.seed.at(role));
        }
        while !game.scores(players[0].state(), &mut played.scores) {
            let mut joint = Vec::with_capacity(players.len());
            for (player, total) in players.iter_mut().zip(&mut played.efforts) {
                if let Some(meter) = player.begin(&task.budget) {
                    world.move_home(game.row(player.state()).expect("a game with lanes has rows"));
                    think(player.worker(), world, meter.clone(), &stop).await;
                    player.end(&meter);
                }
                let (mv, effort) = player.conclude();
                *total += effort;
                joint.push(mv);
            }
            if stop() {
                return None;
            }
            players.iter_mut().for_each(|player| player.observe(&joint));
            played.moves.push(joint);
        }
        Some(played)
    }
}
