//! What the tests of this crate share: a player at a socket, and somebody who talks to it.

#![allow(dead_code, unreachable_pub)] // Every test file takes what it needs.

pub mod actor;

use ludens_catalog::SHEETS;
use ludens_ggp::{Call, CallError, Journal, NetworkPlayer, Options, Server, exchange};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A player at a socket, with everything that it noted.
pub struct Guest {
    pub server: Server,
    pub notes: Arc<Mutex<Vec<String>>>,
}

impl Guest {
    /// One that moves at random: most of what is said needs no thought.
    pub fn new() -> Guest {
        Guest::with(|options| options.spec = "random".parse().expect("a spec"))
    }

    /// One that thinks for as long as its clocks allow, or until it has a proof.
    pub fn thinking() -> Guest {
        Guest::with(|_| {})
    }

    /// One that thinks, if that is not changed.
    pub fn with(change: impl FnOnce(&mut Options)) -> Guest {
        let notes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&notes);
        let mut options = Options::new("ludens", "uct+mast@solver=on,mem=64MiB".parse().expect("a spec"));
        options.journal = Journal::new(move |line| kept.lock().unwrap().push(line.to_owned()));
        change(&mut options);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let server = Server::start(listener, Arc::new(NetworkPlayer::new(options))).expect("a thread");
        Guest { server, notes }
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The answer to a message.
    pub fn say(&self, message: &str) -> String {
        self.try_say(message).unwrap_or_else(|error| panic!("{message}: {error}"))
    }

    pub fn try_say(&self, message: &str) -> Result<String, CallError> {
        let address = self.address().to_string();
        let call = Call { address: &address, receiver: "ludens", body: message, limit: Duration::from_secs(20) };
        exchange(&call, &|| false)
    }

    /// What comes back for these bytes.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address()).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(bytes).expect("it reads");
        let mut reply = Vec::new();
        // A connection that is cut has no reply, which is what the caller sees.
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    pub fn noted(&self, part: &str) -> bool {
        self.notes.lock().unwrap().iter().any(|note| note.contains(part))
    }

    pub fn start(&self, id: &str, role: &str, rules: &str, clocks: (u32, u32)) -> String {
        self.say(&format!("( START {id} {role} ( {rules} ) {} {} )", clocks.0, clocks.1))
    }
}

/// A bundled rulesheet without its comments.
pub fn rules(name: &str) -> String {
    let sheet = SHEETS.iter().find(|sheet| sheet.name == name).expect("a bundled sheet");
    without_comments(sheet.text)
}

pub fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

/// Both roles mark a cell of three, at the same time, once; who has the higher one wins.
pub const CARDS: &str = "( role left ) ( role right ) ( init start )
    ( card 1 ) ( card 2 ) ( card 3 ) ( less 1 2 ) ( less 2 3 ) ( less 1 3 )
    ( <= ( legal ?r ( show ?c ) ) ( role ?r ) ( card ?c ) )
    ( <= ( next ( shown ?r ?c ) ) ( does ?r ( show ?c ) ) )
    ( <= terminal ( not ( true start ) ) )
    ( <= ( beats ?r ?s ) ( true ( shown ?r ?c ) ) ( true ( shown ?s ?d ) ) ( less ?d ?c ) )
    ( <= ( goal ?r 100 ) ( role ?r ) ( role ?s ) ( beats ?r ?s ) )
    ( <= ( goal ?r 0 ) ( role ?r ) ( role ?s ) ( beats ?s ?r ) )
    ( <= ( goal ?r 50 ) ( role ?r ) ( not ( decided ) ) )
    ( <= decided ( beats left right ) ) ( <= decided ( beats right left ) )";
