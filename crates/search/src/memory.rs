//! How many bytes collections hold: what they have asked the system for, not only what they use of it.

use std::collections::HashMap;

/// The bytes of a vector.
pub(crate) fn of_vec<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// The bytes of a map: one in eight places stays free, and every place has a byte of its hash.
pub(crate) fn of_map<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    map.capacity().div_ceil(7) * 8 * (size_of::<(K, V)>() + 1)
}
