//! Random small games, played by every engine: legal moves, next states, ends and goals must be the same.

use crate::support::{agree, interpreter, lanes};
use ludens_game::check::{Plan, conformance};
use ludens_game::{Game, Role, Seed};
use ludens_gdl::testing::random_sheet;
use ludens_gdl::{Engine, GdlGame, Limits, Machine, Vectors, open};

/// What the sheets should have shown, all together.
#[derive(Debug, Default)]
struct Seen {
    roles: [u32; 5],
    simultaneous: u32,
    moves_after_the_end: u32,
    idle_roles: u32,
    different_scores: u32,
}

/// Walks once through a game and notes what is special about it.
fn look(machine: &Machine, seed: u64, seen: &mut Seen) {
    let mut rng = Seed::new(seed).rng();
    let (mut state, mut legal, mut scores) = (machine.initial(), Vec::new(), vec![0.0; machine.roles()]);
    let (mut deciders_at_once, mut decides) = (0, vec![false; machine.roles()]);
    while !machine.scores(&state, &mut scores) {
        let (mut joint, mut deciders) = (Vec::new(), 0);
        for role in Role::all(machine.roles()) {
            machine.legals(&state, role, &mut legal);
            decides[role.index()] |= legal.len() > 1;
            deciders += u32::from(legal.len() > 1);
            joint.push(legal[rng.below(legal.len() as u32) as usize]);
        }
        deciders_at_once = deciders_at_once.max(deciders);
        machine.advance(&mut state, &joint);
    }
    machine.legals(&state, Role(0), &mut legal);
    seen.roles[machine.roles()] += 1;
    seen.simultaneous += u32::from(deciders_at_once > 1);
    seen.moves_after_the_end += u32::from(legal.len() > 1);
    seen.idle_roles += u32::from(decides.contains(&false));
    seen.different_scores += u32::from(scores.windows(2).any(|pair| pair[0] != pair[1]));
}

#[test]
fn all_engines_play_random_sheets_alike() {
    let mut seen = Seen::default();
    for number in 0..300 {
        let text = random_sheet(&mut Seed::new(7).at(number).rng());
        let name = format!("random {number}");
        let opened = open(&name, &text, Limits::DEFAULT);
        let opened = opened.unwrap_or_else(|remarks| panic!("{name} is refused: {remarks:#?}\n{text}"));
        let Engine::Machine(machine) = opened.engine else { panic!("{name} has no machine\n{text}") };
        println!("{name}\n{text}");
        let slow = interpreter(&name, &text);
        agree(&*machine, &slow, 4, 20);
        let plan = Plan { walks: 3, max_steps: 20, seed: number };
        conformance(&*machine, plan).unwrap();
        conformance(&slow, plan).unwrap();
        for vectors in Vectors::available() {
            let walks = [0, 3, 64, 511].map(|lane| lanes::Walk { lane, given: Vec::new() });
            lanes::lanes_agree(&machine, &mut [machine.lanes_with(512, vectors)], &walks, 30);
        }
        for role in Role::all(machine.roles()) {
            let here = machine.goals(&machine.initial(), role);
            assert_eq!(here.len(), 1, "{name}: the generator promises one goal");
        }
        look(&machine, number, &mut seen);
    }
    let enough = seen.roles[1..].iter().all(|&count| count > 30)
        && [seen.simultaneous, seen.moves_after_the_end, seen.idle_roles, seen.different_scores]
            .iter()
            .all(|&n| n > 30);
    assert!(enough, "the sheets are too much alike: {seen:?}");
}
