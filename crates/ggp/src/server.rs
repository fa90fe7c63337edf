//! [`Server`]: connections to a player, on plain threads.
//!
//! A connection has little time to say what it wants. When too many are about to, the one that has been at it for the
//! longest is closed, so that silent connections cannot keep out a server that speaks.

use crate::http::{self, HttpError, Request};
use crate::player::NetworkPlayer;
use ludens_search::isolate;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A request must be complete after this time.
const REQUEST_TIME: Duration = Duration::from_secs(5);

/// A reply must be taken within this time.
const REPLY_TIME: Duration = Duration::from_secs(2);

/// How long, and how many bytes, the other side may go on sending what nobody reads.
const LINGER: Duration = Duration::from_millis(200);
const MAX_IGNORED: usize = 1 << 16;

/// Connections that are still sending, and connections of any kind.
const MAX_SENDING: usize = 128;
const MAX_CONNECTIONS: usize = 256;

/// A player at an address. It serves until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    player: Arc<NetworkPlayer>,
    is_closing: AtomicBool,
    connections: AtomicUsize,
    /// The connections that are still sending, the oldest first.
    sending: Mutex<VecDeque<(u64, TcpStream)>>,
}

impl Server {
    /// Serves a player at a socket.
    ///
    /// # Errors
    /// If the socket has no address or there is no thread.
    pub fn start(listener: TcpListener, player: Arc<NetworkPlayer>) -> io::Result<Server> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            player,
            is_closing: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
            sending: Mutex::new(VecDeque::new()),
        });
        let accepting = Arc::clone(&shared);
        let thread = thread::Builder::new().name("server".into()).spawn(move || accept(&listener, &accepting))?;
        Ok(Server { address, shared, thread: Some(thread) })
    }

    /// Where it can be reached.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Release);
        // The thread waits for a connection; this is one.
        let woken = TcpStream::connect_timeout(&self.address, REPLY_TIME).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| woken) {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for number in 0.. {
        let accepted = listener.accept();
        if shared.is_closing.load(Ordering::Acquire) {
            return;
        }
        match accepted {
            Ok((stream, _)) => shared.admit(number, stream),
            // No file handle is left, for example: others will be given back.
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

impl Shared {
    /// Gives a connection a thread, unless there are too many.
    fn admit(self: &Arc<Shared>, number: u64, stream: TcpStream) {
        let received = Instant::now();
        let Ok(twin) = stream.try_clone() else { return };
        if self.connections.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
            self.connections.fetch_sub(1, Ordering::AcqRel);
            return;
        }
        {
            let mut sending = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
            sending.push_back((number, twin));
            if sending.len() > MAX_SENDING
                && let Some((_, oldest)) = sending.pop_front()
            {
                let _ = oldest.shutdown(Shutdown::Both);
            }
        }
        let shared = Arc::clone(self);
        let spawned = thread::Builder::new().name("connection".into()).spawn(move || {
            if let Err(panicked) = isolate(|| shared.serve(number, stream, received)) {
                shared.player.journal().note(format_args!("a request caused a panic: {panicked}"));
            }
            shared.connections.fetch_sub(1, Ordering::AcqRel);
        });
        if spawned.is_err() {
            self.has_sent(number);
            self.connections.fetch_sub(1, Ordering::AcqRel);
        }
    }

    fn has_sent(&self, number: u64) {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner).retain(|(other, _)| *other != number);
    }

    fn serve(&self, number: u64, mut stream: TcpStream, received: Instant) {
        // A reply is one small packet that somebody waits for.
        let _ = stream.set_nodelay(true);
        let request = http::read_request(&mut stream, received + REQUEST_TIME);
        self.has_sent(number);
        let note = |what: &dyn std::fmt::Display| self.player.journal().note(format_args!("refused: {what}"));
        let (status, body) = match request {
            Ok(Request::Other) => ("200 OK", String::new()),
            Ok(Request::Message(text)) => match self.player.answer(&text, received) {
                Ok(body) => ("200 OK", body),
                Err(error) => {
                    note(&error);
                    ("400 Bad Request", String::new())
                }
            },
            // Who opens a connection and says nothing has changed their thread.
            Err(HttpError::Cut | HttpError::Io(_)) => return,
            Err(error) => {
                note(&error);
                ("400 Bad Request", String::new())
            }
        };
        let _ = send(&mut stream, &http::reply(status, &body));
    }
}

/// Sends a reply, and waits a little until the other side has it: closing earlier could take it back.
fn send(stream: &mut TcpStream, reply: &str) -> io::Result<()> {
    stream.set_write_timeout(Some(REPLY_TIME))?;
    stream.write_all(reply.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(LINGER))?;
    let (end, mut ignored, mut rest) = (Instant::now() + LINGER, 0, [0; 8192]);
    while Instant::now() < end && ignored < MAX_IGNORED {
        match stream.read(&mut rest)? {
            0 => break,
            count => ignored += count,
        }
    }
    Ok(())
}
