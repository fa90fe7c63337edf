//! [`Grouped`]: a list for every key, one behind the other in the same memory. There may be millions of short ones.

/// Items by key.
#[derive(Default)]
pub(crate) struct Grouped<T> {
    items: Vec<T>,
    /// Per key: where its items end.
    ends: Vec<u32>,
}

impl<T: Copy + Default> Grouped<T> {
    /// Items of the keys `0..keys` with their keys, of which those of one key keep their order. They are gone through twice.
    pub(crate) fn new<I: Iterator<Item = (u32, T)>>(keys: usize, items: impl Fn() -> I) -> Grouped<T> {
        // Until all items are in their places: where the next one of every key goes.
        let mut ends = vec![0_u32; keys + 1];
        items().for_each(|(key, _)| ends[key as usize + 1] += 1);
        (1..=keys).for_each(|key| ends[key] += ends[key - 1]);
        let mut places = vec![T::default(); ends[keys] as usize];
        for (key, item) in items() {
            let end = &mut ends[key as usize];
            places[*end as usize] = item;
            *end += 1;
        }
        Grouped { items: places, ends }
    }

    /// The items of a key.
    #[inline]
    pub(crate) fn of(&self, key: usize) -> &[T] {
        let start = if key == 0 { 0 } else { self.ends[key - 1] };
        &self.items[start as usize..self.ends[key] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_key_keep_their_order() {
        let grouped = Grouped::new(4, || [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd')].into_iter());
        let lists: Vec<&[char]> = (0..4).map(|key| grouped.of(key)).collect();
        assert_eq!(lists, [&['b'][..], &[], &['a', 'c'], &['d']]);
    }
}
