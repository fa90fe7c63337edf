//! `ludens web` from the shell: it says where it is, answers there, and refuses a port that is taken.

use crate::ludens::{command, document::missing_links, ludens};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A server that ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_page_is_where_the_command_says() {
    let mut child = command(&["web", "--port", "0", "--json"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output is a pipe");
    let _served = Served(child);
    BufReader::new(out).read_line(&mut line).expect("it says where it is");
    let told: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let url = told["url"].as_str().expect("an address");
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").expect("it hears");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("it answers");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Ludens</title>"), "{page}");

    let port = address.rsplit(':').next().expect("a port");
    let again = ludens(&["web", "--port", port], "");
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.err.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{}", again.err);
    assert_eq!(ludens(&["web", "--port", "many"], "").code, Some(2));
    let little = ludens(&["web", "--memory", "1"], "");
    assert!(little.code == Some(2) && little.err.contains("give 64 to 1048576"), "{little:?}");
}

#[test]
fn every_picture_of_the_page_is_there() {
    assert_eq!(missing_links("docs/web.md"), Vec::<std::path::PathBuf>::new());
}
