//! What each command does. A new one is a function and a line in [`COMMANDS`].

use crate::{
    analysis::Dialect,
    board::{Board, Play},
    clock::TimeSettings,
    engine::Engine,
    handicap,
    life::dead_chains,
    message::Reply,
    stones::Stones,
    title,
};
use ludens_catalog::{self as catalog, quoted};
use ludens_game::{Charset, Role, Style};
use ludens_games::go;
use std::{ops::ControlFlow, time::Duration};

type Run = fn(&mut Engine, &[String]) -> Reply;

/// All commands that answer at once, in the order of `list_commands`.
const COMMANDS: &[(&str, Run)] = &[
    ("protocol_version", |_, _| Ok("2".into())),
    ("name", |_, _| Ok("Ludens".into())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
    ("known_command", known_command),
    ("list_commands", list_commands),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("komi", komi),
    ("play", play),
    ("genmove", genmove),
    ("reg_genmove", reg_genmove),
    ("undo", |engine, _| engine.board.undo().map(|()| String::new())),
    ("time_settings", time_settings),
    ("kgs-time_settings", kgs_time_settings),
    ("time_left", time_left),
    ("final_score", final_score),
    ("showboard", showboard),
    ("hguicoords", |_, _| Ok(String::new())),
];

/// Those that make sense in Go only.
const GO_COMMANDS: &[(&str, Run)] = &[
    ("final_status_list", final_status_list),
    ("kgs-genmove_cleanup", genmove_cleanup),
    ("fixed_handicap", fixed_handicap),
    ("place_free_handicap", fixed_handicap),
    ("set_free_handicap", set_free_handicap),
];

/// Those that think aloud, and whether they play in the end.
const STREAMING: &[(&str, Dialect, bool)] = &[
    ("lz-analyze", Dialect::Leela, false),
    ("kata-analyze", Dialect::Kata, false),
    ("lz-genmove_analyze", Dialect::Leela, true),
    ("kata-genmove_analyze", Dialect::Kata, true),
];

/// Runs a command.
pub(crate) fn run(engine: &mut Engine, name: &str, args: &[String]) -> Reply {
    let found = COMMANDS.iter().chain(go_commands(engine)).find(|(known, _)| *known == name);
    let (_, run) = found.ok_or("unknown command")?;
    run(engine, args)
}

/// How a command thinks aloud, if it does.
pub(crate) fn streaming(name: &str) -> Option<(Dialect, bool)> {
    STREAMING.iter().find(|(known, ..)| *known == name).map(|&(_, dialect, plays)| (dialect, plays))
}

fn is_go(engine: &Engine) -> bool {
    engine.board.game.name().starts_with("go:")
}

fn go_commands(engine: &Engine) -> &'static [(&'static str, Run)] {
    if is_go(engine) { GO_COMMANDS } else { &[] }
}

/// The names of all commands.
fn names(engine: &Engine) -> Vec<&'static str> {
    let plain = COMMANDS.iter().chain(go_commands(engine)).map(|(name, _)| *name);
    plain.chain(STREAMING.iter().map(|(name, ..)| *name)).chain(["quit"]).collect()
}

fn known_command(engine: &mut Engine, args: &[String]) -> Reply {
    let known = args.first().is_some_and(|name| names(engine).contains(&name.as_str()));
    Ok(known.to_string())
}

fn list_commands(engine: &mut Engine, _: &[String]) -> Reply {
    Ok(names(engine).join("\n"))
}

/// The argument at a place.
fn arg(args: &[String], place: usize) -> Result<&str, String> {
    args.get(place).map(String::as_str).ok_or_else(|| "syntax error: an argument is missing".into())
}

/// A number at a place.
fn number<T: std::str::FromStr>(args: &[String], place: usize) -> Result<T, String> {
    let text = arg(args, place)?;
    text.parse().map_err(|_| format!("syntax error: {} is not a number", quoted(text)))
}

/// A time in seconds at a place.
fn seconds(args: &[String], place: usize) -> Result<Duration, String> {
    let seconds: f64 = number(args, place)?;
    // Controllers count below zero when a flag has fallen.
    Duration::try_from_secs_f64(seconds.max(0.0)).map_err(|_| "syntax error: not a time".into())
}

/// A colour at a place.
fn role(engine: &Engine, args: &[String], place: usize) -> Result<Role, String> {
    engine.board.role(arg(args, place)?)
}

/// An empty board of another game.
fn open(engine: &mut Engine, name: &str) -> Result<Board, String> {
    let game = catalog::open(name).map_err(|error| error.to_string())?;
    if engine.board.game.name() == game.name() { Board::new(engine.board.game.clone()) } else { Board::new(game) }
}

fn boardsize(engine: &mut Engine, args: &[String]) -> Reply {
    let size: usize = number(args, 0).map_err(|_| "boardsize not an integer")?;
    let board = match title::with_size(&engine.board.game.name(), size) {
        Some(name) => open(engine, &name).map_err(|why| format!("unacceptable size: {why}"))?,
        None if size == engine.board.notation.side => Board::new(engine.board.game.clone())?,
        None => return Err(format!("unacceptable size: this board has {}", engine.board.notation.side)),
    };
    engine.set_board(board);
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, _: &[String]) -> Reply {
    engine.board.clear();
    engine.clock.restart();
    Ok(String::new())
}

fn komi(engine: &mut Engine, args: &[String]) -> Reply {
    let komi: f64 = number(args, 0)?;
    let Some(name) = title::with_komi(&engine.board.game.name(), komi) else {
        // Controllers send it to every engine; where nothing is counted it changes nothing.
        return Ok(String::new());
    };
    let game = catalog::open(&name).map_err(|error| format!("unacceptable komi: {error}"))?;
    if game.name() != engine.board.game.name() {
        let board = engine.board.replayed(game)?;
        engine.set_board(board);
    }
    Ok(String::new())
}

fn play(engine: &mut Engine, args: &[String]) -> Reply {
    let role = role(engine, args, 0)?;
    if arg(args, 1)?.eq_ignore_ascii_case("resign") {
        return Ok(String::new());
    }
    let play = engine.board.read(arg(args, 1)?)?;
    engine.board.play(role, play).map(|()| String::new())
}

fn genmove(engine: &mut Engine, args: &[String]) -> Reply {
    let role = role(engine, args, 0)?;
    let (mv, _) = engine.choose(role, &mut |_, _| ControlFlow::Continue(()))?;
    let play = engine.board.play_of(role, mv);
    engine.board.play(role, play)?;
    Ok(engine.board.written(play))
}

fn reg_genmove(engine: &mut Engine, args: &[String]) -> Reply {
    let role = role(engine, args, 0)?;
    let (mv, _) = engine.choose(role, &mut |_, _| ControlFlow::Continue(()))?;
    Ok(engine.board.written(engine.board.play_of(role, mv)))
}

fn time_settings(engine: &mut Engine, args: &[String]) -> Reply {
    let settings = TimeSettings { main: seconds(args, 0)?, byo_time: seconds(args, 1)?, stones: number(args, 2)? };
    engine.clock.set(Some(settings));
    Ok(String::new())
}

fn kgs_time_settings(engine: &mut Engine, args: &[String]) -> Reply {
    let main = || seconds(args, 1);
    let settings = match arg(args, 0)? {
        "none" => None,
        "absolute" => Some(TimeSettings { main: main()?, ..TimeSettings::default() }),
        // Each period is for one stone, and comes again if that stone is played in time.
        "byoyomi" => Some(TimeSettings { main: main()?, byo_time: seconds(args, 2)?, stones: 1 }),
        "canadian" => Some(TimeSettings { main: main()?, byo_time: seconds(args, 2)?, stones: number(args, 3)? }),
        other => return Err(format!("syntax error: unknown time system {}", quoted(other))),
    };
    engine.clock.set(settings);
    Ok(String::new())
}

fn time_left(engine: &mut Engine, args: &[String]) -> Reply {
    let colour = engine.colour(role(engine, args, 0)?);
    engine.clock.tell(colour, seconds(args, 1)?, number(args, 2)?);
    Ok(String::new())
}

fn showboard(engine: &mut Engine, _: &[String]) -> Reply {
    let picture = engine.board.position().view().draw(Style { charset: Charset::Ascii, color: false });
    Ok(format!("\n{picture}"))
}

/// The dead chains of a Go position.
fn dead(engine: &Engine) -> Result<Vec<Vec<usize>>, String> {
    let name = title::with_eyes(&engine.board.game.name()).ok_or("cannot score")?;
    let game = catalog::open(&name).map_err(|error| error.to_string())?;
    Ok(dead_chains(engine.board.replayed(game)?.before_passes()))
}

fn final_score(engine: &mut Engine, _: &[String]) -> Reply {
    let [black, white] = engine.board.colours();
    let lead = if is_go(engine) {
        let mut stones = Stones::of(&engine.board.position().view());
        dead(engine)?.iter().for_each(|chain| stones.remove(chain));
        let komi = title::komi(&engine.board.game.name()).unwrap_or(go::Rules::default().komi);
        stones.area(black) as f64 - stones.area(white) as f64 - komi
    } else {
        let scores = engine.board.position().scores().ok_or("cannot score: the game is not over")?;
        scores[black.index()] - scores[white.index()]
    };
    let winner = if lead > 0.0 { black } else { white };
    Ok(match (lead, is_go(engine)) {
        (0.0, _) => "0".into(),
        (_, true) => format!("{}+{}", engine.board.letter(winner), lead.abs()),
        (_, false) => format!("{}+", engine.board.letter(winner)),
    })
}

fn final_status_list(engine: &mut Engine, args: &[String]) -> Reply {
    let dead = dead(engine)?;
    let stones = Stones::of(&engine.board.position().view());
    let chains = match arg(args, 0)? {
        "dead" => dead,
        "alive" => {
            let chains = stones.groups().into_iter().filter(|group| stones.at(group[0]).is_some());
            chains.filter(|chain| !dead.contains(chain)).collect()
        }
        // Nothing here tells a seki from life.
        "seki" => Vec::new(),
        other => return Err(format!("syntax error: unknown status {}", quoted(other))),
    };
    let line =
        |chain: &Vec<usize>| chain.iter().map(|&point| engine.board.notation.name(point)).collect::<Vec<_>>().join(" ");
    Ok(chains.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// A move that removes dead stones of the other colour; pass if there are none.
fn genmove_cleanup(engine: &mut Engine, args: &[String]) -> Reply {
    let role = role(engine, args, 0)?;
    let stones = Stones::of(&engine.board.position().view());
    let dead = dead(engine)?;
    let enemies = dead.iter().flatten().filter(|&&point| stones.at(point) == Some(role.other()));
    let liberties: Vec<usize> =
        enemies.flat_map(|&point| stones.neighbours(point)).filter(|&point| stones.at(point).is_none()).collect();
    let play = if liberties.is_empty() {
        Play::Pass
    } else {
        let (mv, report) = engine.choose(role, &mut |_, _| ControlFlow::Continue(()))?;
        let plays = report.arms.iter().map(|arm| engine.board.play_of(role, arm.mv));
        let mut taking = plays.filter(|play| matches!(play, Play::Cell(cell) if liberties.contains(cell)));
        taking.next().unwrap_or(engine.board.play_of(role, mv))
    };
    engine.board.play(role, play)?;
    Ok(engine.board.written(play))
}

/// Puts black stones on an empty board.
fn put_handicap(engine: &mut Engine, cells: &[usize]) -> Reply {
    let black = engine.board.colours()[0];
    let put = cells.iter().try_for_each(|&cell| engine.board.play(black, Play::Cell(cell)));
    if put.is_err() {
        engine.board.clear();
    }
    put.map(|()| cells.iter().map(|&cell| engine.board.notation.name(cell)).collect::<Vec<_>>().join(" "))
}

fn must_be_empty(engine: &Engine) -> Result<(), String> {
    if engine.board.plays().is_empty() { Ok(()) } else { Err("board not empty".into()) }
}

fn fixed_handicap(engine: &mut Engine, args: &[String]) -> Reply {
    must_be_empty(engine)?;
    let size = engine.board.notation.side;
    let points = handicap::fixed(size, number(args, 0)?).ok_or("invalid number of stones")?;
    let cells: Vec<usize> = points.into_iter().map(|(file, rank)| rank * size + file).collect();
    put_handicap(engine, &cells)
}

fn set_free_handicap(engine: &mut Engine, args: &[String]) -> Reply {
    must_be_empty(engine)?;
    let mut cells = Vec::new();
    for text in args {
        match engine.board.read(text)? {
            Play::Cell(cell) if !cells.contains(&cell) => cells.push(cell),
            _ => return Err("bad vertex list".into()),
        }
    }
    if cells.len() < 2 {
        return Err("bad vertex list".into());
    }
    put_handicap(engine, &cells).map(|_| String::new())
}
