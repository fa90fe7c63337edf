//! A position as the page needs it: the picture, who decides, and every legal move with the cells that a hand would touch.

use crate::{
    problem::Problem,
    server::{App, aside},
};
use axum::{Json, extract::State};
use ludens_engine::{movers, play_steps};
use ludens_game::{Layout, Position, Role, View};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game and what was played so far.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Situation {
    /// As the catalogue opens it, or the name of a rulesheet that was sent.
    pub(crate) game: String,
    /// A text per step, as records have it: the move of the role to move, or the moves of all with a slash between.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// A position, told.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Position"))]
pub(crate) struct Told {
    /// The name with all parameters.
    game: String,
    roles: Vec<String>,
    /// The steps played, as they are named canonically.
    moves: Vec<String>,
    /// The roles whose moves make up the text of a step.
    movers: Vec<usize>,
    /// Those of them that have to decide.
    deciders: Vec<usize>,
    /// The legal moves of each role; empty for those who do not move.
    legal: Vec<Vec<Legal>>,
    /// If the game is over.
    scores: Option<Vec<f64>>,
    view: Picture,
}

/// A legal move, and the cells that a hand would touch for it, in order.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Legal {
    name: String,
    cells: Vec<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "View"))]
pub(crate) struct Picture {
    layout: Shape,
    cells: Vec<Cell>,
    pieces: Vec<Piece>,
    labels: Vec<Label>,
    notes: Vec<String>,
}

/// How the cells of a board lie.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Layout"))]
pub(crate) enum Shape {
    Square,
    Hex,
    Free,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Cell {
    name: String,
    x: i32,
    y: i32,
    piece: Option<usize>,
    marked: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Piece {
    name: String,
    glyph: char,
    role: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Label {
    text: String,
    x: i32,
    y: i32,
}

impl From<View> for Picture {
    fn from(view: View) -> Picture {
        let layout = match view.layout {
            Layout::Square => Shape::Square,
            Layout::Hex => Shape::Hex,
            Layout::Free => Shape::Free,
        };
        let cell = |cell: ludens_game::Cell| {
            let ludens_game::Cell { name, x, y, piece, marked } = cell;
            Cell { name, x, y, piece, marked }
        };
        let piece = |piece: ludens_game::Piece| Piece {
            name: piece.name,
            glyph: piece.glyph,
            role: piece.role.map(Role::index),
        };
        Picture {
            layout,
            cells: view.cells.into_iter().map(cell).collect(),
            pieces: view.pieces.into_iter().map(piece).collect(),
            labels: view.labels.into_iter().map(|label| Label { text: label.text, x: label.x, y: label.y }).collect(),
            notes: view.notes,
        }
    }
}

/// Answers what a position is.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Json(situation): Json<Situation>,
) -> Result<Json<Told>, Problem> {
    let game = app.shelf.open(&situation.game).await?;
    let tell = move || -> Result<Told, Problem> {
        let (name, roles) = (game.name(), game.role_names());
        let mut position = game.start();
        let moves = play_steps(&mut *position, &roles, &situation.moves).map_err(Problem::bad)?;
        Ok(tell(&*position, name, roles, moves))
    };
    aside(tell).await.map(Json)
}

fn tell(position: &dyn Position, game: String, roles: Vec<String>, moves: Vec<String>) -> Told {
    let scores = position.scores();
    let movers = if scores.is_some() { Vec::new() } else { movers(position, roles.len()) };
    let legal = |role: Role| -> Vec<Legal> {
        let named = |mv| Legal { name: position.move_name(role, mv), cells: position.touched_cells(role, mv) };
        if movers.contains(&role) { position.legals(role).into_iter().map(named).collect() } else { Vec::new() }
    };
    let legal: Vec<Vec<Legal>> = Role::all(roles.len()).map(legal).collect();
    let decides = |role: &&Role| movers.len() == 1 || legal[role.index()].len() > 1;
    Told {
        game,
        moves,
        deciders: movers.iter().filter(decides).map(|role| role.index()).collect(),
        movers: movers.iter().map(|role| role.index()).collect(),
        legal,
        scores,
        view: position.view().into(),
        roles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(game: &str, moves: &[&str]) -> Result<Told, String> {
        let opened = ludens_catalog::open(game).unwrap();
        let roles = opened.role_names();
        let mut position = opened.start();
        let moves = play_steps(&mut *position, &roles, &moves.iter().map(|&mv| mv.to_owned()).collect::<Vec<_>>())?;
        Ok(tell(&*position, game.to_owned(), roles, moves))
    }

    #[test]
    fn moves_come_with_the_cells_to_click() {
        let position = told("breakthrough:5", &["A2-A3"]).unwrap();
        assert_eq!((position.movers, position.deciders), (vec![1], vec![1]));
        assert_eq!(position.moves, ["a2-a3"], "as the game names it");
        assert!(position.legal[0].is_empty());
        let capture = position.legal[1].iter().find(|mv| mv.name == "b4-c3").unwrap();
        let names: Vec<_> = capture.cells.iter().map(|&cell| position.view.cells[cell].name.as_str()).collect();
        assert_eq!(names, ["b4", "c3"]);
        assert!(position.view.cells.iter().any(|cell| cell.name == "a3" && cell.marked));
    }

    #[test]
    fn roles_that_move_at_once_are_told_so() {
        let position = told("gdl:goofspiel", &[]).unwrap();
        assert_eq!(position.movers, [0, 1]);
        let step = format!("{} / {}", position.legal[0][0].name, position.legal[1][0].name);
        assert!(told("gdl:goofspiel", &[&step]).is_ok());
        let error = told("gdl:goofspiel", &[&position.legal[0][0].name]).err().unwrap();
        assert!(error.contains("role instead of 2"), "{error}");
    }
}
