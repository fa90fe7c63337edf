//! [`Graph`]: which relation asks for which, with the place of every question.

use super::walk;
use crate::ast::{Atom, Sheet};
use crate::components::components;
use crate::diagnostic::Span;
use crate::symbols::{Symbol, keyword};
use rustc_hash::FxHashMap;

/// A name with a number of arguments.
pub(super) type Relation = (Symbol, usize);

/// The relations of a sheet as nodes, the conditions of its rules as edges.
pub(super) struct Graph {
    pub(super) relations: Vec<Relation>,
    numbers: FxHashMap<Relation, u32>,
    /// What every relation asks for.
    pub(super) edges: Vec<Vec<Edge>>,
    /// The component of every relation: relations that depend on each other share one.
    component: Vec<u32>,
    /// Per component, whether its relations depend on themselves.
    cyclic: Vec<bool>,
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// The condition.
    pub(super) span: Span,
}

pub(super) fn relation_of(atom: &Atom) -> Relation {
    (atom.name, atom.args.len())
}

impl Graph {
    pub(super) fn new(sheet: &Sheet) -> Graph {
        let mut graph = Graph {
            relations: Vec::new(),
            numbers: FxHashMap::default(),
            edges: Vec::new(),
            component: Vec::new(),
            cyclic: Vec::new(),
        };
        for rule in &sheet.rules {
            let head = graph.add(relation_of(&rule.head));
            // Keywords out of place are errors of their own, from which nothing follows.
            if matches!(rule.head.name, keyword::TRUE | keyword::DOES) {
                continue;
            }
            walk::conditions(&rule.body, &mut |atom, _| {
                if matches!(atom.name, keyword::INIT | keyword::NEXT | keyword::BASE | keyword::INPUT) {
                    return;
                }
                let to = graph.add(relation_of(atom));
                graph.edges[head as usize].push(Edge { to, span: atom.span });
            });
        }
        let targets: Vec<Vec<u32>> =
            graph.edges.iter().map(|edges| edges.iter().map(|edge| edge.to).collect()).collect();
        graph.component = components(targets.len(), |node| &targets[node]);
        graph.cyclic = vec![false; targets.len()];
        for (node, targets) in targets.iter().enumerate() {
            let component = graph.component[node];
            if targets.iter().any(|&target| graph.component[target as usize] == component) {
                graph.cyclic[component as usize] = true;
            }
        }
        graph
    }

    fn add(&mut self, relation: Relation) -> u32 {
        *self.numbers.entry(relation).or_insert_with(|| {
            self.relations.push(relation);
            self.edges.push(Vec::new());
            self.relations.len() as u32 - 1
        })
    }

    pub(super) fn find(&self, relation: Relation) -> Option<u32> {
        self.numbers.get(&relation).copied()
    }

    /// The component of a relation that depends on itself; `None` for the others.
    pub(super) fn cycle_of(&self, atom: &Atom) -> Option<u32> {
        let component = self.component[self.find(relation_of(atom))? as usize];
        self.cyclic[component as usize].then_some(component)
    }

    /// A shortest chain of questions that leads from one relation to another.
    pub(super) fn path(&self, from: u32, to: u32) -> Option<Vec<Edge>> {
        let mut reached: FxHashMap<u32, (u32, Edge)> = FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &edge in &self.edges[node as usize] {
                if edge.to == to {
                    let mut path = vec![edge];
                    let mut at = node;
                    while at != from {
                        let (before, edge) = reached[&at];
                        path.push(edge);
                        at = before;
                    }
                    path.reverse();
                    return Some(path);
                }
                if edge.to != from && !reached.contains_key(&edge.to) {
                    reached.insert(edge.to, (node, edge));
                    queue.push_back(edge.to);
                }
            }
        }
        None
    }
}
