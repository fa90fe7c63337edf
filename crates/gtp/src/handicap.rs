//! Go: where handicap stones stand, as the protocol says.

/// The points of a fixed handicap as (file, rank) from 0. `None` if the board has no place for so many.
pub(crate) fn fixed(size: usize, stones: usize) -> Option<Vec<(usize, usize)>> {
    let most = match size {
        0..7 => 0,
        7 => 4,
        _ if size % 2 == 1 => 9,
        _ => 4,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let center = [(middle, middle)];
    let points: Vec<(usize, usize)> = match stones {
        2..=4 => corners[..stones].to_vec(),
        5 => [&corners[..], &center].concat(),
        6 => [&corners[..], &sides[..2]].concat(),
        7 => [&corners[..], &sides[..2], &center].concat(),
        8 => [corners, sides].concat(),
        _ => [&corners[..], &sides, &center].concat(),
    };
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::fixed;

    #[test]
    fn stones_stand_on_star_points() {
        assert_eq!(fixed(9, 2), Some(vec![(2, 2), (6, 6)]));
        assert_eq!(fixed(19, 5).unwrap()[4], (9, 9), "the fifth in the middle");
        assert_eq!(fixed(19, 6).unwrap()[4..], [(3, 9), (15, 9)]);
        for stones in 2..=9 {
            let mut points = fixed(19, stones).unwrap();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), stones);
        }
        assert_eq!(
            (fixed(19, 10), fixed(19, 1), fixed(10, 5), fixed(7, 5), fixed(6, 2)),
            (None, None, None, None, None)
        );
    }
}
