//! `ludens player`: sits at a socket and plays whatever match a game server begins.

use crate::{
    Console, Failure,
    arguments::{self, number},
    interrupt,
};
use ludens_game::Seed;
use ludens_ggp::{Journal, NetworkPlayer, Options, Server};
use ludens_search::{DEFAULT_PLAYER, Spec};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{IpAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Play GGP matches over the network when a game server calls
///
/// The player listens until Ctrl-C. It logs to standard error, or to a file.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Port to listen on; 0 picks a free one
    #[arg(long, default_value_t = 9147, value_parser = number(0..=u16::MAX), allow_negative_numbers = true)]
    port: u16,
    /// Address to listen on; 0.0.0.0 admits other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The player: a spec such as "uct+ppa" or a preset such as ppa2015/ppa
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_PLAYER, value_parser = arguments::spec)]
    player: Spec,
    /// The name shown to servers
    #[arg(long, default_value = "Ludens")]
    name: String,
    /// Search threads [default: as in the spec]
    #[arg(long, value_parser = number(1..=256_usize), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Memory for the tree, such as 512MiB [default: as in the spec]
    #[arg(long, value_name = "SIZE")]
    mem: Option<String>,
    /// File to append the log to
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Seed of all matches
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Serialize)]
struct Greeting {
    address: String,
    name: String,
    player: String,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let spec = spec(args)?;
    let greeting = |address: String| Greeting { address, name: args.name.clone(), player: spec.to_string() };
    let journal = journal(args.log.as_deref())?;
    let options = Options { seed: Seed::new(args.seed), journal, ..Options::new(&args.name, spec.clone()) };
    let listener = TcpListener::bind((args.host, args.port)).map_err(|error| {
        Failure::Usage(format!("cannot listen on {}:{}: {error}; choose another --port", args.host, args.port))
    })?;
    interrupt::catch();
    let server = Server::start(listener, Arc::new(NetworkPlayer::new(options)))?;
    let greeting = greeting(server.address().to_string());
    if console.json {
        console.json(&greeting)?;
    } else {
        let Greeting { address, name, player } = &greeting;
        writeln!(console.out, "{name} listens on {address} and plays {player}. Press Ctrl-C to stop.")?;
    }
    console.out.flush()?;
    while !interrupt::asked() {
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// The spec with the settings that have options of their own.
fn spec(args: &Args) -> Result<Spec, Failure> {
    let mut text = args.player.to_string();
    if let Some(threads) = args.threads {
        text.push_str(&format!("@threads={threads}"));
    }
    if let Some(mem) = &args.mem {
        text.push_str(&format!("@mem={mem}"));
    }
    arguments::spec(&text).map_err(Failure::Usage)
}

/// Lines with the seconds since the program began.
fn journal(log: Option<&Path>) -> Result<Journal, Failure> {
    let out: Box<dyn Write + Send> = match log {
        None => Box::new(io::stderr()),
        Some(path) => Box::new(
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .map_err(|error| Failure::Usage(format!("cannot write the log {}: {error}", path.display())))?,
        ),
    };
    let (out, begun) = (Mutex::new(out), Instant::now());
    Ok(Journal::new(move |line| {
        if let Ok(mut out) = out.lock() {
            // A log that cannot be written is no reason to lose a match.
            let _ = writeln!(out, "{:9.3} {line}", begun.elapsed().as_secs_f64());
        }
    }))
}
