//! [`Scrambler`]: other names for everything in a rulesheet, so that players cannot know a game by its words.

use crate::message::spaced;
use ludens_game::{Rng, Seed};
use std::collections::{BTreeMap, BTreeSet};

/// Words with a meaning of their own keep it.
const KEPT: [&str; 17] = [
    "init", "true", "next", "role", "does", "goal", "legal", "terminal", "base", "input", "random", "or", "and", "not",
    "distinct", "<=", "_",
];

/// A map from the words of some rules to made-up ones, and back.
#[derive(Clone, Debug)]
pub struct Scrambler {
    made_up: BTreeMap<String, String>,
    real: BTreeMap<String, String>,
}

impl Scrambler {
    /// A scrambler for rules; the same seed gives the same map.
    pub fn new(rules: &str, seed: Seed) -> Scrambler {
        let words: BTreeSet<String> =
            spaced(rules).split(' ').filter(|word| is_free(word)).map(str::to_owned).collect();
        let mut rng = seed.named("scramble").rng();
        let mut scrambler = Scrambler { made_up: BTreeMap::new(), real: BTreeMap::new() };
        for word in words {
            let name = loop {
                let name = if word.starts_with('?') { format!("?{}", make_up(&mut rng)) } else { make_up(&mut rng) };
                if !scrambler.real.contains_key(&name) {
                    break name;
                }
            };
            scrambler.real.insert(name.clone(), word.clone());
            scrambler.made_up.insert(word, name);
        }
        scrambler
    }

    /// The text in made-up words.
    pub fn scramble(&self, text: &str) -> String {
        translate(text, |word| self.made_up.get(word).cloned())
    }

    /// The text in the words of the rules. Players may answer in any case.
    pub fn unscramble(&self, text: &str) -> String {
        translate(text, |word| self.real.get(&word.to_lowercase()).cloned())
    }
}

fn translate(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    spaced(text).split(' ').map(|word| other(word).unwrap_or(word.to_owned())).collect::<Vec<_>>().join(" ")
}

/// Whether a word is a name. Numbers are not: goals and orders depend on them.
fn is_free(word: &str) -> bool {
    let is_kept = KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(word));
    !is_kept && !matches!(word, "(" | ")" | "") && word.parse::<i32>().is_err()
}

/// A word of three or four syllables.
fn make_up(rng: &mut Rng) -> String {
    let mut letter = |letters: &[u8]| char::from(letters[rng.below(letters.len() as u32) as usize]);
    let mut word = String::new();
    for _ in 0..3 + u32::from(letter(b"ab") == 'a') {
        word.push(letter(b"bcdfghjklmnprstvwz"));
        word.push(letter(b"aeiou"));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_catalog::SHEETS;
    use ludens_gdl::sexpr;

    #[test]
    fn every_sheet_comes_back() {
        for sheet in SHEETS {
            let rules: String =
                sheet.text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
            let scrambler = Scrambler::new(&rules, Seed::new(4));
            let scrambled = scrambler.scramble(&rules);
            assert_eq!(scrambler.unscramble(&scrambled), spaced(&rules), "{}", sheet.name);
            assert_eq!(scrambler.unscramble(&scrambled.to_uppercase()).to_lowercase(), spaced(&rules).to_lowercase());
            assert_eq!(scrambled, Scrambler::new(&rules, Seed::new(4)).scramble(&rules));
            assert_ne!(scrambled, Scrambler::new(&rules, Seed::new(5)).scramble(&rules));
            assert_eq!(sexpr::read(&scrambled).unwrap().len(), sexpr::read(&rules).unwrap().len());
        }
    }

    #[test]
    fn meanings_and_numbers_stay() {
        let rules = "(<= (goal ?x 100) (role ?x) (not (true (step -3))) (distinct a A) (Legal random +5))";
        let scrambled = Scrambler::new(rules, Seed::new(1)).scramble(rules);
        let kept =
            ["( <= ( goal ?", " 100 ) ( role ?", " -3 ) ) )", "( distinct ", "( Legal random +5 )", "( not ( true ("];
        assert!(kept.iter().all(|part| scrambled.contains(part)), "{scrambled}");
        assert!(!scrambled.contains("step") && !scrambled.contains(" a ") && !scrambled.contains("?x"), "{scrambled}");
    }
}
