//! What a search thinks while it thinks, as Leela Zero and KataGo write it, so that their GUIs draw it.

use crate::board::Board;
use ludens_catalog::quoted;
use ludens_game::Role;
use ludens_search::{ArmReport, Report};
use std::time::Duration;

/// Whose words are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Win rates from 0 to 10000.
    Leela,
    /// Win rates from 0 to 1.
    Kata,
}

/// What is to be reported, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) dialect: Dialect,
    pub(crate) role: Role,
    /// The time between two reports; none means that only the last is wanted.
    pub(crate) interval: Option<Duration>,
    /// At most so many moves.
    max_moves: usize,
}

impl Wish {
    /// Reads `[colour] [interval] [key value]…`; the interval is in hundredths of a second.
    pub(crate) fn read(dialect: Dialect, board: &Board, args: &[String]) -> Result<Wish, String> {
        let mut wish = Wish { dialect, role: board.to_move(), interval: None, max_moves: usize::MAX };
        let mut args = args.iter().peekable();
        if let Some(role) = args.peek().and_then(|arg| board.role(arg).ok()) {
            wish.role = role;
            args.next();
        }
        if let Some(interval) = args.peek().and_then(|arg| arg.parse().ok()) {
            wish.interval = Some(centiseconds(interval)?);
            args.next();
        }
        while let Some(key) = args.next() {
            let value = args.next().ok_or_else(|| format!("syntax error: {} has no value", quoted(key)))?;
            let number = || value.parse().map_err(|_| format!("syntax error: {} is not a number", quoted(value)));
            match key.as_str() {
                "interval" => wish.interval = Some(centiseconds(number()?)?),
                "maxmoves" => wish.max_moves = number()?.max(1.0) as usize,
                // All moves that were visited are told in any case.
                "minmoves" => drop(number()?),
                // Of these we know nothing; a GUI draws the rest.
                "ownership"
                | "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo"
                | "noResultValue" => {}
                _ => return Err(format!("{} is not supported", quoted(key))),
            }
        }
        Ok(wish)
    }

    /// The line of a report; `None` if no move was visited yet.
    pub(crate) fn line(&self, board: &Board, report: &Report) -> Option<String> {
        let visited = report.arms.iter().filter(|arm| arm.visits > 0);
        let infos: Vec<String> =
            visited.take(self.max_moves).enumerate().map(|(order, arm)| self.info(board, report, order, arm)).collect();
        (!infos.is_empty()).then(|| infos.join(" "))
    }

    fn info(&self, board: &Board, report: &Report, order: usize, arm: &ArmReport) -> String {
        let rate = arm.score.unwrap_or(0.5).clamp(0.0, 1.0);
        // The lower end of the 95 % interval of the mean.
        let low = (rate - 1.96 * (rate * (1.0 - rate) / arm.visits as f64).sqrt()).max(0.0);
        let share = |rate: f64| match self.dialect {
            Dialect::Leela => format!("{:.0}", rate * 10_000.0),
            Dialect::Kata => format!("{rate:.4}"),
        };
        let mv = board.written(board.play_of(self.role, arm.mv));
        // The search knows how it would go on after its favourite only.
        let expected = if report.line.first() == Some(&arm.name) { &report.line[1..] } else { &[] };
        let line = expected.iter().map_while(|name| written(board, name));
        let line: Vec<String> = std::iter::once(mv.clone()).chain(line).collect();
        format!(
            "info move {mv} visits {} winrate {} lcb {} order {order} pv {}",
            arm.visits,
            share(rate),
            share(low),
            line.join(" ")
        )
    }
}

/// A move by its name in the game, whoever makes it.
fn written(board: &Board, name: &str) -> Option<String> {
    let position = board.position();
    let found = board.colours().into_iter().find_map(|role| Some((role, position.parse_move(role, name)?)));
    found.map(|(role, mv)| board.written(board.play_of(role, mv)))
}

/// From a hundredth of a second to an hour.
fn centiseconds(count: f64) -> Result<Duration, String> {
    let is_known = (0.0..=360_000.0).contains(&count);
    let time = is_known.then(|| Duration::from_secs_f64(count.max(1.0) / 100.0));
    time.ok_or_else(|| format!("syntax error: an interval of {count} hundredths of a second"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Playable;
    use std::sync::Arc;

    fn board(game: &str) -> Board {
        Board::new(ludens_catalog::open(game).unwrap()).unwrap_or_else(|why| panic!("{why}"))
    }

    fn read(text: &str) -> Result<Wish, String> {
        let args: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Wish::read(Dialect::Leela, &board("go:9"), &args)
    }

    #[test]
    fn wishes_are_read() {
        let wish = |role, centiseconds: Option<u64>, max_moves| {
            let interval = centiseconds.map(|count| Duration::from_millis(10 * count));
            Ok(Wish { dialect: Dialect::Leela, role: Role(role), interval, max_moves })
        };
        assert_eq!(read(""), wish(0, None, usize::MAX));
        assert_eq!(read("w 50"), wish(1, Some(50), usize::MAX));
        assert_eq!(read("interval 20 maxmoves 3 ownership true"), wish(0, Some(20), 3));
        assert_eq!(read("white interval 0 minmoves 2"), wish(1, Some(1), usize::MAX));
        for bad in ["interval", "interval x", "interval -1", "interval 1e9", "avoid b D4 3", "nonsense 3"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_report_by_hand() {
        let game: Arc<dyn Playable> = ludens_catalog::open("go:9").unwrap();
        let position = game.start();
        let arm = |name: &str, visits, score| {
            let mv = position.parse_move(Role(0), name).unwrap();
            ArmReport { mv, name: name.into(), visits, score, amaf: None }
        };
        let arms = vec![arm("e5", 100, Some(0.5)), arm("pass", 4, Some(0.0)), arm("j9", 0, None)];
        let report = Report { arms, line: vec!["e5".into(), "d3".into(), "pass".into()], ..Report::default() };
        let wish = read("interval 10").unwrap();
        let line = wish.line(&board("go:9"), &report).unwrap();
        // 0.5 - 1.96 * 0.05 = 0.402.
        let first = "info move E5 visits 100 winrate 5000 lcb 4020 order 0 pv E5 D3 pass";
        assert_eq!(line, format!("{first} info move pass visits 4 winrate 0 lcb 0 order 1 pv pass"));
        let kata = Wish { dialect: Dialect::Kata, max_moves: 1, ..wish.clone() };
        let line = kata.line(&board("go:9"), &report).unwrap();
        assert_eq!(line, "info move E5 visits 100 winrate 0.5000 lcb 0.4020 order 0 pv E5 D3 pass");
        assert_eq!(wish.line(&board("go:9"), &Report::default()), None);
    }
}
