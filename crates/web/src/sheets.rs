//! Rulesheets that the page has sent: checked, named by their content, and kept for as long as there is room.

use ludens_catalog as catalog;
use ludens_gdl::{
    Diagnostic, Limits,
    render::{Rendering, position},
};
use ludens_search::Playable;
use serde::Serialize;
use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many rulesheets are kept.
const MAX_SHEETS: usize = 32;

/// What the names of these games begin with.
const PREFIX: &str = "sheet:";

/// What the checker says of a rulesheet.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Checked {
    /// The name that opens it; none if it cannot be played or is only checked.
    pub(crate) game: Option<String>,
    pub(crate) remarks: Vec<Remark>,
}

/// One remark of the checker.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Remark {
    pub(crate) severity: Severity,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) title: String,
    /// The remark with the lines it is about, as a terminal shows it.
    text: String,
}

/// How bad a remark is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Severity {
    /// The sheet cannot be played.
    Error,
    Warning,
}

struct Sheet {
    name: String,
    text: String,
}

/// Rulesheets by name, the newest at the end.
#[derive(Default)]
pub(crate) struct Sheets {
    kept: Mutex<Vec<Sheet>>,
}

impl Sheets {
    fn kept(&self) -> MutexGuard<'_, Vec<Sheet>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a sheet in a file of that name, and keeps it if it is to be played and can be. The game comes with it: to check it was to
    /// open it.
    pub(crate) fn check(&self, file: &str, text: &str, is_kept: bool) -> (Checked, Option<Arc<dyn Playable>>) {
        let name = name(file, text);
        let examined = ludens_gdl::examine(&name, text, Limits::default());
        let remarks = examined.remarks.iter().map(|remark| told(remark, file, text)).collect();
        let game = examined.opened.filter(|_| is_kept).map(|opened| catalog::playable(opened.engine));
        if game.is_some() {
            self.keep(&name, text);
        }
        (Checked { game: game.is_some().then_some(name), remarks }, game)
    }

    fn keep(&self, name: &str, text: &str) {
        let mut kept = self.kept();
        kept.retain(|sheet| sheet.name != name);
        kept.push(Sheet { name: name.to_owned(), text: text.to_owned() });
        if kept.len() > MAX_SHEETS {
            kept.remove(0);
        }
    }

    /// The rules of a sheet that is kept.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.kept().iter().find(|sheet| sheet.name == name).map(|sheet| sheet.text.clone())
    }

    /// The game of a sheet; `None` if the name is not that of a sheet.
    pub(crate) fn open(&self, name: &str) -> Option<Result<Arc<dyn Playable>, String>> {
        name.strip_prefix(PREFIX)?;
        let Some(text) = self.text(name) else {
            return Some(Err(format!(
                "{name} is a rulesheet that is no longer loaded: drop its file on the page again"
            )));
        };
        Some(catalog::open_rules(name, &text).map_err(|_| format!("{name} cannot be played")))
    }
}

/// The name of the game: that of its file, and a number for its content.
fn name(file: &str, text: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let plain: String = stem.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).take(40).collect();
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{PREFIX}{plain}-{:016x}", hasher.finish())
}

fn told(remark: &Diagnostic, file: &str, text: &str) -> Remark {
    let (line, column) = position(remark.span, text);
    Remark {
        severity: match remark.severity {
            ludens_gdl::Severity::Error => Severity::Error,
            ludens_gdl::Severity::Warning => Severity::Warning,
        },
        line,
        column,
        title: remark.title.clone(),
        text: Rendering::default().render(std::slice::from_ref(remark), file, text).trim_end().to_owned(),
    }
}
