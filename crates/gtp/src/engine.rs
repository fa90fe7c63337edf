//! The engine: board, clocks and players, and what all commands share.

use crate::{
    analysis::{Dialect, Wish},
    board::Board,
    clock::Clock,
    commands,
    input::Input,
    message::{Command, Reply, write_reply},
};
use ludens_game::{Move, Role, Seed};
use ludens_search::{Budget, KeptPlayer, Learned, Panicked, Playable, Report, SearchObserver, Spec, isolate};
use std::{
    io::{self, Write},
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// The time between two looks at a search: how long a controller waits at most for the end of an analysis.
const LOOK: Duration = Duration::from_millis(50);

/// An analysis ends with the next command. This is for controllers that have none.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(24 * 3600);

/// How the engine plays.
pub struct Options {
    /// The player of both colours.
    pub player: Spec,
    /// What limits a move. With a clock both do.
    pub budget: Option<Budget>,
    /// What limits a move where neither a budget nor a clock does.
    pub default_budget: Budget,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Weights that policies have learned beforehand.
    pub learned: Arc<dyn Learned>,
    /// Hears of failures, in one line each.
    pub log: Box<dyn Fn(&str)>,
}

/// An engine of the protocol.
pub struct Engine {
    options: Options,
    pub(crate) board: Board,
    pub(crate) clock: Clock,
    /// By role; made when they are needed.
    players: Vec<Option<KeptPlayer>>,
}

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Quit,
}

/// Hears what a search thinks and may end it.
type Look<'l> = &'l mut dyn FnMut(&Board, &Report) -> ControlFlow<()>;

impl Engine {
    /// An engine for a game.
    ///
    /// # Errors
    /// If the moves of the game are not single points, or the player cannot play it.
    pub fn new(game: Arc<dyn Playable>, options: Options) -> Result<Engine, String> {
        let board = Board::new(game)?;
        let mut engine = Engine { options, board, clock: Clock::default(), players: Vec::new() };
        engine.forget();
        // A player that cannot play the game is told of at once.
        engine.players[0] = Some(engine.player(Role(0))?);
        Ok(engine)
    }

    /// Drops the players, which are made anew for their next move.
    fn forget(&mut self) {
        self.players = self.board.game.role_names().iter().map(|_| None).collect();
    }

    /// Plays on in another game.
    pub(crate) fn set_board(&mut self, board: Board) {
        self.board = board;
        self.forget();
    }

    /// Answers a command.
    pub(crate) fn answer(&mut self, command: &Command, input: &mut Input, out: &mut dyn Write) -> io::Result<Flow> {
        if command.name == "quit" {
            write_reply(out, &command.id, &Ok(String::new()))?;
            return Ok(Flow::Quit);
        }
        let answered = isolate(|| match commands::streaming(&command.name) {
            Some((dialect, plays)) => self.analyze(command, (dialect, plays), input, out),
            None => {
                let reply = commands::run(self, &command.name, &command.args);
                write_reply(out, &command.id, &reply)
            }
        });
        match answered {
            Ok(written) => written?,
            Err(panicked) => write_reply(out, &command.id, &Err(self.recover(&panicked)))?,
        }
        Ok(Flow::Next)
    }

    /// After a failure of ours: what it changed is made anew, and the log gets what is needed to see it again.
    fn recover(&mut self, panicked: &Panicked) -> String {
        let what = panicked.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let moves = self.board.plays().iter();
        let moves = moves.map(|&(role, play)| format!("{} {}", self.board.letter(role), self.board.written(play)));
        let moves = moves.collect::<Vec<_>>().join(", ");
        let (game, player, seed) = (self.board.game.name(), &self.options.player, self.options.seed);
        (self.options.log)(&format!("error: {player} failed at {game}: {what}; seed {seed}, moves {moves}"));
        self.forget();
        match isolate(|| self.board.replayed(self.board.game.clone())) {
            Ok(Ok(board)) => self.board = board,
            _ => self.board.clear(),
        }
        format!("internal error: {what}")
    }

    /// The player of a role.
    fn player(&mut self, role: Role) -> Result<KeptPlayer, String> {
        match self.players[role.index()].take() {
            Some(player) => Ok(player),
            None => {
                let Options { player, learned, .. } = &self.options;
                let player = self.board.game.clone().player(role, player, learned.clone());
                Ok(KeptPlayer::new(player.map_err(|error| error.to_string())?, self.seed(role)))
            }
        }
    }

    fn seed(&self, role: Role) -> Seed {
        Seed::new(self.options.seed).at(u64::from(role.0))
    }

    /// What a role may spend on its next move.
    fn budget(&self, role: Role) -> Budget {
        let moves = self.board.position().legals(role).len() as u32;
        // About a third of the points are still to be played, half of them by the other; some moves are always to come.
        match self.clock.time_for(self.colour(role), moves / 6 + 10) {
            None => self.options.budget.unwrap_or(self.options.default_budget),
            Some(time) => {
                let own = self.options.budget.unwrap_or_default();
                Budget { time: Some(own.time.map_or(time, |own| own.min(time))), start: None, ..own }
            }
        }
    }

    /// 0 for black, 1 for white.
    pub(crate) fn colour(&self, role: Role) -> usize {
        usize::from(role != self.board.colours()[0])
    }

    /// Lets the player of a role choose within its budget, and its clock run.
    pub(crate) fn choose(&mut self, role: Role, look: Look<'_>) -> Result<(Move, Report), String> {
        let begun = Instant::now();
        self.board.turn_to(role)?;
        let chosen = self.search(role, &self.budget(role), look);
        self.clock.spend(self.colour(role), begun.elapsed());
        chosen
    }

    /// Searches the position for a role whose turn it is.
    fn search(&mut self, role: Role, budget: &Budget, look: Look<'_>) -> Result<(Move, Report), String> {
        let mut player = self.player(role)?;
        player.follow(self.board.position().history(), self.seed(role));
        let board = &self.board;
        let mut look = |report: &Report| look(board, report);
        let (mv, _) = player.player.choose_watched(budget, &mut SearchObserver { interval: LOOK, look: &mut look });
        let report = player.player.report();
        self.players[role.index()] = Some(player);
        Ok((mv, report))
    }

    /// Thinks aloud until the next command comes, or plays in the end.
    fn analyze(
        &mut self,
        command: &Command,
        (dialect, plays): (Dialect, bool),
        input: &mut Input,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let wish = match Wish::read(dialect, &self.board, &command.args) {
            Ok(wish) => wish,
            Err(why) => return write_reply(out, &command.id, &Err(why)),
        };
        if let Err(why) = self.board.turn_to(wish.role) {
            return write_reply(out, &command.id, &Err(why));
        }
        writeln!(out, "={}", command.id)?;
        let (mut next, mut written) = (Instant::now(), Ok(()));
        let mut look = |board: &Board, report: &Report| {
            if let Some(interval) = wish.interval.filter(|_| Instant::now() >= next)
                && let Some(line) = wish.line(board, report)
            {
                next = Instant::now() + interval;
                written = writeln!(out, "{line}").and_then(|()| out.flush());
            }
            let is_over = written.is_err() || (!plays && input.has_next());
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let thought = if plays {
            self.choose(wish.role, &mut look)
        } else {
            self.search(wish.role, &Budget::time(LONGEST_ANALYSIS), &mut look)
        };
        written?;
        let last = thought.and_then(|(mv, report)| {
            let play = self.board.play_of(wish.role, mv);
            let line = wish.line(&self.board, &report).unwrap_or_default();
            let line = if plays { format!("{line}\nplay {}", self.board.written(play)) } else { line };
            if plays { self.board.play(wish.role, play).map(|()| line) } else { Ok(line) }
        });
        // An analysis that has said `=` can fail only in words.
        let last: Reply = last.or_else(|why| Ok(format!("# {why}")));
        let last = last.unwrap_or_default();
        // An empty line would end the reply.
        if !last.trim().is_empty() {
            writeln!(out, "{}", last.trim())?;
            out.flush()?;
        }
        if !plays {
            // Where everything is proven the search ends before the controller does.
            input.wait();
        }
        writeln!(out)?;
        out.flush()
    }
}
