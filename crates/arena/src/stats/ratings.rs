//! Ratings of several players at once: the Bradley-Terry model (Bradley and Terry 1952), fitted by minorisation and
//! maximisation (Hunter 2004), with intervals by bootstrap.
//!
//! Player i beats player j with the probability `g_i / (g_i + g_j)`; a draw is half a win for both. Ratings are
//! `400 log10(g)` with the mean 0. Every meeting counts one draw more than was played, so that whoever won everything has a
//! finite rating too.

use ludens_game::{Rng, Seed};
use serde::Serialize;

/// Games between two players: what the first one got of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// The first player.
    pub first: usize,
    /// The second player.
    pub second: usize,
    /// The first one's points: 1, ½ or 0 of each game.
    pub points: Vec<f64>,
}

/// A player's rating in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating; the mean of all players is 0.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// The games that every meeting counts more than were played, drawn.
const PRIOR_GAMES: f64 = 1.0;
const RESAMPLES: usize = 200;
const MAX_SWEEPS: usize = 10_000;
/// Sweeps end when no logarithm of a strength moves more than this.
const TOLERANCE: f64 = 1e-10;

/// The ratings of `players` players.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let table = |resample: &mut dyn FnMut(&[f64]) -> f64| {
        let pair = |meeting: &Meeting| {
            let (sum, games) = (resample(&meeting.points), meeting.points.len() as f64);
            Pair {
                first: meeting.first,
                second: meeting.second,
                won: sum + PRIOR_GAMES / 2.0,
                games: games + PRIOR_GAMES,
            }
        };
        fit(players, &meetings.iter().map(pair).collect::<Vec<_>>())
    };
    let best = table(&mut |points| points.iter().sum());
    let mut rng = Seed::new(0).named("bootstrap").rng();
    let resamples: Vec<Vec<f64>> = (0..RESAMPLES).map(|_| table(&mut |points| resampled(points, &mut rng))).collect();
    let interval = |player: usize| {
        let mut values: Vec<f64> = resamples.iter().map(|elos| elos[player]).collect();
        values.sort_unstable_by(f64::total_cmp);
        let cut = RESAMPLES / 40;
        (values[cut], values[RESAMPLES - 1 - cut])
    };
    (0..players)
        .map(|player| {
            let (low, high) = interval(player);
            Rating { elo: best[player], low, high }
        })
        .collect()
}

/// The sum of as many games, drawn from the games with replacement.
fn resampled(points: &[f64], rng: &mut Rng) -> f64 {
    let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
    (0..count).map(|_| points[rng.below(count) as usize]).sum()
}

struct Pair {
    first: usize,
    second: usize,
    won: f64,
    games: f64,
}

/// Elo with the mean 0.
fn fit(players: usize, pairs: &[Pair]) -> Vec<f64> {
    let mut won = vec![0.0; players];
    for pair in pairs {
        won[pair.first] += pair.won;
        won[pair.second] += pair.games - pair.won;
    }
    let mut strengths = vec![1.0_f64; players];
    for _ in 0..MAX_SWEEPS {
        let mut expected = vec![0.0; players];
        for pair in pairs {
            let share = pair.games / (strengths[pair.first] + strengths[pair.second]);
            expected[pair.first] += share;
            expected[pair.second] += share;
        }
        let mut moved = 0.0_f64;
        for player in 0..players {
            if expected[player] > 0.0 {
                let next = won[player] / expected[player];
                moved = moved.max((next / strengths[player]).ln().abs());
                strengths[player] = next;
            }
        }
        if moved < TOLERANCE {
            break;
        }
    }
    let elos: Vec<f64> = strengths.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = elos.iter().sum::<f64>() / players.max(1) as f64;
    elos.iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins of the teams of the American League's eastern division of 1987 over each other (Agresti, Categorical Data
    /// Analysis, section 10.6).
    const BASEBALL: [[u32; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11], // Milwaukee
        [6, 0, 7, 5, 11, 9, 9], // Detroit
        [4, 6, 0, 7, 7, 8, 12], // Toronto
        [6, 8, 6, 0, 6, 7, 10], // New York
        [6, 2, 6, 7, 0, 7, 12], // Boston
        [4, 4, 5, 6, 6, 0, 6],  // Cleveland
        [2, 4, 1, 3, 1, 7, 0],  // Baltimore
    ];

    fn season() -> Vec<(usize, usize)> {
        (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b))).collect()
    }

    #[test]
    fn the_published_fit_of_a_season() {
        let pairs: Vec<Pair> = season()
            .into_iter()
            .map(|(first, second)| {
                let won = f64::from(BASEBALL[first][second]);
                Pair { first, second, won, games: won + f64::from(BASEBALL[second][first]) }
            })
            .collect();
        let elos = fit(7, &pairs);
        let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        for (elo, published) in elos.iter().zip(published) {
            let logit = (elo - elos[6]) * 10_f64.ln() / 400.0;
            assert!((logit - published).abs() < 1e-3, "{logit} instead of {published}");
        }
    }

    #[test]
    fn intervals_hold_the_rating_and_everything_is_finite() {
        let meetings: Vec<Meeting> = season()
            .into_iter()
            .map(|(first, second)| {
                let (won, lost) = (BASEBALL[first][second] as usize, BASEBALL[second][first] as usize);
                let points = [vec![1.0; won], vec![0.0; lost]].concat();
                Meeting { first, second, points }
            })
            .collect();
        let table = ratings(7, &meetings);
        assert!(table.iter().all(|rating| rating.low < rating.elo && rating.elo < rating.high), "{table:?}");
        assert!(table.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        assert_eq!(table, ratings(7, &meetings), "the bootstrap has its own seed");

        let sweep = [Meeting { first: 0, second: 1, points: vec![1.0; 30] }];
        assert!(ratings(3, &sweep).iter().all(|rating| rating.elo.is_finite() && rating.high.is_finite()));
        assert!(ratings(3, &sweep)[0].elo > 200.0);
        assert_eq!(ratings(2, &[])[0], Rating { elo: 0.0, low: 0.0, high: 0.0 });
    }
}
