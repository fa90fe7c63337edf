//! Which moves precede a move, for the policies that learn sequences.

use crate::{
    params::{Args, Param},
    table::Context,
    trail::Trail,
};
use ludens_game::Role;

pub(crate) const L: Param = Param::whole("L", 3, (1, 3), "longest sequence of moves");
pub(crate) const V: Param = Param::whole("V", 7, (1, 65_535), "visits before a longer sequence is used");
pub(crate) const ORDER: Param =
    Param::word("order", &["cyclic", "acted"], "predecessor of a move: by role order, or the last role with a choice");

/// Whose moves count as predecessors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Of role p at step t: the moves of role p-1 at t-1 and of role p-2 at t-2, counted modulo the number of roles.
    Cyclic,
    /// The last two decisions of earlier steps, whoever made them.
    Acted,
}

/// The contexts of a move of which the grams of length 2 and 3 are made, as far as the trail reaches back.
pub(crate) type Contexts = [Option<Context>; 2];

impl Order {
    /// What the parameter `order` means.
    pub(crate) fn of(args: &Args) -> Order {
        if args.word("order") == "acted" { Order::Acted } else { Order::Cyclic }
    }

    /// The contexts of `role`'s move at `step` for grams of up to `length` moves.
    #[inline]
    pub(crate) fn contexts(self, trail: &Trail, step: usize, role: Role, length: usize) -> Contexts {
        let (previous, older) = match self {
            Order::Cyclic => {
                let back = |steps: usize, other: Role| Some(trail.code(step.checked_sub(steps)?, other));
                let other = trail.role_before(role);
                (back(1, other), back(2, trail.role_before(other)))
            }
            Order::Acted => {
                let before = trail.choices().partition_point(|choice| (choice.step as usize) < step);
                let back = |count: usize| before.checked_sub(count).map(|place| trail.choices()[place].code);
                (back(1), back(2))
            }
        };
        let one = previous.filter(|_| length >= 2).map(Context::one);
        let two = match (older, previous) {
            (Some(older), Some(previous)) if length >= 3 => Some(Context::two(older, previous)),
            _ => None,
        };
        [one, two]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::CodeSpace;

    /// Two roles with moves 0 to 9: codes 0 to 9 and 10 to 19; 9 is the noop. Role 0 moves twice before role 1 does.
    fn trail() -> Trail {
        let noop: (&[u32], usize) = (&[9], 0);
        Trail::by_hand(
            &CodeSpace::by_hand(&[10, 10]),
            &[&[(&[1, 2], 0), noop], &[(&[3, 4], 1), noop], &[noop, (&[5, 6], 0)], &[(&[7, 8], 1), noop]],
        )
    }

    #[test]
    fn cyclic_order_takes_the_other_role_one_step_ago() {
        let contexts = |step, role| Order::Cyclic.contexts(&trail(), step, Role(role), 3);
        assert_eq!(contexts(0, 0), [None, None]);
        // Role 0 at step 1: role 1's noop at step 0.
        assert_eq!(contexts(1, 0), [Some(Context::one(19)), None]);
        // Role 1 at step 2: role 0's move 4 at step 1, its own noop at step 0.
        assert_eq!(contexts(2, 1), [Some(Context::one(4)), Some(Context::two(19, 4))]);
        assert_eq!(Order::Cyclic.contexts(&trail(), 2, Role(1), 2), [Some(Context::one(4)), None]);
    }

    #[test]
    fn acted_order_skips_noops() {
        let contexts = |step, role| Order::Acted.contexts(&trail(), step, Role(role), 3);
        assert_eq!(contexts(1, 0), [Some(Context::one(1)), None]);
        assert_eq!(contexts(2, 1), [Some(Context::one(4)), Some(Context::two(1, 4))]);
        assert_eq!(contexts(3, 0), [Some(Context::one(15)), Some(Context::two(4, 15))]);
    }
}
