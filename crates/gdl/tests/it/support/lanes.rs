//! Walks of machine and lanes together.

use ludens_game::{Game, Lanes, Move, Rng, Role, Seed};
use ludens_gdl::{GdlGame, LaneMachine, Machine};

/// What one lane walks: joint moves that are given, then random ones.
pub struct Walk {
    pub lane: usize,
    pub given: Vec<Vec<Move>>,
}

/// The other engine's view of a lane.
struct Mirror<'w> {
    lane: usize,
    given: std::slice::Iter<'w, Vec<Move>>,
    state: <Machine as Game>::State,
    rng: Rng,
    /// It goes home as soon as the phase is right.
    is_over: bool,
}

/// Plays walks in lanes for some ticks, or until all given moves are played; in every state both engines must tell the same of each of them.
///
/// Several sets of lanes walk alike: the machine, which takes longer on large sheets, computes every state once for all of them.
/// Lanes whose game is over wait for their scores, and then begin again. Returns how many games ended.
pub fn lanes_agree(machine: &Machine, sets: &mut [LaneMachine], walks: &[Walk], ticks: u32) -> u32 {
    let initial = machine.initial();
    let home = machine.row(&initial).expect("machines have rows").to_vec();
    let home_phase = sets[0].phase_of(&home);
    let mut mirrors: Vec<Mirror<'_>> = walks
        .iter()
        .map(|walk| Mirror {
            lane: walk.lane,
            given: walk.given.iter(),
            state: initial.clone(),
            rng: Seed::new(3).at(walk.lane as u64).rng(),
            is_over: true,
        })
        .collect();
    let mut ended = 0;
    let mut legal = Vec::new();
    let is_stuck = machine.is_terminal(&initial)
        || Role::all(machine.roles()).any(|role| {
            machine.legals(&initial, role, &mut legal);
            legal.is_empty()
        });
    for tick in 0.. {
        if tick >= ticks && mirrors.iter().all(|mirror| mirror.given.len() == 0) {
            break;
        }
        let phase = sets[0].phase();
        let next_phase = (phase + 1) % sets[0].phases();
        for mirror in &mut mirrors {
            // A lane may go home to be looked at there, or to play at once if it can.
            let looks = is_stuck || mirror.rng.chance(0.5);
            let fits = if looks { next_phase == home_phase } else { phase == home_phase };
            if mirror.is_over && fits {
                mirror.state = initial.clone();
                mirror.is_over = false;
                sets.iter_mut().for_each(|lanes| lanes.rewind(mirror.lane));
                if looks {
                    continue;
                }
            }
            mirror.is_over = mirror.is_over || !step(machine, sets, mirror);
        }
        sets.iter_mut().for_each(LaneMachine::tick);
        let at_end: Vec<bool> =
            mirrors.iter().map(|mirror| !mirror.is_over && compare(machine, sets, mirror)).collect();
        // Scores wait for a while.
        for (mirror, at_end) in mirrors.iter_mut().zip(at_end) {
            mirror.is_over |= at_end;
        }
        assert!(tick < ticks + 1000, "{}: given moves were not played", machine.name());
        if tick % 3 == 2 {
            sets.iter_mut().for_each(LaneMachine::compute_scores);
            for mirror in mirrors.iter().filter(|mirror| mirror.is_over) {
                ended += u32::from(compare_end(machine, sets, mirror));
            }
        }
    }
    ended
}

/// Makes a move in both engines, unless some role has none.
fn step(machine: &Machine, sets: &mut [LaneMachine], mirror: &mut Mirror<'_>) -> bool {
    let mut legal = Vec::new();
    let mut joint = Vec::new();
    for role in Role::all(machine.roles()) {
        machine.legals(&mirror.state, role, &mut legal);
        if legal.is_empty() || machine.is_terminal(&mirror.state) {
            return false;
        }
        joint.push(legal[mirror.rng.below(legal.len() as u32) as usize]);
    }
    if let Some(given) = mirror.given.next() {
        joint.clone_from(given);
    }
    for (role, &mv) in Role::all(joint.len()).zip(&joint) {
        sets.iter_mut().for_each(|lanes| lanes.play(mirror.lane, role, mv));
    }
    machine.advance(&mut mirror.state, &joint);
    true
}

/// Compares a lane that waits with its mirror; whether its game is over.
fn compare_end(machine: &Machine, sets: &[LaneMachine], mirror: &Mirror<'_>) -> bool {
    let (mut expected, mut scores) = (vec![0.0; machine.roles()], vec![0.0; machine.roles()]);
    let is_over = machine.scores(&mirror.state, &mut expected);
    for (set, lanes) in sets.iter().enumerate() {
        let mut row = vec![0; lanes.state_words()];
        lanes.store(mirror.lane, &mut row);
        assert_eq!(machine.state(&row), mirror.state, "{}", place(machine, set, mirror));
        if is_over {
            assert!(lanes.is_terminal(mirror.lane));
            lanes.scores(mirror.lane, &mut scores);
            assert_eq!(scores, expected, "{}", place(machine, set, mirror));
        }
    }
    is_over
}

/// Compares a lane that has just moved with its mirror; whether its game is over.
fn compare(machine: &Machine, sets: &[LaneMachine], mirror: &Mirror<'_>) -> bool {
    let expected = machine.row(&mirror.state).expect("machines have rows");
    let hash = machine.hash(&mirror.state);
    let terminal = machine.is_terminal(&mirror.state);
    let moves_of = |role| {
        let mut moves = Vec::new();
        machine.legals(&mirror.state, role, &mut moves);
        moves
    };
    let legal: Vec<Vec<Move>> = if terminal { Vec::new() } else { Role::all(machine.roles()).map(moves_of).collect() };
    for (set, lanes) in sets.iter().enumerate() {
        let place = || place(machine, set, mirror);
        let mut row = vec![0; lanes.state_words()];
        lanes.store(mirror.lane, &mut row);
        if row != expected {
            let state = machine.state(&row);
            assert_eq!(machine.facts(&state), machine.facts(&mirror.state), "{}", place());
        }
        assert_eq!(machine.state(&row), mirror.state, "{}", place());
        assert_eq!(Some(lanes.hash(&row)), hash);
        assert_eq!(lanes.phase_of(&row), lanes.phase(), "{}", place());
        assert_eq!(lanes.is_terminal(mirror.lane), terminal, "{}", place());
        for (role, theirs) in Role::all(legal.len()).zip(&legal) {
            let mut ours = Vec::new();
            let legal = lanes.legal(mirror.lane, role);
            legal.list(&mut ours);
            assert_eq!(&ours, theirs, "{} {role:?}", place());
            assert_eq!(legal.count() as usize, ours.len());
        }
    }
    terminal
}

fn place(machine: &Machine, set: usize, mirror: &Mirror<'_>) -> String {
    format!("{} set {set} lane {}", machine.name(), mirror.lane)
}
