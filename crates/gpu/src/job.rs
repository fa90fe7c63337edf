//! [`Job`]: games to be played by the kernels, and what comes back.

use crate::{
    player::{Features, PlayerCode},
    sheet::Sheet,
};
use ludens_game::{Move, Seed};
use ludens_search::{Effort, Played};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct GpuGame {
    /// By role: which of the job's players.
    pub seats: Vec<usize>,
    /// The seed; role r gets `seed.at(r)`.
    pub seed: Seed,
}

/// Games on the rules of one sheet, between some players.
#[derive(Clone, Debug)]
pub struct Job {
    pub(crate) sheet: Arc<Sheet>,
    pub(crate) players: Vec<PlayerCode>,
    pub(crate) games: Vec<GpuGame>,
    /// Whether only the first search of every game is made, to measure it.
    pub(crate) searches_only: bool,
    /// Joint moves for which a game has room; longer games are left to the processor.
    pub(crate) history: usize,
}

/// Nodes with more visits than there are logarithms leave their game to the processor.
const MOST_LOGS: u64 = 1 << 21;

/// Players that a launch is given, rather than where they are.
pub(crate) const FIRST_PLAYERS: usize = 16;

/// Shared memory that a warp may take where as many as registers allow shall be under way.
const WARP_SHARED: usize = 25_000;

/// About as many bytes as `Shared` has without moves that are weighed.
const SMALL_SHARED: usize = 1024;

impl Job {
    /// Games between players.
    pub fn new(sheet: Arc<Sheet>, players: Vec<PlayerCode>, games: Vec<GpuGame>) -> Job {
        Job { sheet, players, games, searches_only: false, history: 1024 }
    }

    /// The same, of which only the first search of each player is made.
    #[must_use]
    pub fn only_searches(self) -> Job {
        Job { searches_only: true, history: 1, ..self }
    }

    /// Some of its games.
    pub(crate) fn part(&self, games: &[usize]) -> Job {
        let games = games.iter().map(|&game| self.games[game].clone()).collect();
        Job { games, ..self.clone() }
    }

    /// What the kernels have to be able to do.
    pub(crate) fn features(&self) -> Features {
        self.players.iter().fold(Features::default(), |all, player| all.and(player.features))
    }

    /// The constants of the kernels.
    pub(crate) fn defines(&self) -> String {
        let features = self.features();
        let Features { depth, means, weights, grams, replies, sharpens, samples_means, visits_all, .. } = features;
        let mut defines = self.sheet.defines.clone();
        let switches = [
            ("LEARNS_MEANS", means),
            ("LEARNS_WEIGHTS", weights),
            ("LEARNS_GRAMS", grams),
            ("LEARNS_REPLIES", replies),
            ("SHARPENS", sharpens),
            ("SAMPLES_MEANS", samples_means),
            ("VISITS_ALL", visits_all),
            ("LISTS_LEGAL", weights),
            ("DISCOUNTS", features.discounts),
            ("LEARNS_DIFFERENCES", features.differences && self.sheet.roles == 2),
            ("COUNTS_LEAVES", features.leaves),
            ("WEIGHS_OUTSIDE", self.weighs_outside()),
            ("FEW_PLAYERS", self.players.len() <= FIRST_PLAYERS),
        ];
        let _ = writeln!(defines, "#define MAX_DEPTH {depth}\n#define MOST_WEIGHED {}", self.most_weighed());
        for (name, is_on) in switches {
            let _ = writeln!(defines, "#define {name} {}", u8::from(is_on));
        }
        defines
    }

    /// Bytes of a `Weighing`.
    fn weighing_bytes(&self) -> usize {
        let Features { means, weights, grams, .. } = self.features();
        if grams && (means || weights) { 32 * 64 + 12 * self.most_weighed() } else { 0 }
    }

    /// Moves that the threads of a warp weigh at once, at most.
    fn most_weighed(&self) -> usize {
        self.sheet.max_moves.max(512)
    }

    /// Whether moves are weighed in the memory of the card, because rules and they are too large for what is shared.
    fn weighs_outside(&self) -> bool {
        4 * self.sheet.value_words + SMALL_SHARED + self.weighing_bytes() > WARP_SHARED
    }

    /// About as many bytes as `Shared` has.
    pub(crate) fn told_bytes(&self) -> usize {
        SMALL_SHARED + if self.weighs_outside() { 0 } else { self.weighing_bytes() }
    }

    /// The bytes of all players.
    pub(crate) fn player_bytes(&self) -> Vec<u8> {
        self.players.iter().flat_map(PlayerCode::bytes).collect()
    }

    /// The bytes of all `SeatTask`s.
    pub(crate) fn task_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.games.len() * self.sheet.roles * 24);
        for game in &self.games {
            for (role, &player) in (0..).zip(&game.seats) {
                let seed = game.seed.at(role);
                // A search has one thread, whose generator is the first child of its seed.
                bytes.extend(seed.at(0).value().to_ne_bytes());
                bytes.extend(seed.named("random").value().to_ne_bytes());
                bytes.extend((player as u32).to_ne_bytes());
                bytes.extend([0; 4]);
            }
        }
        bytes
    }

    /// Natural logarithms of the whole numbers from 0 on, as the processor computes them.
    pub(crate) fn logs(&self) -> Vec<f64> {
        let most = self.players.iter().map(PlayerCode::most_simulations).max().unwrap_or(0);
        let count = most.saturating_mul(64).clamp(1 << 12, MOST_LOGS);
        (0..count).map(|number| (number as f64).ln()).collect()
    }

    /// By player the powers of its discount, as many as a simulation has steps, if somebody discounts; computed as in `trail.rs`.
    pub(crate) fn discounts(&self) -> Vec<f64> {
        let Features { depth, discounts, .. } = self.features();
        let powers = |player: &PlayerCode| {
            let discount = player.discount;
            std::iter::successors(Some(1.0), move |power| Some(power * discount)).take(depth as usize + 2)
        };
        self.players.iter().filter(|_| discounts).flat_map(powers).collect()
    }

    /// Bytes of a `Result`.
    pub(crate) fn result_size(&self) -> usize {
        24 * self.sheet.roles + 8
    }

    /// Bytes of the joint moves of a game.
    pub(crate) fn moves_size(&self) -> usize {
        4 * self.sheet.roles * self.history
    }

    /// The state of a game, from its `Result`.
    pub(crate) fn status(&self, result: &[u8]) -> Status {
        match word(result, 24 * self.sheet.roles) {
            0 => Status::Unplayed,
            1 => Status::Played,
            2 => Status::GivenUp,
            _ => Status::Starved,
        }
    }

    /// A game that was played, from its `Result` and its joint moves.
    pub(crate) fn played(&self, result: &[u8], moves: &[u8]) -> Played {
        let roles = self.sheet.roles;
        let long = |at: usize| u64::from_ne_bytes(result[8 * at..8 * at + 8].try_into().expect("eight bytes"));
        let length = word(result, 24 * roles + 4) as usize;
        let joint = |step: usize| (0..roles).map(|role| Move(word(moves, 4 * (step * roles + role)))).collect();
        let effort = |role: usize| Effort {
            simulations: long(roles + role),
            steps: long(2 * roles + role),
            time: Duration::ZERO,
        };
        Played {
            moves: (0..length).map(joint).collect(),
            scores: (0..roles).map(|role| f64::from_bits(long(role))).collect(),
            efforts: (0..roles).map(effort).collect(),
            is_cut: false,
            in_lanes: true,
        }
    }
}

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Unplayed,
    Played,
    /// It needs more steps or more exact arithmetic than the kernels have.
    GivenUp,
    /// It needs more memory than was left.
    Starved,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}
