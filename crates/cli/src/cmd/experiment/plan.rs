//! `ludens experiment plan`.

use super::read;
use crate::{
    Console, Failure,
    arguments::number,
    campaign::{default_folder, refused, show},
    console::grouped,
    open::open_games,
};
use ludens_arena::{
    Store,
    report::{Column, Grid},
};
use serde::Serialize;
use std::path::PathBuf;

/// List the cells of an experiment with their progress, and the commands that split the work
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens experiment plan experiments/adaptation.toml --shards 4")]
pub(crate) struct Args {
    /// The experiment's file
    file: PathBuf,
    /// Folder for the records [default: results/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print the commands that run the experiment in N parts
    #[arg(long, value_name = "N", value_parser = number(1..=100_000_u64), allow_negative_numbers = true)]
    shards: Option<u64>,
}

#[derive(Serialize)]
struct Row {
    number: usize,
    cell: String,
    game: String,
    budget: String,
    players: Vec<String>,
    games: u64,
    done: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let experiment = read(&args.file, &open_games())?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&experiment.name));
    let results = Store::read(&folder).map_err(refused)?;
    let row = |(number, planned): (usize, &ludens_arena::Planned)| {
        let id = planned.cell.id(experiment.seed);
        let done = results.cells.get(&id).map_or(0, |cell| cell.games.range(..planned.games).count() as u64);
        let players = planned.cell.players.iter().map(|player| player.spec.to_string()).collect();
        let (game, budget) = (planned.cell.game.clone(), planned.cell.budget.to_string());
        Row { number, cell: id.to_string(), game, budget, players, games: planned.games, done }
    };
    let rows: Vec<Row> = experiment.cells.iter().enumerate().map(row).collect();
    if console.json {
        return console.json(&rows);
    }
    let columns = vec![
        Column::number("cell"),
        Column::text("name"),
        Column::text("game"),
        Column::text("budget"),
        Column::text("players"),
        Column::number("games"),
        Column::number("done"),
    ];
    let text = |row: &Row| {
        let (number, players) = (row.number.to_string(), row.players.join(" vs "));
        let (game, budget) = (row.game.clone(), row.budget.clone());
        vec![number, row.cell.clone(), game, budget, players, grouped(row.games), grouped(row.done)]
    };
    show(console, &Grid { columns, rows: rows.iter().map(text).collect() })?;
    let (games, done) = (rows.iter().map(|row| row.games).sum(), rows.iter().map(|row| row.done).sum());
    writeln!(console.out, "\nseed {}: {} of {} games done", experiment.seed, grouped(done), grouped(games))?;
    if let Some(shards) = args.shards {
        let file = args.file.display();
        writeln!(console.out)?;
        for index in 0..shards {
            writeln!(console.out, "ludens experiment run {file} --shard {index}/{shards}")?;
        }
        writeln!(console.out, "ludens experiment merge {file}")?;
    }
    Ok(())
}
