//! Lines of comma-separated values as RFC 4180 has them, without line breaks in fields.

/// The fields of a line, in which quotes protect commas and double quotes stand for quotes.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().expect("there is a field");
        match c {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

/// A line with its end.
pub(crate) fn line<'t>(fields: impl IntoIterator<Item = &'t str>) -> String {
    let field = |text: &str| {
        let plain = !text.contains([',', '"', '\n', '\r']);
        if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    fields.into_iter().map(field).collect::<Vec<_>>().join(",") + "\n"
}

/// A number with so many places at most, without zeros at the end.
pub(crate) fn number(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let fields = ["a(x=1,y=2)", "", "say \"no\"", "plain"];
        let written = line(fields);
        assert_eq!(written, "\"a(x=1,y=2)\",,\"say \"\"no\"\"\",plain\n");
        assert_eq!(split(written.trim_end()), fields);
        assert_eq!([number(20.0, 4), number(3.25, 4), number(10.0 / 3.0, 4)], ["20", "3.25", "3.3333"]);
    }
}
