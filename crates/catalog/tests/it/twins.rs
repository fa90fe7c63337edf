//! Twins: native games and their rulesheets, walked together. They share no line of code.

use ludens_catalog::open;
use ludens_game::{DynGame, Move, Objective, Position, Role, Seed, toy::TicTacToe};
use ludens_games::atarigo::{AtariGo, Rules};
use std::collections::BTreeMap;
use std::sync::Arc;

const GAMES: u64 = 300;

/// A native game, its sheet, and the word with which the sheet's moves begin.
struct Twins {
    native: Arc<dyn DynGame>,
    sheet: &'static str,
    verb: &'static str,
}

fn named(name: &str) -> Arc<dyn DynGame> {
    open(name).expect(name)
}

impl Twins {
    /// What the sheet calls a move of the native game: with the verb `move`, `c2-c3` is `(move 3 2 3 3)`.
    fn translated(&self, name: &str) -> String {
        if name == "noop" {
            return name.to_owned();
        }
        let numbers = name.split('-').map(|cell| {
            let (column, row) = cell.split_at(1);
            let column = column.as_bytes()[0] - b'a' + 1;
            format!("{column} {row}")
        });
        format!("({} {})", self.verb, numbers.collect::<Vec<_>>().join(" "))
    }

    /// Plays random games on both and compares everything at every state.
    fn walk_together(&self) {
        let sheet: Arc<dyn DynGame> = open(self.sheet).expect(self.sheet);
        let roles = self.native.role_names().len();
        assert_eq!(sheet.role_names(), self.native.role_names(), "{}", self.sheet);
        for index in 0..GAMES {
            let mut rng = Seed::new(7).at(index).rng();
            let (mut left, mut right) = (self.native.clone().start(), sheet.clone().start());
            while !self.is_over(&*left, &*right) {
                let (mut lefts, mut rights) = (Vec::new(), Vec::new());
                for role in Role::all(roles) {
                    let pairs = self.pairs(&*left, &*right, role);
                    let (of_left, of_right) = pairs[rng.below(pairs.len() as u32) as usize];
                    lefts.push(of_left);
                    rights.push(of_right);
                }
                left.advance(&lefts);
                right.advance(&rights);
            }
        }
    }

    /// Whether the games are over, with the same scores if they are.
    fn is_over(&self, left: &dyn Position, right: &dyn Position) -> bool {
        assert_eq!(left.scores(), right.scores(), "scores {}", self.place(left));
        left.scores().is_some()
    }

    /// The legal moves of a role in both games, which must be the same ones.
    fn pairs(&self, left: &dyn Position, right: &dyn Position, role: Role) -> Vec<(Move, Move)> {
        let translated = |mv| (self.translated(&left.move_name(role, mv)), mv);
        let lefts: BTreeMap<_, _> = left.legals(role).into_iter().map(translated).collect();
        let rights: BTreeMap<_, _> = right.legals(role).into_iter().map(|mv| (right.move_name(role, mv), mv)).collect();
        let names = |moves: &BTreeMap<String, Move>| moves.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&lefts), names(&rights), "legal moves of {role:?} {}", self.place(left));
        lefts.into_values().zip(rights.into_values()).collect()
    }

    fn place(&self, native: &dyn Position) -> String {
        let names = native.history().iter().flat_map(|joint| {
            Role::all(joint.len()).zip(joint).map(|(role, &mv)| native.move_name(role, mv)).collect::<Vec<_>>()
        });
        let played: Vec<_> = names.filter(|name| name != "noop").collect();
        format!("of {} after {}", self.sheet, played.join(" "))
    }
}

/// A test per pair of twins.
macro_rules! twins {
    ($($test:ident: $native:expr, $sheet:literal, $verb:literal;)*) => {
        $(#[test]
        fn $test() {
            Twins { native: $native, sheet: $sheet, verb: $verb }.walk_together();
        })*
    };
}

twins! {
    atarigo: named("atarigo:5"), "gdl:atarigo5", "put";
    breakthrough: named("breakthrough"), "gdl:breakthrough", "move";
    domineering: named("domineering"), "gdl:domineering", "place";
    knightthrough: named("knightthrough"), "gdl:knightthrough", "move";
    nogo: named("nogo:5"), "gdl:nogo5", "put";
    tictactoe: Arc::new(TicTacToe), "gdl:tictactoe", "mark";
    misere_atarigo: Arc::new(Objective::lose(AtariGo::<1>::new(5, Rules::default()))), "misere-gdl:atarigo5", "put";
    misere_breakthrough: named("misere-breakthrough"), "misere-gdl:breakthrough", "move";
    misere_domineering: named("misere-domineering"), "misere-gdl:domineering", "place";
    misere_knightthrough: named("misere-knightthrough"), "misere-gdl:knightthrough", "move";
    misere_nogo: named("misere-nogo:5"), "misere-gdl:nogo5", "put";
    misere_tictactoe: Arc::new(Objective::lose(TicTacToe)), "misere-gdl:tictactoe", "mark";
}
