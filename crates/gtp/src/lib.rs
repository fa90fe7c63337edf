//! `ludens gtp`: an engine of the Go Text Protocol (GTP 2) for every board game whose moves are single points.
//!
//! | file | holds |
//! |---|---|
//! | `message.rs`, `input.rs` | a command line and its reply; lines read beside the search |
//! | `notation.rs` | points as the players of a game write them |
//! | `title.rs`, `board.rs` | the game's name with another size or komi; the position as GTP sees it: no turns, no end |
//! | `clock.rs` | from time settings to the time of a move |
//! | `engine.rs`, `commands.rs` | what the commands share; what each of them does |
//! | `analysis.rs` | `lz-analyze` and `kata-analyze` |
//! | `stones.rs`, `life.rs`, `handicap.rs` | Go: chains and areas; which stones are dead; handicap points |
//!
//! Nothing here opens files or sockets: [`serve`] reads from and writes to what it is given.

mod analysis;
mod board;
mod clock;
mod commands;
mod engine;
mod handicap;
mod input;
mod life;
mod message;
mod notation;
mod stones;
mod title;

pub use engine::{Engine, Options};
pub use input::Input;

use engine::Flow;
use message::Command;
use std::io::{self, Write};

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// If a reply cannot be written.
pub fn serve(engine: &mut Engine, input: &mut Input, out: &mut dyn Write) -> io::Result<()> {
    while let Some(line) = input.next() {
        if let Some(command) = Command::read(&line)
            && engine.answer(&command, input, out)? == Flow::Quit
        {
            break;
        }
    }
    Ok(())
}
