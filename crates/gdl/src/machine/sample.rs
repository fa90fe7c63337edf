//! Random walks through a network, from which the machine learns what is worth specialising.

use super::net::Net;
use ludens_game::Seed;

/// Steps of all walks together: as many as the work allows, counted in edges of the network, within these bounds.
const SAMPLE_STEPS: std::ops::RangeInclusive<usize> = 40..=400;
const SAMPLE_WORK: usize = 20_000_000;

/// Steps of one walk.
const WALK_STEPS: usize = 160;

/// A state.
pub(super) type Row = Vec<u64>;

/// The states of some random walks from the initial state.
pub(super) fn sample(net: &Net, initial: &[u64]) -> Vec<Vec<Row>> {
    let mut rng = Seed::new(0).named("sample").rng();
    let mut values = net.values();
    let mut walks = Vec::new();
    let mut joint = Vec::new();
    let mut steps = 0;
    let enough = (SAMPLE_WORK / net.size().max(1)).clamp(*SAMPLE_STEPS.start(), *SAMPLE_STEPS.end());
    while steps < enough {
        let mut row = initial.to_vec();
        let mut walk = vec![row.clone()];
        while walk.len() < WALK_STEPS.min(enough) {
            net.set_state(&mut values, &row);
            if net.is_terminal(&values) {
                break;
            }
            joint.clear();
            joint.extend((0..net.roles()).map_while(|role| net.random_legal(&values, role, &mut rng)));
            if joint.len() < net.roles() {
                break;
            }
            net.advance(&mut values, &joint, &mut row);
            walk.push(row.clone());
        }
        steps += walk.len();
        walks.push(walk);
    }
    walks
}
