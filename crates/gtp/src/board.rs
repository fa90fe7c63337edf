//! The position as GTP sees it: colours play points in any order, and nothing ends.
//!
//! Our games have turns and an end. Where the game has a pass, a colour that plays twice in a row plays as if the other had passed
//! between, and after two passes the game goes on, as cleaning up dead stones needs. Other games refuse both.

use crate::notation::Notation;
use ludens_catalog::quoted;
use ludens_game::{Move, Position, Role, Turn};
use ludens_search::Playable;
use std::sync::Arc;

/// What a colour plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    /// On a cell.
    Cell(usize),
    /// Nowhere.
    Pass,
}

/// A game under way.
pub(crate) struct Board {
    pub(crate) game: Arc<dyn Playable>,
    pub(crate) notation: Notation,
    position: Box<dyn Position>,
    /// What was played, for `undo`.
    plays: Vec<(Role, Play)>,
    roles: Vec<String>,
    /// Black and white.
    colours: [Role; 2],
}

impl Board {
    /// An empty board.
    ///
    /// # Errors
    /// If the moves of the game are not single points.
    pub(crate) fn new(game: Arc<dyn Playable>) -> Result<Board, String> {
        let (name, roles) = (game.name(), game.role_names());
        let unfit = |why: &str| format!("GTP cannot play {name}: {why}");
        let position = game.clone().start();
        let [_, _] = &roles[..] else { return Err(unfit("it is not a game for two")) };
        let Turn::One(first) = position.turn() else { return Err(unfit("its players move at the same time")) };
        let notation = Notation::of(&name, &position.view()).map_err(|why| unfit(&why))?;
        let mut cells: Vec<usize> = Vec::new();
        for mv in position.legals(first) {
            match position.touched_cells(first, mv)[..] {
                [] => {}
                [cell] if !cells.contains(&cell) => cells.push(cell),
                _ => {
                    let example = position.move_name(first, mv);
                    return Err(unfit(&format!("its moves are not single points ({example})")));
                }
            }
        }
        if cells.is_empty() {
            return Err(unfit("its moves are not points of a board"));
        }
        let colours = colours(&roles);
        Ok(Board { game, notation, position, plays: Vec::new(), roles, colours })
    }

    /// The role of a colour: `b`, `w`, their names, or the name of a role.
    pub(crate) fn role(&self, text: &str) -> Result<Role, String> {
        match text.to_lowercase().as_str() {
            "b" | "black" => Ok(self.colours[0]),
            "w" | "white" => Ok(self.colours[1]),
            other => {
                let found = Role::all(self.roles.len()).find(|role| self.roles[role.index()].to_lowercase() == other);
                found.ok_or_else(|| format!("invalid color {}", quoted(text)))
            }
        }
    }

    /// Black or white, by its first letter.
    pub(crate) fn letter(&self, role: Role) -> char {
        if role == self.colours[0] { 'B' } else { 'W' }
    }

    /// Black, then white.
    pub(crate) fn colours(&self) -> [Role; 2] {
        self.colours
    }

    /// The position, to look at.
    pub(crate) fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// What was played so far.
    pub(crate) fn plays(&self) -> &[(Role, Play)] {
        &self.plays
    }

    /// Who is to move; who would be, if the game is over.
    pub(crate) fn to_move(&self) -> Role {
        match self.position.turn() {
            Turn::One(role) => role,
            Turn::Many => self.colours[0],
        }
    }

    /// Reads a point or `pass`.
    pub(crate) fn read(&self, text: &str) -> Result<Play, String> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Play::Pass);
        }
        self.notation.cell(text).map(Play::Cell).ok_or_else(|| format!("invalid vertex {}", quoted(text)))
    }

    /// What a move of the game is here.
    pub(crate) fn play_of(&self, role: Role, mv: Move) -> Play {
        self.position.touched_cells(role, mv).first().map_or(Play::Pass, |&cell| Play::Cell(cell))
    }

    /// As it is written.
    pub(crate) fn written(&self, play: Play) -> String {
        match play {
            Play::Cell(cell) => self.notation.name(cell).to_owned(),
            Play::Pass => "pass".to_owned(),
        }
    }

    /// The legal move of a role that plays so.
    fn legal(&self, role: Role, play: Play) -> Option<Move> {
        self.position.legals(role).into_iter().find(|&mv| self.play_of(role, mv) == play)
    }

    /// Whether the last step was a pass.
    fn ends_with_pass(&self) -> bool {
        let touches = |(role, &mv): (Role, &Move)| !self.position.touched_cells(role, mv).is_empty();
        self.position.history().last().is_some_and(|joint| !Role::all(joint.len()).zip(joint).any(touches))
    }

    /// The joint move in which one role moves and the others wait.
    fn joint(&self, role: Role, mv: Move) -> Vec<Move> {
        let of = |other: Role| if other == role { mv } else { self.position.legals(other)[0] };
        Role::all(self.roles.len()).map(of).collect()
    }

    /// Makes it a role's turn.
    pub(crate) fn turn_to(&mut self, role: Role) -> Result<(), String> {
        // Passes end the game for those who count, not for those who go on.
        while self.position.scores().is_some() && self.ends_with_pass() {
            self.position.undo();
            if self.to_move() == role {
                return Ok(());
            }
        }
        if self.position.scores().is_some() || self.position.failure().is_some() {
            return Err("the game is over".into());
        }
        let other = self.to_move();
        if other == role {
            return Ok(());
        }
        if self.ends_with_pass() {
            self.position.undo();
            return Ok(());
        }
        let pass = self.legal(other, Play::Pass);
        let pass = pass.ok_or_else(|| format!("it is the turn of {}", self.roles[other.index()]))?;
        self.position.advance(&self.joint(other, pass));
        Ok(())
    }

    /// Plays, if that is legal.
    ///
    /// # Errors
    /// Why it is not. The board then stays as it is.
    pub(crate) fn play(&mut self, role: Role, play: Play) -> Result<(), String> {
        let before = self.position.history().to_vec();
        self.try_play(role, play).inspect_err(|_| self.restore(&before))?;
        self.plays.push((role, play));
        Ok(())
    }

    fn try_play(&mut self, role: Role, play: Play) -> Result<(), String> {
        // A pass gives the turn to the other, who may have it already; after the last pass one more changes nothing.
        let is_idle = || match self.position.scores() {
            Some(_) => self.ends_with_pass(),
            None => self.to_move() != role && self.legal(self.to_move(), Play::Pass).is_some(),
        };
        if play == Play::Pass && is_idle() {
            return Ok(());
        }
        self.turn_to(role).map_err(|why| format!("illegal move: {why}"))?;
        let mv = self.legal(role, play).ok_or_else(|| self.why_illegal(play))?;
        self.position.advance(&self.joint(role, mv));
        Ok(())
    }

    fn why_illegal(&self, play: Play) -> String {
        let Play::Cell(cell) = play else { return "illegal move: this game has no pass here".into() };
        let view = self.position.view();
        match view.cells[cell].piece {
            Some(piece) => format!("illegal move: {} is taken by a {}", self.written(play), view.pieces[piece].name),
            None => "illegal move".into(),
        }
    }

    /// Goes back to a line of play.
    fn restore(&mut self, history: &[Vec<Move>]) {
        while self.position.undo() {}
        history.iter().for_each(|joint| self.position.advance(joint));
    }

    /// Takes the last play back.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        let plays = &self.plays[..self.plays.len().checked_sub(1).ok_or("cannot undo")?];
        let plays = plays.to_vec();
        self.clear();
        plays.into_iter().try_for_each(|(role, play)| self.play(role, play))
    }

    /// The position before the passes at its end.
    pub(crate) fn before_passes(&mut self) -> &mut dyn Position {
        while self.ends_with_pass() {
            self.position.undo();
        }
        &mut *self.position
    }

    /// Empties the board.
    pub(crate) fn clear(&mut self) {
        self.position = self.game.clone().start();
        self.plays.clear();
    }

    /// The same plays in a game with other rules, or on a fresh position of this one.
    ///
    /// # Errors
    /// If they are not legal there.
    pub(crate) fn replayed(&self, game: Arc<dyn Playable>) -> Result<Board, String> {
        let mut board = Board::new(game)?;
        self.plays.iter().try_for_each(|&(role, play)| board.play(role, play))?;
        Ok(board)
    }
}

/// Black and white: the roles of these names, or else black is who begins.
fn colours(roles: &[String]) -> [Role; 2] {
    if roles[0].eq_ignore_ascii_case("white") { [Role(1), Role(0)] } else { [Role(0), Role(1)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(game: &str) -> Board {
        Board::new(ludens_catalog::open(game).unwrap()).unwrap_or_else(|why| panic!("{why}"))
    }

    fn play(board: &mut Board, text: &str) -> Result<(), String> {
        let (colour, vertex) = text.split_once(' ').unwrap();
        let (role, play) = (board.role(colour)?, board.read(vertex)?);
        board.play(role, play)
    }

    fn steps(board: &Board) -> usize {
        board.position().history().len()
    }

    #[test]
    fn colours_play_in_any_order_where_there_is_a_pass() {
        let mut go = board("go:9");
        for text in ["b D4", "B E5", "w C3", "black pass", "w pass", "b F6", "b pass", "b G7"] {
            play(&mut go, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        // White passes between D4 and E5, and again before G7; of the other passes nothing is left.
        assert_eq!(steps(&go), 7);
        assert_eq!(play(&mut go, "w F6").unwrap_err(), "illegal move: F6 is taken by a black stone");
        assert_eq!((steps(&go), go.plays().len()), (7, 8), "an illegal move changes nothing");
        for _ in 0..8 {
            go.undo().unwrap();
        }
        assert_eq!((steps(&go), go.undo()), (0, Err("cannot undo".into())));
    }

    #[test]
    fn games_without_a_pass_keep_their_turns() {
        let mut havannah = board("havannah:4");
        play(&mut havannah, "w d4").unwrap();
        assert_eq!(play(&mut havannah, "w a1").unwrap_err(), "illegal move: it is the turn of black");
        assert_eq!(play(&mut havannah, "b pass").unwrap_err(), "illegal move: this game has no pass here");
        assert_eq!(play(&mut havannah, "b z9").unwrap_err(), "invalid vertex \"z9\"");
        assert_eq!(play(&mut havannah, "green a1").unwrap_err(), "invalid color \"green\"");
        assert_eq!(steps(&havannah), 1);
    }

    #[test]
    fn black_begins_unless_a_role_is_called_white() {
        assert_eq!(board("go:9").colours(), [Role(0), Role(1)]);
        assert_eq!(board("havannah:4").colours(), [Role(1), Role(0)]);
        let hex = board("gdl:hex7");
        assert_eq!((hex.role("b"), hex.role("red"), hex.letter(Role(1))), (Ok(Role(0)), Ok(Role(0)), 'W'));
    }

    #[test]
    fn games_whose_moves_are_no_points_are_refused() {
        for (game, why) in [
            ("breakthrough:5", "its moves are not single points (a2-a3)"),
            ("gdl:goofspiel", "its players move at the same time"),
            ("gdl:ttcc4-3p", "it is not a game for two"),
        ] {
            let refused = Board::new(ludens_catalog::open(game).unwrap()).err().expect(game);
            assert!(refused.contains(why), "{refused}");
        }
        for game in ["nogo:9", "atarigo:9", "gdl:tictactoe", "gdl:connect5", "gdl:othello"] {
            board(game);
        }
    }
}
