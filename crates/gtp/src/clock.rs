//! Time settings, and how much of its time a colour spends on a move.

use std::time::Duration;

/// What is kept in hand for the way between controller and engine.
const RESERVE: Duration = Duration::from_millis(50);

/// No move gets less.
const LEAST: Duration = Duration::from_millis(1);

/// Main time, then periods of `byo_time` for `stones` moves each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeSettings {
    pub(crate) main: Duration,
    pub(crate) byo_time: Duration,
    pub(crate) stones: u32,
}

/// The time of one colour. With stones it is that of a period, without it is main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    time: Duration,
    stones: u32,
}

/// The clocks of both colours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    settings: Option<TimeSettings>,
    left: [Option<Left>; 2],
}

impl Clock {
    /// Sets both clocks. Periods without stones mean that there is no limit, as GTP has it.
    pub(crate) fn set(&mut self, settings: Option<TimeSettings>) {
        let limited = settings.filter(|settings| settings.byo_time.is_zero() || settings.stones > 0);
        self.settings = limited;
        self.left = [limited.map(|settings| Left { time: settings.main, stones: 0 }); 2];
    }

    /// A new game begins with full clocks.
    pub(crate) fn restart(&mut self) {
        self.set(self.settings);
    }

    /// The controller's word about a colour's clock.
    pub(crate) fn tell(&mut self, colour: usize, time: Duration, stones: u32) {
        self.left[colour] = Some(Left { time, stones });
    }

    /// The time for the next move of a colour that has so many moves to make. `None` if nothing limits it.
    pub(crate) fn time_for(&self, colour: usize, moves: u32) -> Option<Duration> {
        let left = self.left[colour]?;
        let moves = moves.max(1);
        let (share, most) = if left.stones > 0 {
            (left.time / left.stones, left.time)
        } else {
            let settings = self.settings.unwrap_or_default();
            let period = settings.byo_time.checked_div(settings.stones).unwrap_or_default();
            (left.time / moves + period, left.time + period)
        };
        Some(share.min(most.saturating_sub(RESERVE)).max(LEAST))
    }

    /// A colour has thought for so long. The controller may correct that.
    pub(crate) fn spend(&mut self, colour: usize, time: Duration) {
        let settings = self.settings.unwrap_or_default();
        let Some(left) = &mut self.left[colour] else { return };
        match left.time.checked_sub(time) {
            Some(rest) if left.stones == 0 => left.time = rest,
            Some(rest) if left.stones > 1 => *left = Left { time: rest, stones: left.stones - 1 },
            // A period is over, or main time is and the first begins.
            _ => *left = Left { time: settings.byo_time, stones: settings.stones },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn clock(main: u64, byo_time: u64, stones: u32) -> Clock {
        let mut clock = Clock::default();
        clock.set(Some(TimeSettings { main: seconds(main), byo_time: seconds(byo_time), stones }));
        clock
    }

    #[test]
    fn main_time_is_shared_among_the_moves_to_come() {
        let mut clock = clock(300, 0, 0);
        assert_eq!(clock.time_for(0, 30), Some(seconds(10)));
        clock.spend(0, seconds(60));
        assert_eq!(clock.time_for(0, 24), Some(seconds(10)));
        assert_eq!(clock.time_for(1, 30), Some(seconds(10)), "the other clock stands still");
        clock.tell(0, seconds(0), 0);
        assert_eq!(clock.time_for(0, 24), Some(LEAST), "a move must be made all the same");
        clock.restart();
        assert_eq!(clock.time_for(0, 30), Some(seconds(10)));
    }

    #[test]
    fn periods_are_shared_among_their_stones() {
        let mut clock = clock(10, 30, 5);
        assert_eq!(clock.time_for(0, 10), Some(seconds(7)), "a tenth of 10 s, and a stone's share of a period");
        clock.spend(0, seconds(11));
        assert_eq!(clock.time_for(0, 10), Some(seconds(6)), "five stones in 30 s");
        clock.tell(0, seconds(10), 2);
        assert_eq!(clock.time_for(0, 10), Some(seconds(5)));
        clock.spend(0, seconds(9));
        assert_eq!(clock.time_for(0, 10), Some(seconds(1) - RESERVE), "the last stone keeps a reserve");
        clock.spend(0, Duration::from_millis(900));
        assert_eq!(clock.time_for(0, 10), Some(seconds(6)), "the next period");
    }

    #[test]
    fn periods_without_stones_limit_nothing() {
        assert_eq!(clock(0, 1, 0).time_for(0, 10), None);
        assert_eq!(Clock::default().time_for(1, 10), None);
        assert_eq!(clock(0, 0, 0).time_for(1, 10), Some(LEAST), "no time at all is a limit");
    }
}
