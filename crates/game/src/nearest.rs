//! Which known name was meant by an unknown one: for the errors of everything that is opened, asked or set by name.

/// In larger vocabularies only the first names are looked at.
const MAX_NAMES: usize = 5000;

/// The known name that is nearest to `name`, if it is near: at most a third of the letters differ, and at most three.
pub fn nearest_name<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).min(3);
    known
        .take(MAX_NAMES)
        .filter(|other| *other != name)
        .filter_map(|other| Some((distance(name, other, limit)?, other)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour, if at most `limit`. A change of
/// case is free.
fn distance(left: &str, right: &str, limit: usize) -> Option<usize> {
    let letters = |text: &str| text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    if left.len().abs_diff(right.len()) > 4 * limit {
        return None;
    }
    let (left, right) = (letters(left), letters(right));
    if left.len().abs_diff(right.len()) > limit {
        return None;
    }
    // Three rows of the table of distances between prefixes: a swap of neighbours looks two rows back.
    let mut older = vec![0; right.len() + 1];
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut best = (previous[j] + usize::from(l != r)).min(previous[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                best = best.min(older[j - 1] + 1);
            }
            row.push(best);
        }
        older = std::mem::replace(&mut previous, row);
    }
    Some(previous[right.len()]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_keyboard_are_recognised() {
        let known = ["control", "adjacent", "succ", "row"];
        let nearest = |name| nearest_name(name, known.into_iter());
        assert_eq!(nearest("contrl"), Some("control"));
        assert_eq!(nearest("adjcaent"), Some("adjacent"));
        assert_eq!(nearest("SUCC"), Some("succ"));
        assert_eq!(nearest("low"), Some("row"));
        assert_eq!(nearest("legal"), None);
        assert_eq!(nearest_name("b", ["p"].into_iter()), None, "one letter is no likeness");
    }
}
