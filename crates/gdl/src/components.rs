//! Strongly connected components of a directed graph (Tarjan 1972), without recursion.

/// The component of every node. Components are numbered so that an edge never leads to a higher number: what a node leads
/// to comes first.
pub(crate) fn components<'g>(nodes: usize, edges: impl Fn(usize) -> &'g [u32]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; nodes];
    let mut low = vec![0_u32; nodes];
    let mut component = vec![UNSEEN; nodes];
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut seen, mut found) = (0, 0);
    for root in 0..nodes {
        if order[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                order[node] = seen;
                low[node] = seen;
                seen += 1;
                stack.push(node);
            }
            let targets = edges(node);
            let mut at = edge;
            let mut descend = None;
            while at < targets.len() {
                let target = targets[at] as usize;
                at += 1;
                if order[target] == UNSEEN {
                    descend = Some(target);
                    break;
                }
                if component[target] == UNSEEN {
                    low[node] = low[node].min(order[target]);
                }
            }
            if let Some(target) = descend {
                calls.push((node, at));
                calls.push((target, 0));
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_share_a_component_and_targets_come_first() {
        let edges: [&[u32]; 8] = [&[1], &[2, 3], &[0], &[4], &[5], &[4, 6], &[], &[7, 0]];
        let component = components(8, |node| edges[node]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[0], component[2]);
        assert_eq!(component[4], component[5]);
        let distinct: std::collections::BTreeSet<_> = component.iter().collect();
        assert_eq!(distinct.len(), 5);
        for (node, targets) in edges.iter().enumerate() {
            assert!(targets.iter().all(|&target| component[target as usize] <= component[node]));
        }
    }

    #[test]
    fn long_chains_need_no_stack() {
        let edges: Vec<[u32; 1]> = (0..1_000_000_u32).map(|n| [(n + 1) % 1_000_000]).collect();
        let component = components(edges.len(), |node| &edges[node]);
        assert!(component.iter().all(|&c| c == 0));
    }
}
