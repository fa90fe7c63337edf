//! [`Margin`]: how much of a clock is kept in hand, so that an answer is there in time.

use std::time::Duration;

/// Without any experience this share of the clock is kept, within these bounds.
const SHARE: u32 = 5;
const LEAST: Duration = Duration::from_millis(150);
const MOST: Duration = Duration::from_millis(1000);

/// No server grants START a moment more than its clock, and little is lost by being ready early.
const START_SHARE: u32 = 3;

/// What a move that did not arrive in time says about the way to the server, at least.
const LOST: Duration = Duration::from_millis(250);

/// The margin grows with the delays that were met, and slowly forgets them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Margin {
    delay: Duration,
}

impl Margin {
    /// The time to keep in hand of a step's clock.
    pub(crate) fn of_play(&self, clock: Duration) -> Duration {
        self.of(clock, SHARE)
    }

    /// The time to keep in hand of the clock for preparations.
    pub(crate) fn of_start(&self, clock: Duration) -> Duration {
        self.of(clock, START_SHARE)
    }

    /// Never more than half of the clock.
    fn of(&self, clock: Duration, share: u32) -> Duration {
        ((clock / share).clamp(LEAST, MOST) + 2 * self.delay).min(clock / 2)
    }

    /// An answer was ready so much later than it should have been.
    pub(crate) fn note_delay(&mut self, delay: Duration) {
        self.delay = delay.max(self.delay * 7 / 8);
    }

    /// The server played another move than the one that it got: most likely that came too late.
    pub(crate) fn note_lost_move(&mut self) {
        self.delay = (2 * self.delay).max(LOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_margin_fits_its_clock() {
        let margin = Margin::default();
        assert_eq!((margin.of_play(SECOND).as_millis(), margin.of_start(SECOND).as_millis()), (200, 333));
        assert_eq!((margin.of_play(60 * SECOND), margin.of_start(60 * SECOND)), (MOST, MOST));
        assert_eq!(margin.of_play(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn delays_are_learned_and_forgotten() {
        let mut margin = Margin::default();
        margin.note_delay(Duration::from_millis(100));
        assert_eq!(margin.of_play(SECOND).as_millis(), 400);
        margin.note_lost_move();
        assert_eq!(margin.of_play(SECOND), SECOND / 2, "half of the clock is for thinking, come what may");
        assert_eq!(margin.of_play(10 * SECOND).as_millis(), 1500);
        for _ in 0..60 {
            margin.note_delay(Duration::ZERO);
        }
        assert_eq!(margin.of_play(SECOND).as_millis(), 200);
    }
}
