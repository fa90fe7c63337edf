//! Players that misbehave, each at a socket of its own.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// What an actor does when it is asked for a move; everything else it answers properly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// Answers with this text.
    Says(&'static str),
    /// Answers after three seconds.
    Late,
    /// Never answers.
    Silent,
    /// Sends bytes that are no HTTP, and closes.
    Noise,
    /// Closes in the middle of the reply.
    Half,
    /// Sends 100 MB.
    Flood,
    /// Closes without a word.
    Hangs,
    /// Answers the first time, and is gone from then on.
    Leaves,
}

/// Starts an actor; its thread ends with the test.
pub fn actor(fault: Fault) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let Some(message) = request(&mut stream) else { continue };
            if !message.contains("PLAY") {
                answer(&mut stream, "ready");
            } else if fault == Fault::Leaves {
                answer(&mut stream, "( mark 1 1 )");
                return;
            } else {
                std::thread::spawn(move || act(fault, &mut stream));
            }
        }
    });
    address
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 65_536];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?.parse().ok()?;
            if body.len() >= length {
                return Some(body.to_owned());
            }
        }
        match stream.read(&mut chunk).ok()? {
            0 => return None,
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

fn answer(stream: &mut TcpStream, text: &str) {
    // A referee that has left does not care.
    let _ = write!(stream, "HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n{text}", text.len());
}

fn act(fault: Fault, stream: &mut TcpStream) {
    match fault {
        Fault::Says(text) => answer(stream, text),
        Fault::Late => {
            std::thread::sleep(Duration::from_secs(3));
            answer(stream, "( show 1 )");
        }
        Fault::Silent => std::thread::sleep(Duration::from_secs(60)),
        Fault::Noise => drop(stream.write_all(b"\x00\xff)))) no http here")),
        Fault::Half => drop(stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n( show")),
        Fault::Flood => {
            let chunk = vec![b'a'; 1 << 20];
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
            let _ = (0..100).try_for_each(|_| stream.write_all(&chunk));
        }
        Fault::Hangs | Fault::Leaves => {}
    }
}
