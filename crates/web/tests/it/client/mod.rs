//! A server on a free port, and the plainest client there is.

use ludens_search::InMemory;
use ludens_web::{Options, Server};
use serde_json::Value;
use std::{
    io::{Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, TcpStream},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tungstenite::{Message, WebSocket};

pub(crate) struct Client {
    address: String,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().expect("an error").to_owned()
    }
}

impl Client {
    /// Starts a server with so many threads that search.
    pub(crate) fn start(searches: usize, results: PathBuf) -> Client {
        Client::of(options(searches, results))
    }

    /// Starts a server whose players may hold so many bytes.
    pub(crate) fn with_memory(memory: usize) -> Client {
        Client::of(Options { memory, ..options(2, PathBuf::from("no-results")) })
    }

    fn of(options: Options) -> Client {
        let server = Server::bind(options).expect("a free port");
        let url = server.url().expect("the port is known");
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        std::thread::spawn(move || server.run());
        Client { address }
    }

    /// A connection on which nothing was said yet.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request and leaves its answer to be read.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        let host = [("host", &*self.address)];
        let given = headers.iter().any(|(name, _)| *name == "host");
        let own = if given { &[][..] } else { &host[..] };
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in own.iter().chain(headers) {
            head += &format!("{name}: {value}\r\n");
        }
        // A server that refuses a large body may close before it has read everything.
        let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
        stream
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = Vec::new();
        let _ = self.send(method, path, headers, body).read_to_end(&mut text);
        let text = String::from_utf8(text).expect("answers are text");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let is_chunked = head.contains("transfer-encoding: chunked");
        Answer { status, head: head.to_owned(), body: if is_chunked { joined(body) } else { body.to_owned() } }
    }

    /// Lets a player think and leaves the news to be read.
    pub(crate) fn ask(&self, question: &Value) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        let (mut socket, _) =
            tungstenite::client(format!("ws://{}/api/think", self.address), stream).expect("a socket");
        socket.send(Message::text(question.to_string())).expect("the server hears");
        socket
    }

    /// All news about a question.
    pub(crate) fn think(&self, question: &Value) -> Vec<Value> {
        let mut socket = self.ask(question);
        let mut news = Vec::new();
        while let Ok(Message::Text(text)) = socket.read() {
            news.push(serde_json::from_str(&text).expect("news are JSON"));
        }
        news
    }

    /// The last news about a question.
    pub(crate) fn answer(&self, question: &Value) -> Value {
        self.think(question).pop().expect("news")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, &[("content-type", "application/json")], &body.to_string())
    }
}

fn options(searches: usize, results: PathBuf) -> Options {
    Options {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        searches,
        memory: 1 << 30,
        learned: Arc::new(InMemory::default()),
        experiments: results.join("no-files"),
        patience: Duration::from_secs(2),
        results,
    }
}

/// The content of a chunked body.
fn joined(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        body += &after[..length];
        rest = after[length..].trim_start_matches("\r\n");
    }
    body
}
