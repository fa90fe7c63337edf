//! Which relations depend on which.

use crate::components::components;
use crate::rules::{Condition, Relation, Rules, relation};

/// What is known of the relations of a sheet without looking at any instance.
#[derive(Clone, Debug)]
pub(crate) struct Dependencies {
    /// The component of every relation; what a relation depends on has the same or a lower number.
    pub(crate) component: Vec<u32>,
    /// Whether a relation depends on itself.
    pub(crate) recursive: Vec<bool>,
    /// Whether a relation depends on `true`.
    pub(crate) on_state: Vec<bool>,
    /// Whether a relation depends on `does`.
    pub(crate) on_moves: Vec<bool>,
    /// Whether a relation is negated within its own component.
    pub(crate) negates_itself: Vec<bool>,
}

impl Dependencies {
    pub(crate) fn new(rules: &Rules) -> Dependencies {
        let count = rules.relations.len();
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut negative = Vec::new();
        for clause in &rules.clauses {
            for condition in &clause.body {
                match condition {
                    Condition::Holds(atom) => edges[clause.head.relation.index()].push(atom.relation.0),
                    Condition::Fails(atom) => {
                        edges[clause.head.relation.index()].push(atom.relation.0);
                        negative.push((clause.head.relation, atom.relation));
                    }
                    Condition::Distinct(..) => {}
                }
            }
        }
        for targets in &mut edges {
            targets.sort_unstable();
            targets.dedup();
        }
        let component = components(count, |node| &edges[node]);
        let mut members = vec![0_u32; count];
        for &c in &component {
            members[c as usize] += 1;
        }
        let recursive = (0..count)
            .map(|node| members[component[node] as usize] > 1 || edges[node].contains(&(node as u32)))
            .collect();
        let mut negative_component = vec![false; count];
        for (head, negated) in negative {
            if component[head.index()] == component[negated.index()] {
                negative_component[component[head.index()] as usize] = true;
            }
        }
        let negates_itself = component.iter().map(|&c| negative_component[c as usize]).collect();
        let reaching = |target| reaching(&edges, target);
        let (on_state, on_moves) = (reaching(relation::TRUE), reaching(relation::DOES));
        Dependencies { component, recursive, on_state, on_moves, negates_itself }
    }

    /// Whether a relation is the same in every state.
    pub(crate) fn is_static(&self, relation: Relation) -> bool {
        !self.on_state[relation.index()] && !self.on_moves[relation.index()]
    }
}

/// The relations that depend on `target`, and itself.
fn reaching(edges: &[Vec<u32>], target: Relation) -> Vec<bool> {
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (user, targets) in edges.iter().enumerate() {
        for &used in targets {
            users[used as usize].push(user as u32);
        }
    }
    let mut reached = vec![false; edges.len()];
    let mut open = vec![target.0];
    while let Some(relation) = open.pop() {
        if !std::mem::replace(&mut reached[relation as usize], true) {
            open.extend(&users[relation as usize]);
        }
    }
    reached
}
