//! Lanes tell of every position what the machine tells, whatever the vectors are.

use crate::support::lanes::{Walk, lanes_agree};
use crate::support::opened;
use ludens_game::{Game, Lanes, Move, Role, Seed, WAIT};
use ludens_gdl::{Engine, Machine, Vectors};
use std::sync::Arc;

fn machine(name: &str, text: &str) -> Arc<Machine> {
    match opened(name, text).engine {
        Engine::Machine(machine) => machine,
        Engine::Interpreter { reason, .. } => panic!("{name}: {reason}"),
    }
}

/// Random walks in some lanes of two blocks.
fn walks() -> Vec<Walk> {
    let lanes = (0..1024).step_by(29).chain([63, 64, 511, 512, 1023]);
    lanes.map(|lane| Walk { lane, given: Vec::new() }).collect()
}

const TIC_TAC_TOE: &str = include_str!("sheets/tictactoe.kif");

#[test]
fn tic_tac_toe_on_all_vectors() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    for vectors in Vectors::available() {
        let lanes = game.lanes_with(1000, vectors);
        assert_eq!(lanes.lanes(), 1024);
        assert_eq!(lanes.phases(), 2, "whose turn it is is known");
        let ended = lanes_agree(&game, &mut [lanes], &walks(), 60);
        assert!(ended > 100, "{}: {ended} games ended", vectors.name());
    }
}

#[test]
fn uniform_playouts_are_those_of_the_machine() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    let mut results = Vec::new();
    for vectors in Vectors::available() {
        let mut lanes = game.lanes_with(512, vectors);
        let done = lanes.random_playouts(4000, &mut Seed::new(1).rng());
        // X wins 0.585 and draws 0.127 of all uniform games, which have 7.653 steps.
        let mean = done.scores[0] / done.count as f64;
        assert!((mean - 0.6484).abs() < 0.003, "{mean}");
        assert_eq!((done.scores[0] + done.scores[1]).round() as u64, done.count);
        let length = done.steps as f64 / done.count as f64;
        assert!((length - 7.653).abs() < 0.02, "{length}");
        results.push(done);
    }
    assert!(results.iter().all(|done| *done == results[0]), "{results:?}");
}

#[test]
fn playouts_begin_at_home() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    let mut lanes = game.lanes_with(1, Vectors::best());
    let mut state = game.initial();
    let [x, noop] =
        [game.parse_move(ludens_game::Role(0), "(mark 2 2)"), game.parse_move(ludens_game::Role(1), "noop")];
    game.advance(&mut state, &[x.unwrap(), noop.unwrap()]);
    for lane in 0..lanes.lanes() {
        lanes.set_home(lane, game.row(&state).unwrap());
    }
    let done = lanes.random_playouts(4000, &mut Seed::new(1).rng());
    let length = done.steps as f64 / done.count as f64;
    assert!(length < 6.7, "{length}");
}

/// Two players show numbers at the same time; the sum moves a marker along a ring.
const RING: &str = "
(role left) (role right)
(number 0) (number 1) (number 2)
(init (at 0)) (init (round 0))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 0)
(<= (legal ?r (show ?n)) (role ?r) (number ?n) (not (tired ?r ?n)))
(<= (tired ?r 2) (role ?r) (true (showed ?r 2)))
(<= (next (showed ?r ?n)) (does ?r (show ?n)))
(<= (plus ?x 0 ?x) (after ?x ?y))
(<= (plus ?x 1 ?y) (after ?x ?y))
(<= (plus ?x 2 ?z) (after ?x ?y) (after ?y ?z))
(<= (next (at ?z)) (true (at ?x)) (does left (show ?a)) (does right (show ?b)) (plus ?x ?a ?y) (plus ?y ?b ?z))
(<= (next (round ?m)) (true (round ?n)) (later ?n ?m))
(later 0 1) (later 1 2) (later 2 3) (later 3 4) (later 4 5) (later 5 6) (later 6 7)
(<= terminal (true (at 4)))
(<= terminal (true (round 7)))
(<= (goal left 100) (true (at 4)))
(<= (goal left 0) (not (true (at 4))))
(<= (goal right 30) (true (at 4)) (true (showed right 1)))
(<= (goal right 70) (not (true (at 4))))
";

/// Three roles colour the nodes of a graph in turn; whoever joins the two ends with their colour wins. Whether a node is
/// joined is defined by itself, round the circles of the graph.
const PATHS: &str = "
(role red) (role green) (role blue)
(edge a b) (edge b c) (edge c d) (edge d e) (edge e f) (edge f a) (edge b e) (edge c f) (edge a d) (edge f g) (edge e g)
(<= (near ?x ?y) (edge ?x ?y))
(<= (near ?x ?y) (edge ?y ?x))
(<= (node ?x) (near ?x ?y))
(<= (init (free ?x)) (node ?x))
(init (turn red))
(follows red green) (follows green blue) (follows blue red)
(<= (legal ?r (take ?x)) (true (turn ?r)) (true (free ?x)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?s)) (true (turn ?r)) (follows ?r ?s))
(<= (next (has ?r ?x)) (does ?r (take ?x)))
(<= (next (has ?r ?x)) (true (has ?r ?x)))
(<= (next (free ?x)) (true (free ?x)) (not (taken ?x)))
(<= (taken ?x) (does ?r (take ?x)))
(<= (joined ?r a) (true (has ?r a)))
(<= (joined ?r ?y) (joined ?r ?x) (near ?x ?y) (true (has ?r ?y)))
(<= open (true (free ?x)))
(<= terminal (joined ?r g))
(<= terminal (not open))
(<= (goal ?r 100) (role ?r) (joined ?r g))
(<= (goal ?r 20) (role ?r) (not (joined ?r g)))
";

/// Each player moves twice before the other does.
const TWICE: &str = "
(role one) (role two)
(init (turn one first)) (init (left 9))
(<= (legal ?r (take 1)) (true (turn ?r ?t)))
(<= (legal ?r (take 2)) (true (turn ?r second)) (not (true (left 1))))
(<= (legal ?r noop) (role ?r) (not (moves ?r)))
(<= (moves ?r) (true (turn ?r ?t)))
(<= (next (turn ?r second)) (true (turn ?r first)))
(<= (next (turn two first)) (true (turn one second)))
(<= (next (turn one first)) (true (turn two second)))
(less 9 8) (less 8 7) (less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (next (left ?m)) (true (left ?n)) (does ?r (take 1)) (less ?n ?m))
(<= (next (left ?m)) (true (left ?n)) (does ?r (take 2)) (less ?n ?k) (less ?k ?m))
(<= terminal (true (left 0)))
(<= (goal one 100) (true (left 0)) (moves two))
(<= (goal one 0) (true (left 0)) (moves one))
(<= (goal two 100) (true (left 0)) (moves one))
(<= (goal two 0) (true (left 0)) (moves two))
";

/// Whoever takes two moves again, so that nobody knows whose turn it is from the number of steps.
const AGAIN: &str = "
(role one) (role two)
(init (turn one)) (init (left 7))
(<= (legal ?r (take 1)) (true (turn ?r)))
(<= (legal ?r (take 2)) (true (turn ?r)) (not (true (left 1))))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?r)) (does ?r (take 2)))
(<= (next (turn ?s)) (does ?r (take 1)) (role ?s) (distinct ?s ?r))
(less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (next (left ?m)) (true (left ?n)) (does ?r (take 1)) (less ?n ?m))
(<= (next (left ?m)) (true (left ?n)) (does ?r (take 2)) (less ?n ?k) (less ?k ?m))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (role ?r) (true (turn ?r)))
(<= (goal ?r 0) (role ?r) (not (true (turn ?r))))
";

#[test]
fn games_of_all_kinds_on_all_vectors() {
    for (name, text, phases) in [("ring", RING, 1), ("paths", PATHS, 3), ("twice", TWICE, 4), ("again", AGAIN, 1)] {
        let game = machine(name, text);
        for vectors in Vectors::available() {
            let lanes = game.lanes_with(1024, vectors);
            assert_eq!(lanes.phases(), phases, "{name}");
            let ended = lanes_agree(&game, &mut [lanes], &walks(), 90);
            assert!(ended > 100, "{name}: {ended} games ended");
        }
    }
}

#[test]
fn uniform_playouts_of_all_kinds_have_the_scores_of_single_ones() {
    for (name, text) in [("ring", RING), ("paths", PATHS), ("twice", TWICE), ("again", AGAIN)] {
        let game = machine(name, text);
        let mut rng = Seed::new(8).rng();
        let (mut steps, mut sums) = (0, vec![0.0; game.roles()]);
        const COUNT: u32 = 20_000;
        for _ in 0..COUNT {
            let mut state = game.initial();
            steps += game.playout(&mut state, &mut rng, u32::MAX);
            let mut scores = vec![0.0; game.roles()];
            assert!(game.scores(&state, &mut scores));
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
        let mut lanes = game.lanes_with(512, Vectors::best());
        let done = lanes.random_playouts(3000, &mut rng);
        let length = done.steps as f64 / done.count as f64;
        let expected = f64::from(steps) / f64::from(COUNT);
        // Five standard errors of the mean of 20,000 lengths whose deviation is below 2.
        assert!((length - expected).abs() < 0.07, "{name}: {length} steps, not {expected}");
        for (ours, theirs) in done.scores.iter().zip(&sums) {
            let (ours, theirs) = (ours / done.count as f64, theirs / f64::from(COUNT));
            assert!((ours - theirs).abs() < 0.018, "{name}: {ours}, not {theirs}");
        }
    }
}

#[test]
fn lanes_live_side_by_side() {
    // Each lane has a home of its own; going home and playing at once is one tick.
    let game = machine("paths", PATHS);
    let mut lanes = game.lanes_with(512, Vectors::best());
    let mut states = Vec::new();
    for lane in 0..lanes.lanes() {
        let mut rng = Seed::new(lane as u64).rng();
        let mut state = game.initial();
        let steps = lane as u32 % 5;
        assert_eq!(game.playout(&mut state, &mut rng, steps), steps);
        lanes.set_home(lane, game.row(&state).unwrap());
        states.push(state);
    }
    for _ in 0..6 {
        let here: Vec<usize> =
            (0..512).filter(|&lane| lanes.phase_of(game.row(&states[lane]).unwrap()) == lanes.phase()).collect();
        let mut after = Vec::new();
        for &lane in &here {
            lanes.rewind(lane);
            let mut legal = Vec::new();
            let joint = ludens_game::Role::all(3).map(|role| {
                game.legals(&states[lane], role, &mut legal);
                lanes.play(lane, role, legal[lane % legal.len()]);
                legal[lane % legal.len()]
            });
            let joint: Vec<_> = joint.collect();
            let mut state = states[lane].clone();
            game.advance(&mut state, &joint);
            after.push(state);
        }
        lanes.tick();
        let mut row = vec![0; lanes.state_words()];
        for (&lane, state) in here.iter().zip(&after) {
            lanes.store(lane, &mut row);
            assert_eq!(game.state(&row), *state, "lane {lane}");
        }
    }
}

/// What handles all lanes alike agrees with what looks at single ones: draws are legal and uniform, illegal moves are refused, a tick
/// without lists leads to the same states.
#[test]
fn all_lanes_are_played_at_once_as_they_are_one_by_one() {
    let game = machine("tictactoe", TIC_TAC_TOE);
    let [first, second] = [Role(0), Role(1)];
    let mut results = Vec::new();
    for vectors in Vectors::available() {
        let (mut all, mut single) = (game.lanes_with(1024, vectors), game.lanes_with(1024, vectors));
        let mut rng = Seed::new(3).rng();
        let mut drawn = vec![WAIT; 1024];
        let mut ended = Vec::new();
        for step in 0..5 {
            let (decider, other) = if step % 2 == 0 { (first, second) } else { (second, first) };
            all.draw_each(decider, &mut rng, &mut drawn);
            let waiting = single.legal(0, other).moves[0];
            if step == 0 {
                for mark in 0..9 {
                    let count = drawn.iter().filter(|&&mv| mv == Move(mark)).count();
                    assert!((70..160).contains(&count), "{count} of 1024 draws among nine moves");
                }
            }
            let taken = single.legal(77, decider).moves.iter().copied().find(|&mv| !single.legal(77, decider).has(mv));
            if let Some(taken) = taken {
                let mut wrong = drawn.clone();
                wrong[77] = taken;
                assert_eq!(all.play_each(decider, &wrong), Err(77));
            }
            let others = vec![waiting; 1024];
            assert_eq!((all.play_each(decider, &drawn), all.play_each(other, &others)), (Ok(()), Ok(())));
            for (lane, &mv) in drawn.iter().enumerate() {
                assert!(single.legal(lane, decider).has(mv), "{mv:?} in lane {lane}");
                single.play(lane, decider, mv);
                single.play(lane, other, waiting);
            }
            all.tick_unlisted();
            single.tick();
            all.list_ended(&mut ended);
            ended.sort_unstable();
            assert_eq!(ended, (0..1024).filter(|&lane| single.is_terminal(lane)).collect::<Vec<_>>());
        }
        all.list_legal();
        let (mut left, mut right) = (vec![0; all.state_words()], vec![0; all.state_words()]);
        for lane in 0..1024 {
            all.store(lane, &mut left);
            single.store(lane, &mut right);
            assert_eq!(left, right);
            let [mut theirs, mut ours] = [Vec::new(), Vec::new()];
            single.legal(lane, second).list(&mut theirs);
            all.legal(lane, second).list(&mut ours);
            assert_eq!(ours, theirs);
        }
        results.push(drawn);
    }
    assert!(results.iter().all(|drawn| *drawn == results[0]), "the vectors make no difference");
}
