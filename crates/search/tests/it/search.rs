//! What a search finds, on games whose values are known.

use crate::common::{choose, player};
use ludens_game::toy::TicTacToe;
use ludens_game::{
    Game, Move, Role, Seed,
    toy::{Bandit, Node, Pennies, Pit, Race, Tree},
};
use ludens_search::{Budget, POLICIES, Player, RANDOM, SELECTS, isolate, presets};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

fn end(a: f64) -> Node {
    Node::End(vec![a, 1.0 - a])
}

/// Role 0 chooses, role 1 answers. A mean over answers would prefer the first branch; its value is the second one's.
fn trap() -> Tree {
    let reply = |scores: &[f64]| Node::Choice(Role(1), scores.iter().map(|&score| end(score)).collect());
    Tree::new(2, Node::Choice(Role(0), vec![reply(&[1.0, 1.0, 0.0, 1.0]), reply(&[0.6, 0.6]), end(0.4)]))
}

#[test]
fn exact_values_on_trees() {
    let game = Arc::new(trap());
    assert_eq!(game.value(), [0.6, 0.4]);
    for spec in ["uct", "uct(fpu=1)", "uct+mast", "uct(unvisited=policy)+ppa", "uct(c=1)+nppa", "uct@tt=off"] {
        let mut search = player(&game, 0, spec, 1);
        assert_eq!(choose(&mut search, 4000), Move(1), "{spec}");
        let report = search.report();
        assert_eq!(report.arms[0].mv, Move(1));
        assert!((report.arms[0].score.unwrap() - 0.6).abs() < 1e-9, "{spec}: {report:?}");
    }
}

#[test]
fn the_solver_proves_values_and_stops() {
    let win = Node::Choice(Role(0), vec![end(0.0), Node::Choice(Role(1), vec![end(1.0), end(1.0)])]);
    let game = Arc::new(Tree::new(2, win));
    let mut search = player(&game, 0, "uct@solver=on", 1);
    assert_eq!(choose(&mut search, 100_000), Move(1));
    let report = search.report();
    assert_eq!(report.proven, Some(1.0));
    assert!(report.effort.simulations < 100, "{}", report.effort.simulations);
    // A position that is lost or drawn at best is proven too, and the best of the bad moves is chosen.
    let game = Arc::new(trap());
    let mut search = player(&game, 0, "uct@solver=on", 1);
    assert_eq!(choose(&mut search, 100_000), Move(1));
    assert_eq!(search.report().proven, Some(0.6));
    let mut without = player(&game, 0, "uct", 1);
    choose(&mut without, 1000);
    assert_eq!((without.report().proven, without.effort().simulations), (None, 1000));
}

#[test]
fn both_sides_of_a_penny_stay_alive() {
    let game = Arc::new(Pennies);
    for role in [0, 1] {
        let mut search = player(&game, role, "uct", 3);
        choose(&mut search, 10_000);
        for arm in search.report().arms {
            assert!((3000..=7000).contains(&arm.visits), "role {role}: {} has {} visits", arm.name, arm.visits);
        }
    }
}

#[test]
fn the_best_arm_of_a_bandit_is_pulled() {
    let game = Arc::new(Bandit::new(&[0.2, 0.9, 0.7, 0.1]));
    for select in SELECTS {
        assert_eq!(choose(&mut player(&game, 0, select.name, 1), 500), Move(1), "{}", select.name);
    }
}

/// The value for the role to move, by full search.
fn solve(game: &TicTacToe, state: &<TicTacToe as Game>::State) -> f64 {
    let mut scores = [0.0; 2];
    let Some(role) = next_role(game, state) else { unreachable!("only asked before the end") };
    let mut moves = Vec::new();
    game.legals(state, role, &mut moves);
    let mut best: f64 = 0.0;
    for mv in moves {
        let mut next = *state;
        ludens_game::TurnGame::play(game, &mut next, mv);
        let value = if game.scores(&next, &mut scores) { scores[role.index()] } else { 1.0 - solve(game, &next) };
        best = best.max(value);
    }
    best
}

fn next_role(game: &TicTacToe, state: &<TicTacToe as Game>::State) -> Option<Role> {
    match game.turn(state) {
        ludens_game::Turn::One(role) => Some(role),
        ludens_game::Turn::Many => None,
    }
}

/// Follows the search's moves against every possible reply; returns how many positions it had to play.
fn never_errs(game: &Arc<TicTacToe>, role: Role, line: &mut Vec<Move>) -> u32 {
    let mut state = game.initial();
    line.iter().for_each(|&mv| ludens_game::TurnGame::play(&**game, &mut state, mv));
    let mut scores = [0.0; 2];
    if game.scores(&state, &mut scores) {
        return 0;
    }
    let to_move = next_role(game, &state).expect("alternating");
    let mut positions = 0;
    let mut moves = Vec::new();
    game.legals(&state, to_move, &mut moves);
    if to_move == role {
        let value = solve(game, &state);
        let mut search = player(game, role.0, "uct(c=0.7)@solver=off", 5);
        for (step, &mv) in line.iter().enumerate() {
            let mut joint = [Move(9); 2];
            joint[step % 2] = mv;
            search.observe(&joint);
        }
        let mv = choose(&mut search, 3000);
        let mut next = state;
        ludens_game::TurnGame::play(&**game, &mut next, mv);
        let reached = if game.scores(&next, &mut scores) { scores[role.index()] } else { 1.0 - solve(game, &next) };
        assert_eq!(reached, value, "{} in {line:?}", mv.0);
        positions += 1;
        moves = vec![mv];
    }
    for mv in moves {
        line.push(mv);
        positions += never_errs(game, role, line);
        line.pop();
    }
    positions
}

#[test]
fn tic_tac_toe_is_played_perfectly() {
    let game = Arc::new(TicTacToe);
    for role in [Role(0), Role(1)] {
        let positions = never_errs(&game, role, &mut Vec::new());
        assert!(positions > 30, "{positions}");
    }
}

#[test]
fn every_rule_with_every_policy_plays_every_kind_of_game() {
    fn try_all<G: Game>(game: G) {
        let game = Arc::new(game);
        for select in SELECTS {
            for policy in POLICIES {
                let spec = format!("{}+{}", select.name, policy.name);
                for role in 0..game.roles() as u8 {
                    let mut search = player(&game, role, &spec, 7);
                    choose(&mut search, 200);
                    let report = search.report();
                    let visits: u64 = report.arms.iter().map(|arm| arm.visits).sum();
                    assert!(report.arms.is_empty() || visits == 200, "{spec} on {}: {visits}", game.name());
                    assert!(report.arms.iter().all(|arm| arm.score.is_none_or(|score| (0.0..=1.0).contains(&score))));
                }
            }
        }
    }
    try_all(Race::new(6));
    try_all(Pennies);
    try_all(Bandit::new(&[0.5, 0.6]));
    try_all(trap());
    try_all(TicTacToe);
}

#[test]
fn every_preset_plays_a_game_to_its_end() {
    let game = Arc::new(TicTacToe);
    for preset in presets() {
        if preset.name.ends_with("-learned") {
            continue; // 100,000 simulations beforehand: learned.rs
        }
        let mut players = [player(&game, 0, preset.name, 1), player(&game, 1, preset.name, 2)];
        let mut state = game.initial();
        while !game.scores(&state, &mut [0.0; 2]) {
            let joint: Vec<Move> = players.iter_mut().map(|player| choose(player, 60)).collect();
            game.advance(&mut state, &joint);
            players.iter_mut().for_each(|player| player.observe(&joint));
        }
    }
}

#[test]
fn a_player_started_again_is_like_a_new_one() {
    let game = Arc::new(Race::new(8));
    for policy in POLICIES {
        let spec = format!("grave(ref=5)+{}@think=every", policy.name);
        let play = |search: &mut ludens_search::Search<Race>| {
            let mut moves = Vec::new();
            for _ in 0..3 {
                let mv = choose(search, 100);
                moves.push((mv, search.report().arms));
                search.observe(&[mv, Move(0), Move(1)]);
            }
            moves
        };
        let mut search = player(&game, 0, &spec, 11);
        let first = play(&mut search);
        search.start(ludens_game::Seed::new(11));
        assert_eq!(play(&mut search), first, "{spec}");
        assert_eq!(play(&mut player(&game, 0, &spec, 11)), first, "{spec}");
    }
}

#[test]
fn threads_add_up_and_are_deterministic() {
    let game = Arc::new(TicTacToe);
    for spec in [
        "uct+ppa@threads=3",
        "uct+ppa@threads=3,tree=shared",
        "uct@threads=2,tree=shared",
        "amaf+lasting@threads=5,tree=shared,leaf=count",
        "grave+poolrave@threads=2,tree=shared,reuse=off",
    ] {
        let run = || {
            let mut search = player(&game, 0, spec, 2);
            let mv = choose(&mut search, 1000);
            (mv, search.report().arms, search.effort().simulations)
        };
        let (mv, arms, simulations) = run();
        assert_eq!((simulations, arms.iter().map(|arm| arm.visits).sum::<u64>()), (1000, 1000), "{spec}");
        assert_eq!((mv, arms), (run().0, run().1), "{spec}");
    }
}

#[test]
fn threads_with_one_tree_prove_what_one_thread_proves() {
    // X wins by force: O has taken an edge.
    for spec in ["uct@solver=on,decisive=1", "uct@solver=on,decisive=1,threads=4,tree=shared"] {
        let mut search = after(&[4, 1], 0, spec);
        choose(&mut search, 5000);
        assert_eq!(search.report().proven, Some(1.0), "{spec}");
        assert!(search.effort().simulations < 5000, "{spec}: a search that proves the root ends");
    }
}

#[test]
fn a_full_tree_stops_growing_and_the_search_goes_on() {
    let game = Arc::new(TicTacToe);
    let mut search = player(&game, 0, "uct@mem=64KiB", 2);
    choose(&mut search, 20_000);
    let report = search.report();
    assert!((60_000..70_000).contains(&report.tree_bytes), "{}", report.tree_bytes);
    assert!(report.is_full);
    assert_eq!(report.arms.iter().map(|arm| arm.visits).sum::<u64>(), 20_000);
}

#[test]
fn the_tree_is_kept_or_not() {
    let game = Arc::new(TicTacToe);
    for (settings, kept) in [
        ("tt=on", true),
        ("tt=off", true),
        ("reuse=off", false),
        ("threads=3,tree=shared", true),
        ("threads=3,tree=shared,reuse=off", false),
    ] {
        let mut search = player(&game, 0, &format!("uct@{settings}"), 2);
        let mv = choose(&mut search, 2000);
        search.observe(&[mv, Move(9)]);
        let reply = (0..9).map(Move).find(|&reply| reply != mv).unwrap();
        search.observe(&[Move(9), reply]);
        choose(&mut search, 100);
        let visits: u64 = search.report().arms.iter().map(|arm| arm.visits).sum();
        assert_eq!(visits > 100, kept, "{settings}: {visits}");
    }
}

#[test]
fn nothing_is_searched_where_nothing_is_to_decide() {
    let game = Arc::new(TicTacToe);
    let mut search = player(&game, 1, "uct", 2);
    assert_eq!((choose(&mut search, 100), search.effort().simulations), (Move(9), 0));
    let mut search = player(&game, 1, "uct@think=every", 2);
    assert_eq!((choose(&mut search, 100), search.effort().simulations), (Move(9), 100));
}

#[test]
fn simulations_end_at_the_depth_limit() {
    let game = Arc::new(Race::new(1000));
    let mut search = player(&game, 0, "uct@depth=10", 2);
    choose(&mut search, 300);
    assert_eq!(search.effort().steps, 3000);
    assert!(search.report().arms.iter().all(|arm| arm.score == Some(0.5)));
}

#[test]
fn extreme_learning_rates_do_no_harm() {
    let game = Arc::new(TicTacToe);
    for spec in ["uct+ppa(alpha=1000000)", "uct+nppa(alpha=1000000,V=1)", "uct+ppa(alpha=1000000,k=1000)"] {
        let mut search = player(&game, 0, spec, 2);
        choose(&mut search, 2000);
        assert!(search.report().policy_values.iter().all(|policy| policy.value.is_finite()), "{spec}");
    }
}

#[test]
fn time_budgets_are_kept_and_stops_are_heard() {
    let game = Arc::new(TicTacToe);
    let mut search = player(&game, 0, "uct+ppa", 2);
    let budget = Budget { start: Some(Duration::from_millis(60)), ..Budget::time(Duration::from_millis(20)) };
    let mut spend = || {
        search.start(Seed::new(2));
        let begun = Instant::now();
        search.choose(&budget, &|| false);
        begun.elapsed()
    };
    // A busy machine may delay one search, but not all of them.
    let spent: Vec<Duration> = (0..10).map(|_| spend()).collect();
    assert!(spent.iter().all(|&spent| spent >= Duration::from_millis(60)), "{spent:?}");
    assert!(spent.iter().any(|&spent| spent < Duration::from_millis(100)), "{spent:?}");
    let asked = std::cell::Cell::new(0);
    search.choose(&Budget::simulations(u64::MAX), &|| {
        asked.set(asked.get() + 1);
        asked.get() > 50
    });
    assert_eq!(search.effort().simulations, 50);
    let mut search = player(&game, 0, "uct", 2);
    search.choose(&"nodes=40".parse().unwrap(), &|| false);
    assert_eq!(search.report().nodes, 40);
}

#[test]
fn random_draws_every_move_and_depends_on_the_seed_alone() {
    let game = Arc::new(Bandit::new(&[0.0, 0.5, 1.0]));
    let mut player = player(&game, 0, RANDOM, 0);
    let mut counts = [0; 3];
    for seed in 0..3000 {
        player.start(Seed::new(seed));
        let (mv, effort) = player.choose(&Budget::simulations(100), &|| false);
        assert_eq!((player.choose(&Budget::simulations(1), &|| false).0, effort.simulations), (mv, 0));
        counts[mv.index()] += 1;
    }
    // Each has a third of 3,000; 5 standard deviations are 129.
    assert!(counts.iter().all(|count| (871..=1129).contains(count)), "{counts:?}");
}

#[test]
fn a_panic_in_any_thread_reaches_whoever_asked() {
    for spec in ["uct@threads=2", "uct@threads=3,tree=shared"] {
        let mut player = player(&Arc::new(Pit), 0, spec, 1);
        let panicked = isolate(|| player.choose(&Budget::simulations(200), &|| false)).unwrap_err();
        assert!(panicked.to_string().starts_with("fell into the pit at "), "{spec}: {panicked}");
    }
}

/// A player in tic-tac-toe after some cells have been taken in turn.
fn after(cells: &[u32], role: u8, spec: &str) -> ludens_search::Search<TicTacToe> {
    let mut search = player(&Arc::new(TicTacToe), role, spec, 1);
    let noop = Move(9);
    for (step, &cell) in cells.iter().enumerate() {
        search.observe(&if step % 2 == 0 { [Move(cell), noop] } else { [noop, Move(cell)] });
    }
    search
}

#[test]
fn a_decisive_move_is_seen_at_once_and_an_anti_decisive_one_soon() {
    // X has 0 and 1 and moves: cell 2 wins. One simulation shows it.
    let mut winner = after(&[0, 3, 1, 4], 0, "uct@solver=on,decisive=1");
    assert_eq!(choose(&mut winner, 1), Move(2));
    assert_eq!(winner.report().proven, Some(1.0));
    // O moves and has to take cell 2. Every other move is proven lost at its second visit.
    let mut defender = after(&[0, 4, 1], 1, "uct@solver=on,decisive=1");
    assert_eq!(choose(&mut defender, 12), Move(2));
}

#[test]
fn a_node_with_many_moves_is_looked_at_later_and_one_with_very_many_never() {
    // One of so many moves wins at once, all others draw. What the look proves, and after how many simulations.
    let proven = |moves: usize, simulations: u64| {
        let ends = (0..moves).map(|mv| end(if mv == moves - 1 { 1.0 } else { 0.5 })).collect();
        let game = Arc::new(Tree::new(2, Node::Choice(Role(0), ends)));
        // The first of the unvisited arms is followed, so that only the look finds the last one.
        let mut search = player(&game, 0, "uct(unvisited=first)@solver=on,decisive=1", 1);
        choose(&mut search, simulations);
        search.report().proven
    };
    assert_eq!((proven(31, 1), proven(32, 1), proven(32, 2)), (Some(1.0), None, Some(1.0)));
    // 256 / 32 = 8 visits do not pay for the look, the ninth does.
    assert_eq!((proven(256, 8), proven(256, 9), proven(257, 200)), (None, Some(1.0), None));
}

/// Choices of role 0 down to draws, so many that a short search proves nothing.
fn draws(depth: u32) -> Node {
    match depth {
        0 => end(0.5),
        _ => Node::Choice(Role(0), (0..4).map(|_| draws(depth - 1)).collect()),
    }
}

#[test]
fn a_move_that_is_proven_lost_takes_no_part_any_more() {
    // Role 1 has one reply to the first move that wins, and eight that lose: its mean score is high until that reply is met.
    let mut replies: Vec<Node> = (0..8).map(|_| end(1.0)).collect();
    replies.push(end(0.0));
    let moves = vec![Node::Choice(Role(1), replies), draws(5), draws(5)];
    let game = Arc::new(Tree::new(2, Node::Choice(Role(0), moves)));
    for spec in ["uct@solver=on", "uct@solver=on,final=score", "rave@solver=on", "grave(c=0.4)@solver=on,final=score"] {
        let mut search = player(&game, 0, spec, 1);
        let chosen = choose(&mut search, 300);
        assert_ne!(chosen, Move(0), "{spec}");
        let arms = search.report().arms;
        let [lost, second, third] =
            [0, 1, 2].map(|mv| arms.iter().find(|arm| arm.mv == Move(mv)).map_or(0, |arm| arm.visits));
        // The rule goes on between the two others, which are worth the same.
        assert!(lost < 60 && second > 60 && third > 60, "{spec}: {lost}, {second}, {third}");
    }
}

#[test]
fn a_lost_position_is_defended_as_long_as_possible() {
    // X has 0 and 4, O has 1 and moves. Only 8 stops the diagonal, and then X plays 6, which threatens 2 and 3. So every move
    // loses, but 8 two steps later than all others.
    let mut loser = after(&[0, 1, 4], 1, "uct@solver=on");
    assert_eq!(choose(&mut loser, 20_000), Move(8));
    assert_eq!(loser.report().proven, Some(0.0));
}

#[test]
fn what_auto_plays_with_is_told() {
    let mut search = player(&Arc::new(TicTacToe), 0, "uct+auto(mast|nst)", 1);
    choose(&mut search, 300);
    let shares = search.report().shares;
    assert_eq!(shares.iter().map(|share| share.policy.as_str()).collect::<Vec<_>>(), ["mast", "nst"]);
    // Every playout belongs to one of them; some simulations end inside the tree.
    let playouts = shares.iter().map(|share| share.playouts).sum::<f64>();
    assert!((100.0..=300.0).contains(&playouts) && shares.iter().all(|share| share.playouts > 20.0), "{shares:?}");
    assert!(shares.iter().all(|share| share.score.is_some_and(|score| (0.0..=1.0).contains(&score))));
}

#[test]
fn discounted_scores_by_hand() {
    // Every simulation is cut off after 10 steps with the score 0.5, nine steps behind the moves at the root.
    let game = Arc::new(Race::new(1000));
    for (spec, score) in [("uct@depth=10,discount=0.5", 0.5 / 512.0), ("uct+mast@depth=10,discount=0.5", 0.5 / 512.0)] {
        let mut search = player(&game, 0, spec, 2);
        choose(&mut search, 300);
        assert!(search.report().arms.iter().all(|arm| arm.score == Some(score)), "{spec}");
    }
    // The move itself ends the game, so that there is nothing to discount; or the answer to it does.
    let later = Node::Choice(Role(1), vec![end(0.8), end(0.8)]);
    let game = Arc::new(Tree::new(2, Node::Choice(Role(0), vec![end(0.6), later])));
    let mut search = player(&game, 0, "uct@discount=0.5", 1);
    assert_eq!(choose(&mut search, 200), Move(0));
    let scores = search.report().arms.iter().map(|arm| (arm.mv.0, arm.score.unwrap())).collect::<Vec<_>>();
    assert!((scores[0].1 - 0.6).abs() < 1e-9 && (scores[1].1 - 0.4).abs() < 1e-9, "{scores:?}");
}

#[test]
fn differences_prefer_the_lead_to_the_score() {
    // 0.9 against 0.9 is a lead of nothing, 0.5; 0.6 against 0.2 one of 0.4, (1 + 0.4)/2 = 0.7.
    let ends = vec![Node::End(vec![0.9, 0.9]), Node::End(vec![0.6, 0.2])];
    let game = Arc::new(Tree::new(2, Node::Choice(Role(0), ends)));
    for (spec, best, score) in
        [("uct", 0, 0.9), ("uct@goals=difference", 1, 0.7), ("uct@goals=difference,solver=on", 1, 0.7)]
    {
        let mut search = player(&game, 0, spec, 1);
        assert_eq!(choose(&mut search, 100), Move(best), "{spec}");
        let found = search.report().arms.iter().find(|arm| arm.mv == Move(best)).unwrap().score.unwrap();
        assert!((found - score).abs() < 1e-9, "{spec}: {found}");
    }
}

#[test]
fn every_role_uses_a_start_clock_and_keeps_what_it_found() {
    let game = Arc::new(TicTacToe);
    let budget: Budget = "first=300,sims=100".parse().unwrap();
    let searched = |role: u8, spec: &str| {
        let mut search = player(&game, role, spec, 5);
        let mut made = Vec::new();
        for cell in 0..3 {
            search.choose(&budget, &|| false);
            made.push(search.effort().simulations);
            let (mover, noop) = (Move(cell), Move(9));
            search.observe(&if cell % 2 == 0 { [mover, noop] } else { [noop, mover] });
        }
        made
    };
    assert_eq!(searched(0, "uct"), [300, 0, 100]);
    assert_eq!(searched(1, "uct"), [300, 100, 0]);
    assert_eq!(searched(1, "uct@think=every"), [300, 100, 100]);
    assert_eq!(searched(0, "uct@pace=0.5"), [150, 0, 50]);
    // The second role has visited the answers to the first cell before it is asked for one.
    let mut search = player(&game, 1, "uct", 5);
    search.choose(&budget, &|| false);
    search.observe(&[Move(0), Move(9)]);
    search.choose(&Budget::simulations(1), &|| false);
    assert!(search.report().arms.iter().map(|arm| arm.visits).sum::<u64>() > 10);
}

#[test]
fn a_number_of_steps_ends_with_the_simulation_that_reaches_it() {
    // A simulation of tic-tac-toe has at most nine steps.
    for spec in ["uct", "uct+mast@leaf=count"] {
        let mut search = player(&Arc::new(TicTacToe), 0, spec, 1);
        let (_, effort) = search.choose(&"steps=200".parse().expect("a budget"), &|| false);
        assert!((200..209).contains(&effort.steps), "{spec}: {} steps", effort.steps);
        assert!(effort.simulations > 200 / 9 && effort.simulations < 200, "{spec}: {} simulations", effort.simulations);
    }
}
