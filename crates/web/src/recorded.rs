//! A recorded game as the board opens it.
//!
//! An experiment may name a rulesheet by its path. Here the file is found as `ludens experiment` finds it: from the folder
//! in which the program was started. The path is that of the record, never one that a request brings. Whether the rules
//! are still those of the game is not believed but played: every move must be legal, and the end that of the record.

use crate::{
    answers::{Recorded, RecordedGame, SheetFile},
    problem::Problem,
    results::Answer,
    server::{App, MAX_BODY, aside},
    sheets::Severity,
};
use axum::{
    Json,
    extract::{Path as At, State},
};
use ludens_arena::{End, GameRecord};
use ludens_catalog as catalog;
use ludens_engine::play_steps;
use ludens_search::Playable;
use std::{path::Path, sync::Arc};

/// A game with its moves, and the name that opens it on the board.
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    At((name, cell, index)): At<(String, String, u64)>,
) -> Answer<Recorded> {
    let shared = app.clone();
    let (cell, record) = aside(move || shared.folders.game(&name, &cell, index)).await?;
    let sheet = if catalog::is_file(&cell.game) {
        let path = cell.game.clone();
        Some(aside(move || read(&path)).await?)
    } else {
        None
    };
    let opens = match &sheet {
        Some(sheet) => opened(&app, sheet, &cell.game).await?,
        None => cell.game.clone(),
    };
    let game = app.shelf.open(&opens).await?;
    let advice = match sheet {
        Some(_) => "the file has changed since the game was played",
        None => "the game was played by another version of the program",
    };
    let shown = cell.game.clone();
    let record = aside(move || match replay(game, &record) {
        Ok(()) => Ok(record),
        Err(reason) => Err(Problem::bad(format!("the record does not fit the rules of {shown}: {reason}; {advice}"))),
    });
    let record = record.await?;
    let game = RecordedGame { played: (&record).into(), moves: record.moves };
    Ok(Json(Recorded { cell: (&cell).into(), game, opens, sheet }))
}

fn read(path: &str) -> Result<SheetFile, Problem> {
    let advice = "start ludens web in the folder where the experiment was started";
    let text = catalog::rules(path).map_err(|error| Problem::missing(format!("{error}; {advice}")))?;
    if text.len() > MAX_BODY {
        return Err(Problem::bad(format!("{path} is larger than the limit of {MAX_BODY} bytes")));
    }
    let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SheetFile { file, text: text.into_owned() })
}

/// The name under which the server keeps a sheet.
async fn opened(app: &App, sheet: &SheetFile, path: &str) -> Result<String, Problem> {
    let checked = app.shelf.check(sheet.file.clone(), sheet.text.clone(), true).await?;
    checked.game.ok_or_else(|| {
        let error = checked.remarks.iter().find(|remark| remark.severity == Severity::Error);
        let reason = error.map(|error| format!("{path}:{}:{}: {}", error.line, error.column, error.title));
        let reason = reason.unwrap_or_else(|| path.to_owned());
        Problem::bad(format!("{reason}; the file has changed since the game was played and no longer compiles"))
    })
}

/// Plays a record again by the rules of a game.
fn replay(game: Arc<dyn Playable>, record: &GameRecord) -> Result<(), String> {
    if record.moves.is_empty() && record.steps > 0 {
        return Err("it has no moves".into());
    }
    let roles = game.role_names();
    let mut position = game.start();
    play_steps(&mut *position, &roles, &record.moves)?;
    let is_same_end = match (record.end, position.scores()) {
        (End::Terminal, Some(scores)) => scores == record.scores,
        (End::Cut, None) => true,
        _ => false,
    };
    if is_same_end { Ok(()) } else { Err("the game ends differently".into()) }
}
