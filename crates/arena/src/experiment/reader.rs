//! Reads TOML by hand, key by key, so that every error has its place and every unknown key the nearest known one.

use ludens_game::nearest_name;
use std::cell::RefCell;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an experiment file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}:{column}: {message}")]
pub struct FileError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// The text of a file, for the places of errors.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) path: &'t str,
    pub(super) text: &'t str,
}

impl Source<'_> {
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> FileError {
        let before = self.text.get(..at.min(self.text.len())).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        FileError {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

/// A value and where it stands.
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) place: usize,
}

/// Names in a list.
pub(super) type NameList<'t> = At<Vec<At<&'t str>>>;

/// A table of the file. Whoever reads it asks for all keys that there are, and then says that these were all.
pub(super) struct Section<'t> {
    source: Source<'t>,
    table: &'t DeTable<'t>,
    place: usize,
    asked: RefCell<Vec<&'static str>>,
}

impl<'t> Section<'t> {
    pub(super) fn new(source: Source<'t>, table: &'t DeTable<'t>, place: usize) -> Section<'t> {
        Section { source, table, place, asked: RefCell::default() }
    }

    /// All keys and values, in the order in which they are written.
    pub(super) fn entries(&self) -> Vec<(&'t str, &'t Spanned<DeValue<'t>>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries.into_iter().map(|(key, value)| (key.get_ref().as_ref(), value)).collect()
    }

    fn get(&self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.borrow_mut().push(key);
        self.table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }

    fn mismatch(&self, (key, wanted): (&str, &str), value: &Spanned<DeValue<'_>>) -> FileError {
        self.source.error(value.span().start, format!("{key} must be {wanted}, not {}", value.get_ref().type_str()))
    }

    /// The error that a required key is missing.
    pub(super) fn missing(&self, key: &str) -> FileError {
        self.source.error(self.place, format!("{key} is missing"))
    }

    pub(super) fn text(&self, key: &'static str) -> Result<Option<At<&'t str>>, FileError> {
        self.get(key).map(|value| self.text_of(key, value)).transpose()
    }

    pub(super) fn text_of(&self, key: &str, value: &'t Spanned<DeValue<'t>>) -> Result<At<&'t str>, FileError> {
        let text = value.get_ref().as_str().ok_or_else(|| self.mismatch((key, "a string"), value))?;
        Ok(At { value: text, place: value.span().start })
    }

    pub(super) fn texts(&self, key: &'static str) -> Result<Option<Vec<At<&'t str>>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let list = value.get_ref().as_array().ok_or_else(|| self.mismatch((key, "a list of strings"), value))?;
        list.iter().map(|item| self.text_of(key, item)).collect::<Result<_, _>>().map(Some)
    }

    /// A list of lists of texts, with their places.
    pub(super) fn lists(&self, key: &'static str) -> Result<Option<Vec<NameList<'t>>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let wanted = "a list of lists of names";
        let list = value.get_ref().as_array().ok_or_else(|| self.mismatch((key, wanted), value))?;
        let inner = |item: &'t Spanned<DeValue<'t>>| {
            let names = item.get_ref().as_array().ok_or_else(|| self.mismatch((key, wanted), item))?;
            let names = names.iter().map(|name| self.text_of(key, name)).collect::<Result<_, _>>()?;
            Ok(At { value: names, place: item.span().start })
        };
        list.iter().map(inner).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn whole(&self, key: &'static str) -> Result<Option<At<u64>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = value.get_ref().as_integer().and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        let number = number.ok_or_else(|| self.mismatch((key, "a whole number, 0 or more"), value))?;
        Ok(Some(At { value: number, place: value.span().start }))
    }

    pub(super) fn number(&self, key: &'static str) -> Result<Option<At<f64>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = match value.get_ref() {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| self.mismatch((key, "a number"), value))?;
        Ok(Some(At { value: number, place: value.span().start }))
    }

    pub(super) fn section(&self, key: &'static str) -> Result<Option<Section<'t>>, FileError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let table = value.get_ref().as_table().ok_or_else(|| self.mismatch((key, "a table"), value))?;
        Ok(Some(Section::new(self.source, table, value.span().start)))
    }

    /// Refuses keys that nobody asked for.
    pub(super) fn finish(&self) -> Result<(), FileError> {
        let known = self.asked.borrow();
        let mut keys: Vec<(Range<usize>, &str)> =
            self.table.keys().map(|key| (key.span(), key.get_ref().as_ref())).collect();
        keys.sort_by_key(|(span, _)| span.start);
        match keys.into_iter().find(|(_, key)| !known.contains(key)) {
            Some((span, key)) => {
                let message = format!("unknown key {key:?}{}", among(key, known.iter().copied()));
                Err(self.source.error(span.start, message))
            }
            None => Ok(()),
        }
    }
}

/// The end of a message about an unknown name: the nearest known one, if one is near, and all of them.
pub(super) fn among<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    let near = nearest_name(name, known.clone());
    let meant = near.map_or(String::new(), |other| format!(" (did you mean {other:?}?)"));
    format!("{meant}; known: {}", known.collect::<Vec<_>>().join(", "))
}
