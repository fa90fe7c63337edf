//! [`Keyboard`]: a person who takes part in a match. The conversation is on standard error, results are on standard output.

use ludens_game::Style;
use ludens_ggp::{Contestant, Occasion, Summons, Trouble};
use std::io::{self, BufRead as _, Write as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often somebody who waits for a line asks whether to go on.
const LOOK: Duration = Duration::from_millis(100);

pub(super) struct Keyboard {
    style: Style,
    /// Lines as they are typed, read from when the first is wanted. Several seats share one keyboard.
    lines: OnceLock<Mutex<Receiver<String>>>,
}

impl Keyboard {
    pub(super) fn new(style: Style) -> Keyboard {
        Keyboard { style, lines: OnceLock::new() }
    }

    fn lines(&self) -> &Mutex<Receiver<String>> {
        self.lines.get_or_init(|| {
            let (sender, receiver) = mpsc::channel();
            std::thread::spawn(move || {
                io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
            Mutex::new(receiver)
        })
    }

    fn choose(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        let deadline = Instant::now() + occasion.limit;
        if let [only] = occasion.legal {
            return Ok(only.clone());
        }
        let lines = self.lines().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = occasion.view {
            say(&format!("\n{}\n", view.draw(self.style)));
        }
        loop {
            say(&format!("{}, you have {} s:", occasion.role, occasion.limit.as_secs()));
            let line = loop {
                let left = deadline.saturating_duration_since(Instant::now());
                match lines.recv_timeout(left.min(LOOK)) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Unreachable),
                    Err(RecvTimeoutError::Timeout) if left.is_zero() || (occasion.stop)() => return Err(Trouble::Late),
                    Err(RecvTimeoutError::Timeout) => {}
                }
            };
            match meant(&line, occasion.legal) {
                Some(mv) => return Ok(mv.clone()),
                None => say(&format!("legal moves: {}", occasion.legal.join(", "))),
            }
        }
    }
}

impl Contestant for Keyboard {
    fn name(&self) -> String {
        "human".to_owned()
    }

    fn is_human(&self) -> bool {
        true
    }

    fn ask(&self, occasion: &Occasion<'_>) -> Result<String, Trouble> {
        match occasion.summons {
            Summons::Play => self.choose(occasion),
            Summons::Start | Summons::Stop | Summons::Abort => Ok("ready".to_owned()),
        }
    }
}

/// The legal move that a line means; its parentheses may be left out.
fn meant<'l>(line: &str, legal: &'l [String]) -> Option<&'l String> {
    let words = |text: &str| text.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
    legal.iter().find(|mv| mv.as_str() == line.trim()).or_else(|| {
        let mut similar = legal.iter().filter(|mv| words(mv).eq_ignore_ascii_case(&words(line)));
        similar.next().filter(|_| similar.next().is_none())
    })
}

fn say(text: &str) {
    // Whoever closed the screen cannot be told anything.
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_may_be_left_out_where_that_is_clear() {
        let legal = ["(mark 1 1)", "(mark (1 1))", "(move a b)", "noop"].map(str::to_owned);
        let meant = |line| meant(line, &legal).map(String::as_str);
        assert_eq!(meant(" MOVE a  b"), Some("(move a b)"));
        assert_eq!(meant("(mark 1 1)"), Some("(mark 1 1)"));
        assert_eq!(meant("mark 1 1"), None);
        assert_eq!(meant("noop"), Some("noop"));
        assert_eq!(meant(""), None);
    }
}
