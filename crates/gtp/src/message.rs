//! A command line and its reply, as the protocol has them.

use std::io::{self, Write};

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// The controller's number for it, which the reply repeats.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) args: Vec<String>,
}

impl Command {
    /// Reads a line. Control characters and comments do not count; `None` if nothing else is there.
    pub(crate) fn read(line: &str) -> Option<Command> {
        let text = line.split('#').next().unwrap_or_default().replace('\t', " ");
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let mut words = text.split_whitespace().map(str::to_owned).peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        if id.is_empty() && words.peek().is_none() {
            return None;
        }
        let name = words.next().unwrap_or_default();
        Some(Command { id, name, args: words.collect() })
    }
}

/// The answer to a command, or why there is none.
pub(crate) type Reply = Result<String, String>;

/// Writes a reply. It ends with an empty line, so it has none inside.
pub(crate) fn write_reply(out: &mut dyn Write, id: &str, reply: &Reply) -> io::Result<()> {
    let (sign, text) = match reply {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    let blank = if text.is_empty() { "" } else { " " };
    // The picture of a board begins on a line of its own.
    let first = if reply.as_ref().is_ok_and(|text| text.starts_with('\n')) { "\n" } else { "" };
    write!(out, "{sign}{id}{blank}{first}{text}\n\n")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(String, String, Vec<String>)> {
        Command::read(line).map(|command| (command.id, command.name, command.args))
    }

    #[test]
    fn commands_are_read() {
        let parts = |id: &str, name: &str, args: &[&str]| {
            Some((id.to_owned(), name.to_owned(), args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>()))
        };
        assert_eq!(read("play b D4"), parts("", "play", &["b", "D4"]));
        assert_eq!(read(" 12 \tplay\tw  pass # a comment"), parts("12", "play", &["w", "pass"]));
        assert_eq!(read("na\u{7}me\r"), parts("", "name", &[]));
        assert_eq!(read("7"), parts("7", "", &[]));
        for nothing in ["", "  ", "# only a comment", "\r", "\u{1}\u{2}"] {
            assert_eq!(read(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn replies_are_written() {
        let written = |id: &str, reply: Reply| {
            let mut out = Vec::new();
            write_reply(&mut out, id, &reply).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("", Ok(String::new())), "=\n\n");
        assert_eq!(written("3", Ok("D4".into())), "=3 D4\n\n");
        assert_eq!(written("3", Err("unknown command".into())), "?3 unknown command\n\n");
        assert_eq!(written("", Ok("a\n\nb".into())), "= a\nb\n\n");
        assert_eq!(written("", Ok("\n 1 2\n".into())), "= \n 1 2\n\n");
    }
}
