//! Domineering against its slow version, and facts about it.

use crate::slow::{self, Slow, legal, line};
use ludens_game::check::Plan;
use ludens_game::{Move, Objective, Role, Seed, TurnGame};
use ludens_games::domineering::{Domineering, MAX_SIDE, MIN_SIDE};
use std::collections::HashMap;

/// The rules cell by cell: `board[rank][file]` is who has covered the cell.
#[derive(Clone)]
struct SlowDomineering {
    board: Vec<Vec<Option<usize>>>,
    mover: usize,
}

impl SlowDomineering {
    fn new(width: usize, height: usize) -> SlowDomineering {
        SlowDomineering { board: vec![vec![None; width]; height], mover: 0 }
    }

    fn is_empty(&self, file: isize, rank: isize) -> bool {
        let on_board =
            file >= 0 && rank >= 0 && (rank as usize) < self.board.len() && (file as usize) < self.board[0].len();
        on_board && self.board[rank as usize][file as usize].is_none()
    }

    /// The number of empty cells that share a side with a domino, for the domino of that name.
    fn empty_next_to(&self, name: &str) -> usize {
        let cells = read(name).map(|(file, rank)| (file as isize, rank as isize));
        let mut next: Vec<_> = cells
            .iter()
            .flat_map(|&(file, rank)| [(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)])
            .filter(|place| !cells.contains(place))
            .collect();
        assert_eq!(next.len(), 6);
        next.retain(|&(file, rank)| self.is_empty(file, rank));
        next.len()
    }
}

fn write(file: usize, rank: usize) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn read(name: &str) -> [(usize, usize); 2] {
    let (one, two) = name.split_once('-').unwrap();
    [one, two].map(|cell| (usize::from(cell.as_bytes()[0] - b'a'), cell[1..].parse::<usize>().unwrap() - 1))
}

impl Slow for SlowDomineering {
    fn to_move(&self) -> usize {
        self.mover
    }

    fn legals(&self) -> Vec<String> {
        let mut names = Vec::new();
        for rank in 0..self.board.len() {
            for file in 0..self.board[0].len() {
                let (x, y) = if self.mover == 0 { (file, rank + 1) } else { (file + 1, rank) };
                if self.is_empty(file as isize, rank as isize) && self.is_empty(x as isize, y as isize) {
                    names.push(format!("{}-{}", write(file, rank), write(x, y)));
                }
            }
        }
        names
    }

    fn play(&mut self, name: &str) {
        for (file, rank) in read(name) {
            self.board[rank][file] = Some(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn scores(&self) -> Option<[f64; 2]> {
        let winner = 1 - self.mover;
        self.legals().is_empty().then(|| [0, 1].map(|role| if role == winner { 1.0 } else { 0.0 }))
    }

    fn board(&self) -> Vec<Option<usize>> {
        self.board.concat()
    }
}

#[test]
fn agrees_with_the_slow_version() {
    for (width, height) in [(MIN_SIDE, MIN_SIDE), (5, 5), (8, 8), (2, 11), (11, 3)] {
        let game = Domineering::<u64>::new(width, height);
        slow::agree(&game, || SlowDomineering::new(width, height), 200, 1);
    }
    for (width, height) in [(6, 6), (10, 10), (MAX_SIDE, MAX_SIDE)] {
        let game = Domineering::<u128>::new(width, height);
        slow::agree(&game, || SlowDomineering::new(width, height), 200, 2);
    }
}

#[test]
fn keeps_the_promises_of_games() {
    let plan = Plan { walks: 100, max_steps: 100, seed: 3 };
    for (width, height) in [(MIN_SIDE, MIN_SIDE), (5, 5), (8, 8)] {
        slow::keeps_promises(&Domineering::<u64>::new(width, height), plan, 50);
    }
    slow::keeps_promises(&Domineering::<u128>::new(MAX_SIDE, 10), plan, 50);
}

#[test]
fn counts_move_paths() {
    let tables: [(usize, usize, &[u64]); 4] = [
        (8, 8, &[56, 2_940, 146_580, 6_823_548]),
        (4, 4, &[12, 108, 756, 3_628, 11_904, 20_736, 18_720]),
        (2, 2, &[2, 0]),
        (5, 3, &[10, 88, 496, 2_184, 5_184, 8_064, 1_152]),
    ];
    for (width, height, table) in tables {
        slow::counts_paths(&Domineering::<u64>::new(width, height), &SlowDomineering::new(width, height), table);
        slow::counts_paths(&Domineering::<u128>::new(width, height), &SlowDomineering::new(width, height), table);
    }
}

type State = <Domineering<u64> as TurnGame>::State;

/// Whether the side to move can place the last domino; `known` holds the positions already solved, by hash.
fn wins(game: &Domineering<u64>, state: &State, known: &mut HashMap<u64, bool>) -> bool {
    let hash = game.hash(state).expect("Domineering has hashes");
    if let Some(&result) = known.get(&hash) {
        return result;
    }
    let mut moves = Vec::new();
    game.legals(state, &mut moves);
    let result = moves.into_iter().any(|mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        !wins(game, &next, known)
    });
    known.insert(hash, result);
    result
}

#[test]
fn square_boards_have_their_known_winners() {
    // Breuker, Uiterwijk, van den Herik, Solving 8 × 8 Domineering (2000): up to 8 × 8 the first player wins, but on 5 × 5.
    for (size, first_wins) in [(2, true), (3, true), (4, true), (5, false)] {
        let game = Domineering::<u64>::new(size, size);
        assert_eq!(wins(&game, &game.initial(), &mut HashMap::new()), first_wins, "{size}x{size}");
    }
}

#[test]
fn who_cannot_move_has_lost() {
    let game = Domineering::<u64>::new(2, 2);
    let state = line(&game, &["a1-a2"]);
    let mut scores = [f64::NAN; 2];
    assert!(game.scores(&state, &mut scores));
    assert_eq!(scores, [1.0, 0.0]);
    assert_eq!(game.random_move(&state, &mut Seed::new(4).rng()), None);
}

#[test]
fn moves_read_as_players_write_them() {
    let game = Domineering::<u64>::new(8, 8);
    let mv = legal(&game, &game.initial(), "b2-b3");
    assert_eq!(mv, Some(Move(9)));
    for text in ["b2-b3", "b3-b2", "b2b3", "B2-B3"] {
        assert_eq!(game.parse_move(Role(0), text), mv, "{text}");
    }
    assert_eq!(game.parse_move(Role(1), "b2-b3"), None, "horizontal plays along ranks");
    assert_eq!(game.parse_move(Role(1), "b2-c2"), mv);
    assert_eq!(game.parse_move(Role(1), "h2-a3"), None, "ranks do not wrap around");
    assert_eq!(game.touched_cells(Role(1), Move(9)), [9, 10]);
}

#[test]
fn codes_tell_the_empty_cells_around_a_domino() {
    let game = Domineering::<u64>::new(5, 4);
    let (mut moves, mut codes) = (Vec::new(), Vec::new());
    let mut rng = Seed::new(5).rng();
    for _ in 0..100 {
        let (mut fast, mut slow) = (game.initial(), SlowDomineering::new(5, 4));
        while let Some(mv) = game.random_move(&fast, &mut rng) {
            let role = game.to_move(&fast);
            game.legals(&fast, &mut moves);
            game.codes(&fast, &moves, &mut codes);
            for (&mv, code) in moves.iter().zip(&codes) {
                assert_eq!(code / 64, mv.0);
                let empty = slow.empty_next_to(&game.move_name(role, mv));
                assert_eq!((code % 64).count_ones() as usize, empty);
            }
            slow.play(&game.move_name(role, mv));
            game.play(&mut fast, mv);
        }
    }
}

#[test]
fn each_cell_around_a_domino_has_its_own_bit() {
    let game = Domineering::<u64>::new(8, 8);
    let pattern = |names: &[&str]| {
        let state = line(&game, names);
        let mut codes = Vec::new();
        game.codes(&state, &[legal(&game, &state, "d4-d5").unwrap()], &mut codes);
        codes[0] % 64
    };
    let open = pattern(&[]);
    assert_eq!(open, 63);
    let covers = [
        ["h1-h2", "d3-e3"],
        ["h1-h2", "d6-e6"],
        ["c3-c4", "g8-h8"],
        ["c5-c6", "g8-h8"],
        ["e3-e4", "g8-h8"],
        ["e5-e6", "g8-h8"],
    ];
    let bits = covers.map(|names| open ^ pattern(&names));
    assert!(bits.iter().all(|bit| bit.count_ones() == 1));
    assert_eq!(bits.iter().fold(0, |all, bit| all | bit), 63);
}

#[test]
fn misere_turns_the_scores_round() {
    use ludens_game::Game;
    let (plain, game) = (Domineering::<u64>::new(4, 5), Objective::lose(Domineering::<u64>::new(4, 5)));
    let mut rng = Seed::new(6).rng();
    for _ in 0..100 {
        let (mut fast, mut slow) = (game.initial(), SlowDomineering::new(4, 5));
        let mut scores = [f64::NAN; 2];
        while !game.scores(&fast, &mut scores) {
            assert_eq!(slow.scores(), None);
            let mv = plain.random_move(&fast, &mut rng).unwrap();
            slow.play(&game.move_name(plain.to_move(&fast), mv));
            plain.play(&mut fast, mv);
        }
        assert_eq!(slow.scores().unwrap().map(|score| 1.0 - score), scores);
    }
}

#[test]
fn hashes_see_the_empty_cells_alone() {
    let game = Domineering::<u64>::new(4, 4);
    let hash = |names: &[&str]| game.hash(&line(&game, names));
    // Two dominoes of each side cover the same square either way.
    let one = hash(&["a1-a2", "c1-d1", "b1-b2", "c2-d2"]);
    assert_eq!(one, hash(&["c1-c2", "a1-b1", "d1-d2", "a2-b2"]));
    assert_ne!(one, hash(&["a1-a2", "c1-d1", "b1-b2", "c3-d3"]));
}
