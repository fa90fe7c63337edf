//! Just as much HTTP as the protocol needs: one request and one reply per connection, within limits of size and time.

use ludens_gdl::source::{self, NotText};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The head of a request or reply may have so many bytes.
pub(crate) const MAX_HEAD: usize = 16 << 10;

/// A message to a player may have so many bytes; the longest rules that people wrote have less than 70,000.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// A reply may have so many bytes; replies are moves.
pub const MAX_REPLY: usize = 1 << 16;

/// How long it may take to reach a player; clocks begin afterwards.
const CONNECT: Duration = Duration::from_secs(5);

/// Whoever waits looks up this often.
const LOOK: Duration = Duration::from_millis(100);

/// Why there is no message.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("the sender was too slow")]
    Slow,
    #[error("the connection closed in the middle of a message")]
    Cut,
    #[error("{0} has more than {1} bytes")]
    TooLong(&'static str, usize),
    #[error("malformed request: {0}")]
    Malformed(&'static str),
    #[error("malformed request: {0}")]
    NotText(#[from] NotText),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("given up")]
    Stopped,
}

/// A request of a game server.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// A message, by POST or by GET.
    Message(String),
    /// Anything else, which gets an empty reply.
    Other,
}

/// The bytes of one side of a conversation, read with a deadline.
struct Source<'s> {
    stream: &'s mut dyn Timed,
    bytes: Vec<u8>,
    deadline: Instant,
    stop: &'s dyn Fn() -> bool,
}

/// A stream whose reads can be made to end.
trait Timed: Read {
    fn set_timeout(&self, time: Duration) -> io::Result<()>;
}

impl Timed for TcpStream {
    fn set_timeout(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))
    }
}

impl Source<'_> {
    /// Reads what there is; `false` at the end of the stream.
    fn read(&mut self) -> Result<bool, HttpError> {
        let mut chunk = [0; 8192];
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(HttpError::Slow);
            }
            if (self.stop)() {
                return Err(HttpError::Stopped);
            }
            self.stream.set_timeout(left.min(LOOK))?;
            match self.stream.read(&mut chunk) {
                Ok(count) => {
                    self.bytes.extend_from_slice(&chunk[..count]);
                    return Ok(count > 0);
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
    }

    /// Reads the head; returns it and leaves what follows.
    fn head(&mut self) -> Result<String, HttpError> {
        loop {
            if let Some((end, next)) = end_of_head(&self.bytes) {
                let head = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
                self.bytes.drain(..next);
                return Ok(head);
            }
            if self.bytes.len() > MAX_HEAD {
                return Err(HttpError::TooLong("the head", MAX_HEAD));
            }
            if !self.read()? {
                return Err(HttpError::Cut);
            }
        }
    }

    /// Reads a body of a known length, or up to the end of the stream.
    fn body(&mut self, length: Option<usize>, limit: usize) -> Result<String, HttpError> {
        let wanted = length.unwrap_or(usize::MAX);
        if length.is_some_and(|length| length > limit) {
            return Err(HttpError::TooLong("the body", limit));
        }
        while self.bytes.len() < wanted {
            if self.bytes.len() > limit {
                return Err(HttpError::TooLong("the body", limit));
            }
            if !self.read()? {
                match length {
                    Some(_) => return Err(HttpError::Cut),
                    None => break,
                }
            }
        }
        self.bytes.truncate(wanted);
        Ok(source::text(std::mem::take(&mut self.bytes))?)
    }
}

/// Where the head ends, and where what follows begins. Lines end with LF, with or without CR.
fn end_of_head(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut line = 0;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        if matches!(&bytes[line..at], b"" | b"\r") {
            return Some((line, at + 1));
        }
        line = at + 1;
    }
    None
}

/// The value of a header, whatever its case.
fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let pairs = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    pairs.into_iter().find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn content_length(head: &str) -> Result<Option<usize>, HttpError> {
    let parse = |value: &str| value.parse().map_err(|_| HttpError::Malformed("the content length is not a number"));
    header(head, "content-length").map(parse).transpose()
}

/// Reads a request that must be complete by the deadline.
pub(crate) fn read_request(stream: &mut TcpStream, deadline: Instant) -> Result<Request, HttpError> {
    let mut source = Source { stream, bytes: Vec::new(), deadline, stop: &|| false };
    let head = source.head()?;
    let mut words = head.lines().next().unwrap_or_default().split(' ').filter(|word| !word.is_empty());
    let (Some(verb), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Err(HttpError::Malformed("the first line is not VERB TARGET VERSION"));
    };
    if !version.starts_with("HTTP/1.") {
        return Err(HttpError::Malformed("the first line does not name HTTP/1"));
    }
    match verb {
        "GET" => Ok(Request::Message(decoded(target.strip_prefix('/').unwrap_or(target))?)),
        "POST" if header(&head, "transfer-encoding").is_some() => {
            Err(HttpError::Malformed("a chunked body needs a content length"))
        }
        "POST" => Ok(Request::Message(source.body(content_length(&head)?, MAX_BODY)?)),
        _ => Ok(Request::Other),
    }
}

/// A text whose odd characters were written as `%` and two digits, and blanks also as `+`.
fn decoded(escaped: &str) -> Result<String, HttpError> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
                let (Some(high), Some(low)) = (digit(), digit()) else {
                    return Err(HttpError::Malformed("a % must be followed by two digits"));
                };
                (16 * high + low) as u8
            }
            other => other,
        });
    }
    Ok(source::text(bytes)?)
}

/// The reply with a status and a body, as ggp-base's player writes it.
pub(crate) fn reply(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\nAccess-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type\r\n\
         Access-Control-Allow-Age: 86400\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// A message to a player.
pub struct Call<'c> {
    /// `host:port`.
    pub address: &'c str,
    /// What the player is called.
    pub receiver: &'c str,
    /// The message.
    pub body: &'c str,
    /// How long the answer may take once the player has been reached.
    pub limit: Duration,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It did not come in time.
    #[error("no answer in time")]
    Late,
    /// It is longer than any move.
    #[error("the answer has more than {MAX_REPLY} bytes")]
    TooLong,
    /// The player could not be reached, or went away.
    #[error("{0}")]
    Connection(String),
}

/// Sends a message and waits for the answer, until `stop` says that nobody needs it.
///
/// As with ggp-base the status of the reply does not matter, only its body.
///
/// # Errors
/// Why there is no answer.
pub fn exchange(call: &Call<'_>, stop: &dyn Fn() -> bool) -> Result<String, CallError> {
    let failed = |error: io::Error| CallError::Connection(error.to_string());
    let mut stream = connect(call.address).map_err(failed)?;
    let deadline = Instant::now() + call.limit;
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {}\r\nSender: GAMESERVER\r\nReceiver: {}\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{}",
        call.address,
        call.receiver,
        call.body.len(),
        call.body
    );
    stream.set_write_timeout(Some(call.limit.max(LOOK))).map_err(failed)?;
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut source = Source { stream: &mut stream, bytes: Vec::new(), deadline, stop };
    let read = source.head().and_then(|head| source.body(content_length(&head)?, MAX_REPLY));
    match read {
        Ok(body) => Ok(body.trim().to_owned()),
        Err(HttpError::Slow) => Err(CallError::Late),
        Err(HttpError::TooLong(..)) => Err(CallError::TooLong),
        Err(other) => Err(CallError::Connection(other.to_string())),
    }
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the address has no host");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Canned(io::Cursor<Vec<u8>>);

    impl Read for Canned {
        /// A few bytes at a time, as networks like to do.
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let few = out.len().min(7);
            self.0.read(&mut out[..few])
        }
    }

    impl Timed for Canned {
        fn set_timeout(&self, _: Duration) -> io::Result<()> {
            Ok(())
        }
    }

    fn message(text: &str) -> Result<String, String> {
        let mut canned = Canned(io::Cursor::new(text.as_bytes().to_vec()));
        let deadline = Instant::now() + Duration::from_secs(5);
        let mut source = Source { stream: &mut canned, bytes: Vec::new(), deadline, stop: &|| false };
        let head = source.head().map_err(|error| error.to_string())?;
        let length = content_length(&head).map_err(|error| error.to_string())?;
        source.body(length, 100).map_err(|error| error.to_string())
    }

    #[test]
    fn bodies_end_where_they_should() {
        assert_eq!(message("POST / HTTP/1.0\r\nCONTENT-length:  4 \r\n\r\nabcdefg"), Ok("abcd".into()));
        assert_eq!(message("POST / HTTP/1.0\nContent-Length: 0\n\nabc"), Ok(String::new()));
        assert_eq!(message("POST / HTTP/1.0\r\n\r\nall of it"), Ok("all of it".into()));
        assert_eq!(message("POST / HTTP/1.0\r\n\r\n"), Ok(String::new()));
    }

    #[test]
    fn bad_messages_have_reasons() {
        let error = |text: &str| message(text).unwrap_err();
        assert!(error("POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\nabc").contains("in the middle"));
        assert!(error("POST / HTTP/1.0\r\nConte").contains("in the middle"));
        assert!(error("x\r\nContent-Length: -1\r\n\r\n").contains("not a number"));
        assert!(error("x\r\nContent-Length: 101\r\n\r\n").contains("more than 100"));
        assert!(error(&format!("x\r\n\r\n{}", "y".repeat(200))).contains("more than 100"));
        assert!(error(&"y".repeat(MAX_HEAD + 100)).contains("the head"));
    }

    #[test]
    fn messages_in_a_path_are_decoded() {
        assert_eq!(decoded("%28%20INFO+%29").unwrap(), "( INFO )");
        assert!(decoded("%2").is_err() && decoded("%zz").is_err());
    }
}
