//! What servers and players write on the wire, to the letter, in both directions.

use crate::support::{Guest, rules};
use ludens_ggp::{Call, Message, exchange, spaced};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

fn moves(list: &[&str]) -> Option<Vec<String>> {
    Some(list.iter().map(|&mv| mv.to_owned()).collect())
}

fn play(id: &str, list: Option<Vec<String>>) -> Message {
    Message::Play { id: id.into(), moves: list }
}

#[test]
fn every_style_is_read() {
    let start = Message::Start {
        id: "m.1".into(),
        role: "xplayer".into(),
        rules: "( role xplayer ) ( init ( cell 1 b ) )".into(),
        start: 30,
        play: 10,
    };
    for (text, message) in [
        // ggp-base and Tiltyard.
        ("( INFO )", Message::Info),
        ("( START m.1 xplayer ( ( role xplayer ) ( init ( cell 1 b ) ) ) 30 10 )", start.clone()),
        ("( PLAY m.1 NIL )", play("m.1", None)),
        ("( PLAY m.1 ( ( mark 1 1 ) noop ) )", play("m.1", moves(&["(mark 1 1)", "noop"]))),
        ("( STOP m.1 NIL )", Message::Stop { id: "m.1".into(), moves: None }),
        (
            "( STOP m.1 ( noop ( mark 2 2 ) ) )",
            Message::Stop { id: "m.1".into(), moves: moves(&["noop", "(mark 2 2)"]) },
        ),
        ("( ABORT m.1 )", Message::Abort { id: "m.1".into() }),
        ("( PREVIEW ( ( role x ) ) 10 )", Message::Preview { rules: "( role x )".into(), clock: 10 }),
        // The Dresden GameController: tight, and in capitals but for the name of the match.
        ("(PLAY Match.7a ((MARK 1 1) NOOP))", play("Match.7a", moves(&["(MARK 1 1)", "NOOP"]))),
        ("(STOP Match.7a NIL)", Message::Stop { id: "Match.7a".into(), moves: None }),
        // Others.
        ("", Message::Info),
        ("  \r\n", Message::Info),
        ("()", Message::Info),
        ("ping", Message::Info),
        ("(ping)", Message::Info),
        ("(info)", Message::Info),
        ("\t(play\r\n m.1\t( (mark(f 1)1)noop ) )trailing ) text (", play("m.1", moves(&["(mark (f 1) 1)", "noop"]))),
        ("(play m.1 nothing)", play("m.1", None)),
        ("(play m.1 ())", play("m.1", moves(&[]))),
        ("(start m.1 xplayer (( role xplayer ) ( init ( cell 1 b ) )) 30 10 more (of it))", start),
        (
            "(start m x () 1 99999999999)",
            Message::Start { id: "m".into(), role: "x".into(), rules: String::new(), start: 1, play: 86_400 },
        ),
    ] {
        assert_eq!(Message::read(text), Ok(message), "{text:?}");
    }
}

#[test]
fn what_is_no_message_has_a_reason() {
    for (text, reason) in [
        ("(hello world)", "unknown message \"hello\"; messages: INFO"),
        ("((play) x)", "unknown message \"(\""),
        ("(play m.1", "never closed"),
        (")", "has no opening one"),
        ("(play m.1)", "PLAY must be (PLAY id NIL)"),
        ("(play (m 1) nil)", "PLAY must be"),
        ("(play m.1 nil nil)", "PLAY must be"),
        ("(start m x rules 1 1)", "START must be"),
        ("(start m x () 1)", "START must be"),
        ("(start m x () -1 1)", "START must be"),
        ("(start m x () 1.5 1)", "START must be"),
        ("(stop m)", "STOP must be"),
        ("(abort)", "ABORT must be"),
        ("(preview x 1)", "PREVIEW must be"),
    ] {
        let error = Message::read(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text:?}: {error}");
    }
    assert!(Message::read(&"(".repeat(1_000_000)).unwrap_err().to_string().contains("nested"));
}

#[test]
fn messages_are_written_as_ggp_base_does() {
    let id = || "m.1".to_owned();
    for (message, text) in [
        (Message::Info, "( INFO )"),
        (
            Message::Start {
                id: id(),
                role: "x".into(),
                rules: "(role x)(init(cell 1 b))".into(),
                start: 30,
                play: 10,
            },
            "( START m.1 x ( ( role x ) ( init ( cell 1 b ) ) ) 30 10 )",
        ),
        (play("m.1", None), "( PLAY m.1 NIL )"),
        (play("m.1", moves(&["(mark 1 1)", "noop"])), "( PLAY m.1 ( ( mark 1 1 ) noop ) )"),
        (Message::Stop { id: id(), moves: None }, "( STOP m.1 NIL )"),
        (Message::Abort { id: id() }, "( ABORT m.1 )"),
    ] {
        assert_eq!(message.to_string(), text);
        if !matches!(message, Message::Start { .. }) {
            assert_eq!(Message::read(text), Ok(message));
        }
    }
    assert_eq!(spaced("(mark(f 1)  1)"), "( mark ( f 1 ) 1 )");
}

#[test]
fn a_request_has_the_headers_of_ggp_base_in_their_order() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let player = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = vec![0; 4096];
        let mut length = 0;
        while !bytes[..length].ends_with(b"NIL )") {
            length += stream.read(&mut bytes[length..]).unwrap();
        }
        // The manager looks at nothing but the length, whatever its case.
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nCONTENT-LENGTH: 16\r\n\r\n  ( mark 1 1 )  and more").unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    });
    let limit = Duration::from_secs(10);
    let call = Call { address: &address, receiver: "LUDENS", body: "( PLAY m.1 NIL )", limit };
    assert_eq!(exchange(&call, &|| false).unwrap(), "( mark 1 1 )");
    assert_eq!(
        player.join().unwrap(),
        format!(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address}\r\nSender: GAMESERVER\r\nReceiver: LUDENS\r\n\
             Content-Type: text/acl\r\nContent-Length: 16\r\n\r\n( PLAY m.1 NIL )"
        )
    );
}

const CORS: &str = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
                    Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\nConnection: close";
const AVAILABLE: &str = "( ( name ludens ) ( status available ) ( species computer ) )";

/// The whole reply to a request that asks for INFO in some way.
fn available() -> String {
    let head = format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}", AVAILABLE.len());
    format!("{head}\r\n{CORS}\r\n\r\n{AVAILABLE}")
}

#[test]
fn requests_of_every_server_are_answered_to_the_letter() {
    let guest = Guest::new();
    for request in [
        // ggp-base.
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: \r\n\
         Content-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )",
        // Dresden: no Host, another capitalisation, no blanks.
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: localhost\r\n\
         Content-type: text/acl\r\nContent-length: 6\r\n\r\n(INFO)",
        // Tiltyard: more headers; and its pings without a body.
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost:9147\r\nSender: GAMESERVER\r\nReceiver: PLAYER\r\n\
         GGP-Match-Host: Tiltyard\r\nGGP-Match-Step: 1\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )",
        "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n",
        // The newest Stanford notes, in HTTP/1.1, on a path, with bare line feeds and a body that goes on.
        "POST /player/7 HTTP/1.1\nHost: localhost\nContent-Length: 4\n\npingpong",
        // By GET.
        "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /(+info+) HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ] {
        assert_eq!(guest.raw(request.as_bytes()), available(), "{request}");
    }
    let nothing = format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 0\r\n{CORS}\r\n\r\n");
    for request in ["OPTIONS * HTTP/1.1\r\nOrigin: http://localhost\r\n\r\n", "HEAD / HTTP/1.0\r\n\r\n"] {
        assert_eq!(guest.raw(request.as_bytes()), nothing, "{request}");
    }
}

#[test]
fn a_dresden_server_gets_capitals_back() {
    let guest = Guest::new();
    let capitals = rules("tictactoe").to_uppercase();
    let role = capitals.split("(ROLE ").nth(1).unwrap().split(')').next().unwrap().to_owned();
    assert_eq!(guest.say(&format!("(START Match.7a {role} ({capitals}) 1 1)")), "ready");
    let mv = guest.say("(PLAY Match.7a NIL)");
    assert_eq!(mv, mv.to_uppercase());
    assert!(mv.starts_with("( "), "{mv}");
    assert_eq!(guest.say("(PLAY match.7a NIL)"), "busy", "the case of a match's name matters");
    assert_eq!(guest.say("(STOP Match.7a NIL)"), "done");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[()a-cPLAYSTORNIB 0-9;\\n]{0,60}") {
        if let Ok(message) = Message::read(&text) {
            let written = message.to_string();
            let again = Message::read(&written).expect("what is written can be read");
            proptest::prop_assert_eq!(again.to_string(), written);
        }
    }

    #[test]
    fn what_is_written_is_read_as_it_was(id in "[a-z0-9._]{1,12}", names in proptest::collection::vec("[a-z]{1,6}", 0..5)) {
        let moves = Some(names.iter().map(|name| format!("({name} (f 1) {name})")).collect());
        for message in [Message::Play { id: id.clone(), moves: moves.clone() }, Message::Stop { id, moves }] {
            proptest::prop_assert_eq!(Message::read(&message.to_string()), Ok(message));
        }
    }
}
