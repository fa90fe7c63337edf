//! Writes the journals of an experiment that nobody has played: as many records as one likes, to measure what merging them takes.
//!
//!     cargo run --release -p ludens-arena --example many_records -- FOLDER JOURNALS GAMES

use ludens_arena::{CellRecord, End, GameRecord, JournalLine, OpenGames, Session, Shard, load};
use ludens_game::Seed;
use std::io::{BufWriter, Write as _};

/// Cells of the experiment: ten budgets for each of two games.
const CELLS: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, journals, games] = &args[..] else { return Err("give FOLDER JOURNALS GAMES".into()) };
    let (journals, games): (u64, u64) = (journals.parse()?, games.parse()?);
    let per_cell = (journals * games).div_ceil(CELLS);
    let budgets: Vec<String> = (1..=CELLS / 2).map(|n| format!("\"sims={}\"", n * 100)).collect();
    let text = format!(
        "name = \"many\"\ngames = [\"breakthrough:8\", \"nogo:8\"]\nbudgets = [{}]\ngames-per-cell = {per_cell}\n\n[players]\nppa = \
         \"uct+ppa\"\nuct = \"uct\"\n",
        budgets.join(", ")
    );
    std::fs::create_dir_all(folder)?;
    std::fs::write(format!("{folder}/experiment.toml"), &text)?;
    let experiment = load("experiment.toml", &text, &OpenGames::default())?;
    let cells: Vec<CellRecord> = (experiment.cells.iter())
        .map(|planned| {
            let cell = (*planned.cell).clone();
            CellRecord { id: cell.id(experiment.seed), seed: experiment.seed, cell }
        })
        .collect();
    let mut rng = Seed::new(1).rng();
    for index in 0..journals {
        let shard = Shard { index, count: journals };
        let mut out = BufWriter::new(std::fs::File::create(format!("{folder}/{}", shard.file_name()))?);
        let mut write = |line: &JournalLine| -> std::io::Result<()> {
            serde_json::to_writer(&mut out, line)?;
            writeln!(out)
        };
        write(&JournalLine::Session(Session::now(&experiment.name, shard)))?;
        for cell in &cells {
            write(&JournalLine::Cell(cell.clone()))?;
        }
        for game in (0..journals * games).filter(|game| game % journals == index) {
            let (cell, number) = (&cells[(game / per_cell) as usize], game % per_cell);
            let won = f64::from(rng.below(2));
            let steps = 30 + rng.below(40);
            let name = |_| {
                format!("{}{}-{}{}", letter(rng.below(8)), 1 + rng.below(8), letter(rng.below(8)), 1 + rng.below(8))
            };
            let moves: Vec<String> = (0..steps).map(name).collect();
            write(&JournalLine::Game(GameRecord {
                cell: cell.id,
                index: number,
                seed: cell.cell.seed(experiment.seed).at(number).value(),
                seats: if number % 2 == 0 { vec![0, 1] } else { vec![1, 0] },
                scores: vec![won, 1.0 - won],
                end: End::Terminal,
                steps: u64::from(steps),
                simulations: vec![10_000, 10_000],
                ms: vec![103.25, 98.125],
                in_lanes: false,
                moves,
            }))?;
        }
    }
    Ok(())
}

fn letter(file: u32) -> char {
    char::from(b'a' + file as u8)
}
