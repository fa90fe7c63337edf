//! Our sheets of the papers' games are the same games as the sheets that the papers used.
//!
//! Both are walked together: at every step they have the same roles, the same legal moves under their names here and there,
//! the same end and the same goals.

use crate::translate::{self, Translate};
use ludens_game::{Game, Move, Rng, Role, Seed};
use ludens_gdl::{Engine, GdlGame, Limits, Machine, open};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Walks of each game.
const WALKS: u64 = 40;

macro_rules! same_games {
    ($($test:ident: $ours:literal is $theirs:literal by $translate:ident;)*) => {
        $(#[test]
        fn $test() {
            same_game($ours, $theirs, translate::$translate);
        })*
    };
}

same_games! {
    tictactoe3d: "tictactoe3d" is "tictactoe_3d_2player" by cube;
    breakthrough: "breakthrough" is "breakthrough" by literally;
    knightthrough: "knightthrough" is "knightThrough" by literally;
    chinook: "chinook" is "chinook" by chinook;
    chinesecheckers3: "chinesecheckers3" is "chineseCheckers3" by star;
    checkers: "checkers" is "checkers" by checkers;
    connect5: "connect5" is "connect5" by lettered;
    quad7: "quad7" is "quad_7x7" by quad;
    sheepandwolf: "sheepandwolf" is "sheepAndWolf" by sheep_and_wolf;
    ttcc4_2p: "ttcc4-2p" is "ttcc4_2player" by ttcc4;
    ttcc4_3p: "ttcc4-3p" is "ttcc4" by ttcc4;
    connect4: "connect4" is "connect4" by literally;
    pentago: "pentago" is "pentago" by pentago;
    reversi: "reversi" is "reversi" by reversi;
    othello: "othello" is "othello-comp2007" by othello;
    skirmish: "skirmish" is "skirmish" by literally;
    pawnwhopping_turns: "pawnwhopping-turns" is "pawnWhopping" by literally;
}

fn same_game(ours: &str, theirs: &str, translate: Translate) {
    let folder = ludens_gdl::testing::real_sheets();
    let ours = machine(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("rules"), ours);
    let theirs = machine(&folder, theirs);
    assert_eq!(ours.role_names(), theirs.role_names());
    // Rare moves lead to where random play seldom comes.
    std::thread::scope(|scope| {
        for (choice, seed) in [(Choice::Uniform, 5), (Choice::LeastPlayed, 6)] {
            let mut pair = Pair::new(ours.clone(), theirs.clone(), translate);
            scope.spawn(move || (0..WALKS / 2).for_each(|walk| pair.walk(choice, &mut Seed::new(seed).at(walk).rng())));
        }
    });
}

#[derive(Clone, Copy)]
enum Choice {
    Uniform,
    LeastPlayed,
}

/// Two sheets of one game.
struct Pair {
    ours: Arc<Machine>,
    theirs: Arc<Machine>,
    /// Per role and move of ours: the move of theirs, where they know it.
    counterparts: Vec<Vec<Option<Move>>>,
    /// Per role and move of ours: how often it was played.
    played: Vec<Vec<u32>>,
}

impl Pair {
    fn new(ours: Arc<Machine>, theirs: Arc<Machine>, translate: Translate) -> Pair {
        let moves = |role| (0..ours.moves(role) as u32).map(Move);
        let counterpart = |role: Role, role_name: &str, mv| {
            let name = ours.move_name(role, mv);
            theirs.parse_move(role, &translated(translate, role_name, &name))
        };
        let counterparts = Role::all(ours.roles())
            .zip(&ours.role_names())
            .map(|(role, role_name)| moves(role).map(|mv| counterpart(role, role_name, mv)).collect())
            .collect();
        let played = Role::all(ours.roles()).map(|role| vec![0; ours.moves(role)]).collect();
        Pair { ours, theirs, counterparts, played }
    }

    /// Plays one game on both, comparing all the way.
    fn walk(&mut self, choice: Choice, rng: &mut Rng) {
        let (mut here, mut there) = (self.ours.initial(), self.theirs.initial());
        let mut history = String::new();
        loop {
            let over = self.ours.is_terminal(&here);
            assert_eq!(over, self.theirs.is_terminal(&there), "{}: the end after{history}", self.ours.name());
            for role in Role::all(self.ours.roles()) {
                let goals = (sorted(self.ours.goals(&here, role)), sorted(self.theirs.goals(&there, role)));
                assert_eq!(goals.0, goals.1, "{}: goals of {role:?} after{history}", self.ours.name());
            }
            if over {
                return;
            }
            let (mut our_joint, mut their_joint) = (Vec::new(), Vec::new());
            for role in Role::all(self.ours.roles()) {
                let legal = self.legal(role, &here, &there, &history);
                let (mv, counterpart) = self.choose(role, &legal, choice, rng);
                our_joint.push(mv);
                their_joint.push(counterpart);
                history.push(' ');
                history.push_str(&self.ours.move_name(role, mv));
            }
            self.ours.advance(&mut here, &our_joint);
            self.theirs.advance(&mut there, &their_joint);
        }
    }

    /// The legal moves of a role in both sheets, which must be the same.
    fn legal(&self, role: Role, here: &State, there: &State, history: &str) -> Vec<(Move, Move)> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        self.ours.legals(here, role, &mut ours);
        self.theirs.legals(there, role, &mut theirs);
        let counterpart = |&mv: &Move| {
            let found = self.counterparts[role.index()][mv.0 as usize];
            let name = || self.ours.move_name(role, mv);
            (mv, found.unwrap_or_else(|| panic!("{}: only we know {} after{history}", self.ours.name(), name())))
        };
        let pairs: Vec<(Move, Move)> = ours.iter().map(counterpart).collect();
        let mut translated: Vec<Move> = pairs.iter().map(|&(_, theirs)| theirs).collect();
        translated.sort_unstable();
        let names = |moves: &[Move]| moves.iter().map(|&mv| self.theirs.move_name(role, mv)).collect::<Vec<_>>();
        assert_eq!(names(&translated), names(&theirs), "{}: moves of {role:?} after{history}", self.ours.name());
        pairs
    }

    fn choose(&mut self, role: Role, legal: &[(Move, Move)], choice: Choice, rng: &mut Rng) -> (Move, Move) {
        let played = &mut self.played[role.index()];
        let times = |mv: &Move| played[mv.0 as usize];
        let fewest = legal.iter().map(|(mv, _)| times(mv)).min().expect("there is a legal move");
        let candidates: Vec<_> = match choice {
            Choice::Uniform => legal.to_vec(),
            Choice::LeastPlayed => legal.iter().copied().filter(|(mv, _)| times(mv) == fewest).collect(),
        };
        let chosen = candidates[rng.below(candidates.len() as u32) as usize];
        played[chosen.0.0 as usize] += 1;
        chosen
    }
}

type State = <Machine as Game>::State;

fn sorted(mut goals: Vec<i32>) -> Vec<i32> {
    goals.sort_unstable();
    goals
}

/// The name of a move as theirs has it: noop is noop everywhere, the rest is a matter of the game.
fn translated(translate: Translate, role: &str, name: &str) -> String {
    let words: Vec<&str> = name.trim_matches(['(', ')']).split(' ').collect();
    if words == ["noop"] { "noop".into() } else { translate(role, &words) }
}

fn machine(folder: &Path, name: &str) -> Arc<Machine> {
    let path = folder.join(format!("{name}.kif"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match open(name, &text, Limits::default()) {
        Ok(opened) => match opened.engine {
            Engine::Machine(machine) => machine,
            Engine::Interpreter { reason, .. } => panic!("{name} is not grounded: {reason}"),
        },
        Err(remarks) => panic!("{name} is refused: {remarks:#?}"),
    }
}
