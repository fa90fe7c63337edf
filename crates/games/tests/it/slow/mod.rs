//! Walks a fast game together with a slow and obvious version of the same rules.

use ludens_game::check::{Plan, conformance, random_moves};
use ludens_game::{Move, Role, Seed, TurnGame};

/// The rules of a game written a second time, as plainly as possible, sharing no code with the fast version.
pub(crate) trait Slow {
    /// The role to move, 0 or 1.
    fn to_move(&self) -> usize;
    /// The names of all legal moves, in any order; empty if the game is over.
    fn legals(&self) -> Vec<String>;
    /// Plays a legal move.
    fn play(&mut self, name: &str);
    /// The scores of both roles if the game is over.
    fn scores(&self) -> Option<[f64; 2]>;
    /// The contents of every cell in the order of the fast game's view: the index of the piece there.
    fn board(&self) -> Vec<Option<usize>>;
}

/// Plays `games` random games on both versions and compares everything at every state. `LUDENS_REPEATS=10` plays ten times as
/// many.
pub(crate) fn agree<G: TurnGame, S: Slow>(game: &G, new: impl Fn() -> S, games: u32, seed: u64) {
    let mut moves = Vec::new();
    let repeats = std::env::var("LUDENS_REPEATS").map_or(1, |text| text.parse().expect("a number of repeats"));
    for index in 0..games * repeats {
        let mut rng = Seed::new(seed).at(u64::from(index)).rng();
        let (mut fast, mut slow) = (game.initial(), new());
        let mut path: Vec<String> = Vec::new();
        loop {
            let at = || format!("{} after {path:?}", TurnGame::name(game));
            let view = TurnGame::view(game, &fast);
            let board: Vec<_> = view.cells.iter().map(|cell| cell.piece).collect();
            assert_eq!(board, slow.board(), "board: {}", at());
            let mut scores = [0.0; 2];
            let over = TurnGame::scores(game, &fast, &mut scores);
            assert_eq!(over.then_some(scores), slow.scores(), "end: {}", at());
            if over {
                break;
            }
            let role = game.to_move(&fast);
            assert_eq!(role.index(), slow.to_move(), "role to move: {}", at());
            TurnGame::legals(game, &fast, &mut moves);
            let mut names: Vec<_> = moves.iter().map(|&mv| TurnGame::move_name(game, role, mv)).collect();
            let chosen = rng.below(moves.len() as u32) as usize;
            let (mv, name) = (moves[chosen], names[chosen].clone());
            let mut expected = slow.legals();
            names.sort();
            expected.sort();
            assert_eq!(names, expected, "legal moves: {}", at());
            game.play(&mut fast, mv);
            slow.play(&name);
            path.push(name);
        }
    }
}

/// The number of paths of exactly `depth` moves.
pub(crate) fn perft<S: Slow + Clone>(slow: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |name: &String| {
        let mut next = slow.clone();
        next.play(name);
        next
    };
    slow.legals().iter().map(|name| perft(&after(name), depth - 1)).sum()
}

/// Compares the counts of move paths, depth by depth from 1, and the first of them with those of the slow version too.
pub(crate) fn counts_paths<G: TurnGame, S: Slow + Clone>(game: &G, slow: &S, counts: &[u64]) {
    for (depth, &paths) in (1..).zip(counts) {
        assert_eq!(ludens_game::perft(game, depth), paths, "{} at {depth}", TurnGame::name(game));
        if paths < 20_000 {
            assert_eq!(perft(slow, depth), paths, "slow {} at {depth}", TurnGame::name(game));
        }
    }
}

/// Tries all promises of games, that of fair random moves included.
pub(crate) fn keeps_promises<G: TurnGame + 'static>(game: &G, plan: Plan, draws: u32) {
    conformance(game, plan).unwrap();
    random_moves(game, plan, draws).unwrap();
}

/// Plays a line of named moves from the initial position.
pub(crate) fn line<G: TurnGame>(game: &G, names: &[&str]) -> G::State {
    let mut state = game.initial();
    for name in names {
        let mv = legal(game, &state, name).unwrap_or_else(|| panic!("{name} is not legal in {names:?}"));
        game.play(&mut state, mv);
    }
    state
}

/// The legal move of that name, if there is one.
pub(crate) fn legal<G: TurnGame>(game: &G, state: &G::State, name: &str) -> Option<Move> {
    let role: Role = game.to_move(state);
    let mut moves = Vec::new();
    TurnGame::legals(game, state, &mut moves);
    moves.into_iter().find(|&mv| TurnGame::move_name(game, role, mv) == name)
}
