//! [`GramTable`]: what is known of sequences of two and three moves, in one open-addressed table.
//!
//! A gram is a move with the one or two moves before it, its **context**. A policy asks for many moves of one context at a
//! time, so the grams of a context lie side by side: the place of a gram is the hash of its context plus the move's code;
//! on a collision the context is hashed again. Clearing makes all entries stale by counting an epoch that is part of their
//! keys.
//!
//! ```text
//!   key (64 bits):  epoch 10 | older move 18 | previous move 18 | move 18
//! ```

use crate::memory;

const CODE_BITS: u32 = 18;
const NO_CODE: u64 = (1 << CODE_BITS) - 1;
const EPOCH_SHIFT: u32 = 3 * CODE_BITS;
const LAST_EPOCH: u64 = (1 << (64 - EPOCH_SHIFT)) - 1;

/// The number of codes that a table can tell apart.
pub(crate) const MAX_CODES: usize = NO_CODE as usize;

/// The one or two moves before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context(u64);

impl Context {
    /// The move that directly precedes.
    #[inline]
    pub(crate) fn one(previous: u32) -> Context {
        Context(NO_CODE << (2 * CODE_BITS) | u64::from(previous) << CODE_BITS)
    }

    /// The two moves that precede.
    #[inline]
    pub(crate) fn two(older: u32, previous: u32) -> Context {
        Context(u64::from(older) << (2 * CODE_BITS) | u64::from(previous) << CODE_BITS)
    }

    #[inline]
    fn home(self, probe: u64) -> u64 {
        let tried = probe.wrapping_mul(0xd1b5_4a32_d192_ed03);
        (self.0 >> CODE_BITS).wrapping_add(tried).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot<V> {
    key: u64,
    value: V,
}

/// An open-addressed table from grams to values; an absent gram has the default value.
#[derive(Clone, Debug)]
pub(crate) struct GramTable<V> {
    slots: Vec<Slot<V>>,
    mask: usize,
    len: usize,
    epoch: u64,
}

impl<V: Copy + Default> GramTable<V> {
    pub(crate) fn new() -> GramTable<V> {
        let mut table = GramTable { slots: Vec::new(), mask: 0, len: 0, epoch: 1 };
        table.allocate(1 << 10);
        table
    }

    fn allocate(&mut self, slots: usize) {
        self.slots = vec![Slot { key: 0, value: V::default() }; slots];
        self.mask = slots - 1;
        self.len = 0;
    }

    /// The bytes that the table holds.
    pub(crate) fn bytes(&self) -> usize {
        memory::of_vec(&self.slots)
    }

    /// The number of grams.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn key(&self, context: Context, code: u32) -> u64 {
        self.epoch << EPOCH_SHIFT | context.0 | u64::from(code)
    }

    /// The place of a gram, or the free place where it belongs.
    #[inline]
    fn find(&self, context: Context, code: u32) -> Result<usize, usize> {
        let key = self.key(context, code);
        for probe in 0.. {
            let place = (context.home(probe) as usize).wrapping_add(code as usize) & self.mask;
            let found = self.slots[place].key;
            if found == key {
                return Ok(place);
            }
            if found >> EPOCH_SHIFT != self.epoch {
                return Err(place);
            }
        }
        unreachable!("half of the slots are free")
    }

    /// The value of a gram.
    #[inline]
    pub(crate) fn get(&self, context: Context, code: u32) -> Option<&V> {
        self.find(context, code).ok().map(|place| &self.slots[place].value)
    }

    /// The value of a gram, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, context: Context, code: u32) -> Option<&mut V> {
        self.find(context, code).ok().map(|place| &mut self.slots[place].value)
    }

    /// The place of a gram, which is made if absent. Places stay valid until more grams are added than were reserved.
    #[inline]
    pub(crate) fn place(&mut self, context: Context, code: u32) -> usize {
        if 2 * self.len >= self.slots.len() {
            self.reserve(1);
        }
        match self.find(context, code) {
            Ok(place) => place,
            Err(place) => {
                self.slots[place] = Slot { key: self.key(context, code), value: V::default() };
                self.len += 1;
                place
            }
        }
    }

    /// The value at a place.
    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> &mut V {
        &mut self.slots[place].value
    }

    /// Makes room for so many more grams.
    pub(crate) fn reserve(&mut self, more: usize) {
        let needed = (2 * (self.len + more) + 2).next_power_of_two();
        if needed > self.slots.len() {
            self.rebuild(needed, |_| true);
        }
    }

    /// Keeps the grams for which `keep` says so; it may change their values.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&mut V) -> bool) {
        self.rebuild(self.slots.len(), keep);
    }

    fn rebuild(&mut self, slots: usize, mut keep: impl FnMut(&mut V) -> bool) {
        let epoch = self.epoch;
        let old = std::mem::take(&mut self.slots);
        self.allocate(slots);
        for mut slot in old {
            if slot.key >> EPOCH_SHIFT == epoch && keep(&mut slot.value) {
                let gram = slot.key & ((1 << EPOCH_SHIFT) - 1);
                let place = self.place(Context(gram & !NO_CODE), (gram & NO_CODE) as u32);
                *self.at(place) = slot.value;
            }
        }
    }

    /// Every gram: its context, its move's code and its value.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (Context, u32, &mut V)> {
        let epoch = self.epoch;
        self.slots.iter_mut().filter(move |slot| slot.key >> EPOCH_SHIFT == epoch).map(|slot| {
            let gram = slot.key & ((1 << EPOCH_SHIFT) - 1);
            (Context(gram & !NO_CODE), (gram & NO_CODE) as u32, &mut slot.value)
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.epoch += 1;
        if self.epoch > LAST_EPOCH {
            self.slots.fill(Slot { key: 0, value: V::default() });
            self.epoch = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn contexts_of_different_lengths_are_different() {
        let mut table = GramTable::<u32>::new();
        let place = table.place(Context::one(3), 5);
        *table.at(place) = 7;
        assert_eq!(table.get(Context::one(3), 5), Some(&7));
        assert_eq!(table.get(Context::two(0, 3), 5), None);
        assert_eq!(table.get(Context::one(5), 3), None);
    }

    #[test]
    fn clearing_survives_all_epochs() {
        let mut table = GramTable::<u32>::new();
        for round in 0..3000 {
            let place = table.place(Context::two(1, 2), 3);
            assert_eq!(*table.at(place), 0, "round {round}");
            *table.at(place) = round + 1;
            table.clear();
            assert_eq!((table.len(), table.get(Context::two(1, 2), 3)), (0, None));
        }
    }

    proptest! {
        #[test]
        fn behaves_like_a_map(grams in proptest::collection::vec((0..40_u32, 0..40_u32, 0..300_u32), 0..3000)) {
            let mut table = GramTable::<u32>::new();
            let mut map = HashMap::new();
            for (older, previous, code) in grams {
                let context = if older == 0 { Context::one(previous) } else { Context::two(older, previous) };
                let place = table.place(context, code);
                *table.at(place) += 1;
                *map.entry((older, previous, code)).or_insert(0) += 1;
            }
            table.retain(|count| *count != 2);
            map.retain(|_, count| *count != 2);
            prop_assert_eq!(table.len(), map.len());
            for (&(older, previous, code), count) in &map {
                let context = if older == 0 { Context::one(previous) } else { Context::two(older, previous) };
                prop_assert_eq!(table.get(context, code), Some(count));
            }
        }
    }
}
