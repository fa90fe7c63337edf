//! Small pieces of messages: plurals, panics in one line, words for a shell.

use ludens_search::Panicked;

/// What a panic said, on one line.
pub fn one_line(panicked: &Panicked) -> String {
    panicked.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// "1 game", "2 games".
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_people_and_shells() {
        assert_eq!([counted(1, "role"), counted(0, "game")], ["1 role", "0 games"]);
        assert_eq!(shell_word("it's (a 1)"), r"'it'\''s (a 1)'");
        let panicked = Panicked { message: "no\n  such place".into(), place: None };
        assert_eq!(one_line(&panicked), "no such place");
    }
}
