//! `ludens web`: the browser interface.

use crate::{Console, Failure, arguments::number, learned_store::OnDisk};
use ludens_web::{Options, Server};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Serve a web page to play games, watch searches think and browse results
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Port to listen on; 0 picks a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen on; anyone who can reach it can use this machine's processor
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Memory limit for all players together, in MiB
    #[arg(long, default_value_t = 2048, value_parser = number(64..=1_u64 << 20), allow_negative_numbers = true)]
    memory: u64,
    /// Folder with the records of experiments
    #[arg(long, default_value = "results")]
    results: PathBuf,
    /// Folder with the experiment files
    #[arg(long, default_value = "experiments")]
    experiments: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// The time for the head of a request, and for its body.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let options = Options {
        address: args.address,
        port: args.port,
        searches: std::thread::available_parallelism().map_or(1, usize::from),
        memory: (args.memory as usize) << 20,
        learned: Arc::new(OnDisk::in_cache_folder()),
        results: args.results.clone(),
        experiments: args.experiments.clone(),
        patience: PATIENCE,
    };
    let server = Server::bind(options).map_err(|error| {
        let (address, port) = (args.address, args.port);
        Failure::Usage(format!("cannot listen on {address}:{port}: {error}; choose another --port"))
    })?;
    let url = server.url()?;
    if console.json {
        console.json(&serde_json::json!({ "url": url }))?;
    } else {
        writeln!(console.out, "Ludens is at {url}  (press Ctrl-C to stop)")?;
    }
    console.out.flush()?;
    if args.open && !show(&url) {
        writeln!(console.out, "could not start a browser; open the address yourself")?;
    }
    Ok(server.run()?)
}

/// Shows an address in the user's browser; `false` if that cannot be asked for.
fn show(url: &str) -> bool {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
