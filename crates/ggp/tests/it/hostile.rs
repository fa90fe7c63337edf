//! Whatever a stranger sends, the player stays alive, says so, and keeps its match.

use crate::support::{CARDS, Guest};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn is_alive(guest: &Guest) -> bool {
    guest.say("( INFO )").contains("( name ludens )")
}

#[test]
fn malformed_requests_are_refused() {
    let guest = Guest::new();
    let refused = "HTTP/1.0 400 Bad Request\r\n";
    let long_line = format!("GET /{} HTTP/1.0\r\n\r\n", "a".repeat(20_000));
    let many_headers = format!("POST / HTTP/1.0\r\n{}\r\n\r\n", "x: y\r\n".repeat(5_000));
    for request in [
        "hello\r\n\r\n",
        "\r\n\r\n",
        "POST /\r\n\r\n",
        "POST / SMTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: -4\r\n\r\n(x)",
        "POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(PLAY m.1",
        "POST / HTTP/1.0\r\nContent-Length: 7\r\n\r\n(WHAT?)",
        "GET /%2 HTTP/1.0\r\n\r\n",
        "GET /../../etc/passwd HTTP/1.0\r\n\r\n",
        &long_line,
        &many_headers,
    ] {
        let reply = guest.raw(request.as_bytes());
        let head: String = request.chars().take(60).collect();
        assert!(reply.starts_with(refused), "{head:?}: {reply:?}");
        assert!(reply.ends_with("\r\n\r\n"), "nothing that could be taken for a move: {reply:?}");
    }
    assert!(is_alive(&guest));
    for note in guest.notes.lock().unwrap().iter() {
        assert!(note.chars().all(|c| !c.is_control()) && note.len() < 1000, "{note:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_no_danger() {
    let guest = Guest::new();
    let mut body = b"POST / HTTP/1.0\r\nContent-Length: 300\r\n\r\n(PLAY \xff\xfe\x00\x1b[2J ".to_vec();
    body.extend((0..=255_u8).cycle().take(300));
    guest.raw(&body);
    guest.raw(b"\xff\xfe\x80\r\n\r\n");
    guest.raw(b"POST / HTTP/1.0\r\nContent-Length: 22\r\n\r\n(\x1b]0;evil\x07 \x08\x08 \x1b[2J)))");
    assert!(is_alive(&guest));
    for note in guest.notes.lock().unwrap().iter() {
        assert!(note.chars().all(|c| !c.is_control()), "{note:?}");
    }
}

#[test]
fn a_truncated_request_leaves_no_trace() {
    let guest = Guest::new();
    for request in ["POST / HTTP/1.0\r\nContent-Le", "POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n( INFO", ""] {
        let mut stream = TcpStream::connect(guest.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        drop(stream);
    }
    assert!(is_alive(&guest));
}

#[test]
fn a_slow_sender_is_dropped_and_nobody_waits_for_it() {
    let guest = Guest::new();
    assert_eq!(guest.start("m.1", "left", CARDS, (1, 1)), "ready");
    let begun = Instant::now();
    let mut slow = TcpStream::connect(guest.address()).unwrap();
    std::thread::scope(|scope| {
        let drip = scope.spawn(move || {
            let text = b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n".iter().chain(std::iter::repeat(&b' '));
            for byte in text.take(1000) {
                if slow.write_all(&[*byte]).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(30));
            }
            begun.elapsed()
        });
        assert!(guest.say("( PLAY m.1 NIL )").starts_with("( show "));
        assert!(drip.join().unwrap() < Duration::from_secs(15), "it sends for 30 s if nobody ends it");
    });
    assert!(is_alive(&guest));
    assert!(guest.noted("too slow"), "{:?}", guest.notes);
}

#[test]
fn large_messages_are_refused_without_being_kept() {
    let guest = Guest::new();
    let mut stream = TcpStream::connect(guest.address()).unwrap();
    stream.write_all(b"POST / HTTP/1.0\r\n\r\n").unwrap();
    let chunk = vec![b'('; 1 << 20];
    let sent = (0..100).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!(sent < 100, "100 MB were read");
    assert!(is_alive(&guest));
}

#[test]
fn thousands_of_connections_do_not_keep_a_server_out() {
    let guest = Guest::thinking();
    assert_eq!(guest.start("m.1", "left", CARDS, (1, 2)), "ready");
    let crowd = || {
        let mut held = std::collections::VecDeque::new();
        for number in 0..250 {
            let Ok(mut stream) = TcpStream::connect(guest.address()) else { continue };
            if number % 3 == 0 {
                let _ = stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( PLAY m.1");
            }
            // A queue that overflows would only make this test slow.
            std::thread::sleep(Duration::from_millis(1));
            held.push_back(stream);
            if held.len() > 50 {
                held.pop_front();
            }
        }
        held
    };
    std::thread::scope(|scope| {
        let crowds: Vec<_> = (0..8).map(|_| scope.spawn(crowd)).collect();
        let said = (0..5).filter(|_| guest.try_say("( INFO )").is_ok_and(|reply| reply.contains("busy"))).count();
        assert!(said > 0, "nobody can get through");
        let held: Vec<_> = crowds.into_iter().map(|crowd| crowd.join().unwrap()).collect();
        assert!(held.iter().map(std::collections::VecDeque::len).sum::<usize>() > 300);
        assert!(is_alive(&guest), "with hundreds of silent connections");
        let reply = guest.say("( PLAY m.1 NIL )");
        assert!(reply.starts_with("( show "), "{reply}");
    });
    assert_eq!(guest.say("( STOP m.1 ( ( show 1 ) ( show 1 ) ) )"), "done");
}
