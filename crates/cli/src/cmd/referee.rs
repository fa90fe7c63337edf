//! `ludens referee`: matches between any players, over the network or inside.

mod keyboard;
mod show;

use crate::{
    Console, Failure,
    arguments::{self, number},
    interrupt,
};
use keyboard::Keyboard;
use ludens_catalog::{self as catalog, SHEETS};
use ludens_game::Seed;
use ludens_ggp::{
    Inside, Journal, MatchRecord, NetworkPlayer, Options, RefereeGame, Remote, Seat, Tournament, TournamentProgress,
};
use ludens_search::Spec;
use show::Show;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Run GGP matches between network players, built-in players and people
///
/// Seats change from match to match. Late, illegal and unreadable moves are replaced by random ones and counted.
/// Ctrl-C aborts the current match.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens referee gdl:nim random random --matches 3")]
pub(crate) struct Args {
    /// A .kif file, or gdl:NAME for a rulesheet that comes with Ludens
    game: String,
    /// One player per role: an address such as 127.0.0.1:9147, a spec such as uct+mast, "random" or "human"
    #[arg(required = true, num_args = 1.., value_parser = entrant)]
    players: Vec<Entrant>,
    /// Seconds to prepare
    #[arg(long, default_value_t = 10, value_parser = number(1..=86_400_u64), allow_negative_numbers = true)]
    start: u64,
    /// Seconds per step
    #[arg(long, default_value_t = 5, value_parser = number(1..=86_400_u64), allow_negative_numbers = true)]
    play: u64,
    /// Number of matches
    #[arg(long, default_value_t = 1, value_parser = number(1..=u64::MAX), allow_negative_numbers = true)]
    matches: u64,
    /// Replace the words of the rules by made-up ones
    #[arg(long)]
    scramble: bool,
    /// Folder for the match records, one JSON file each
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    /// Seed of random moves, scrambled words and built-in players
    #[arg(long, default_value_t = 1, value_parser = number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

#[derive(Clone)]
enum Entrant {
    Address(String),
    Spec(Spec),
    Random,
    Human,
}

fn entrant(text: &str) -> Result<Entrant, String> {
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    match text {
        "random" => Ok(Entrant::Random),
        "human" => Ok(Entrant::Human),
        _ if text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && is_port(port)) => {
            Ok(Entrant::Address(text.to_owned()))
        }
        _ => arguments::spec(text)
            .map(Entrant::Spec)
            .map_err(|why| format!("not random, human or an address such as 127.0.0.1:9147; {why}")),
    }
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let rules = rules(&args.game)?;
    let game = RefereeGame::open(&args.game, &rules).map_err(|error| Failure::Usage(error.to_string()))?;
    let keyboard = Arc::new(Keyboard::new(console.style));
    let seed = Seed::new(args.seed);
    let seat = |(index, entrant): (u64, &Entrant)| match entrant {
        Entrant::Random => Seat::Random,
        Entrant::Human => Seat::Contestant(keyboard.clone()),
        Entrant::Address(address) => Seat::Contestant(Arc::new(Remote::new(address))),
        Entrant::Spec(spec) => {
            let options = Options { seed: seed.named("inside").at(index), ..Options::new("inside", spec.clone()) };
            Seat::Contestant(Arc::new(Inside::new(&spec.to_string(), NetworkPlayer::new(options))))
        }
    };
    let tournament = Tournament {
        game,
        players: (0..).zip(&args.players).map(seat).collect(),
        start: args.start,
        play: args.play,
        matches: args.matches,
        scramble: args.scramble,
        seed,
        journal: Journal::new(|line| {
            // What went wrong is in the record too.
            let _ = writeln!(io::stderr(), "note: {line}");
        }),
    };
    tournament.check().map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::Usage(format!("cannot create the folder {}: {error}", folder.display())))?;
    }
    interrupt::catch();
    let mut show = Show::new(console, tournament.game.roles().to_vec());
    let mut failure = None;
    let mut watch = |progress: &TournamentProgress<'_>| {
        let written = args.records.as_deref().map_or(Ok(()), |folder| write_record(folder, progress.record));
        failure = failure.take().or(written.err()).or(show.progress(progress).err());
    };
    let standings = tournament.run(&mut watch, &interrupt::asked);
    match failure {
        Some(failure) => Err(failure),
        None => show.end(tournament.game.name(), &standings),
    }
}

/// The rules to send, which native games do not have.
pub(crate) fn rules(game: &str) -> Result<String, Failure> {
    catalog::rules(game).map(Into::into).map_err(|_| match catalog::open(game) {
        Err(unknown) => Failure::Open(unknown),
        Ok(_) => {
            let names: Vec<_> = SHEETS.iter().map(|sheet| sheet.name).collect();
            let names = names.join(", ");
            Failure::Usage(format!(
                "{game} has no rulesheet to send; give a .kif file or gdl:NAME, with NAME one of {names}"
            ))
        }
    })
}

/// Writes a record beside the old one and puts it in its place, so that nobody ever reads half of it.
fn write_record(folder: &Path, record: &MatchRecord) -> Result<(), Failure> {
    let file = folder.join(format!("{}.json", record.match_id));
    let draft = file.with_extension("draft");
    let text = serde_json::to_string(record).map_err(io::Error::from)?;
    std::fs::write(&draft, text)?;
    Ok(std::fs::rename(&draft, &file)?)
}
