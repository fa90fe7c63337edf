//! Documents that are run: their code blocks as commands, sessions and files.

use super::{Run, command, finish};
use std::path::{Path, PathBuf};

/// The top folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The text of a document.
pub(crate) fn document(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A code block.
pub(crate) struct Block<'t> {
    /// The first word behind the fence.
    pub(crate) language: &'t str,
    /// The other words there.
    pub(crate) title: &'t str,
    pub(crate) lines: Vec<&'t str>,
}

/// All code blocks of a text, in order.
pub(crate) fn all_blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(info), false) => {
                let (language, title) = info.split_once(' ').unwrap_or((info, ""));
                blocks.push(Block { language, title, lines: Vec::new() });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => blocks.last_mut().expect("a block has begun").lines.push(line),
            (None, false) => {}
        }
    }
    blocks
}

/// The code blocks of a language, as lines.
pub(crate) fn blocks<'t>(text: &'t str, language: &str) -> Vec<Vec<&'t str>> {
    all_blocks(text).into_iter().filter(|block| block.language == language).map(|block| block.lines).collect()
}

/// The files and sections that the document at `path` links to and that are not there.
pub(crate) fn missing_links(path: &str) -> Vec<PathBuf> {
    let text = document(path);
    let targets = text.split("](").skip(1).map(|rest| rest.split(')').next().expect("a split has a first part"));
    let inside = targets.filter(|target| !target.starts_with("https://"));
    let folder = root().join(path).parent().expect("a file is in a folder").to_owned();
    let leads = |target: &str| match target.split_once('#') {
        None => folder.join(target).is_file(),
        Some((file, section)) => {
            let text = if file.is_empty() { Ok(text.clone()) } else { std::fs::read_to_string(folder.join(file)) };
            text.is_ok_and(|text| {
                text.lines().filter_map(|line| line.strip_prefix("## ")).any(|h| anchor(h) == section)
            })
        }
    };
    inside.filter(|target| !leads(target)).map(|target| folder.join(target)).collect()
}

/// What a link to a section calls it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The words of a command line, in which only double quotes are special.
pub(crate) fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts.flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Runs a session in a folder and compares what is printed with what is shown. Its first line is `$ `, `prefix` and the
/// arguments; what stands behind a prompt is typed.
pub(crate) fn follow(session: &[&str], prefix: &str, folder: &Path) -> Run {
    let (first, shown) = session.split_first().expect("a session has a command");
    let args = first.strip_prefix("$ ").and_then(|line| line.strip_prefix(prefix)).expect(first);
    let typed = shown.iter().filter_map(|line| line.split_once("> ")).map(|(_, typed)| format!("{typed}\n"));
    let run = finish(command(&words(args)).current_dir(folder), typed.collect::<String>());
    let printed: Vec<_> = run.out.lines().chain(run.err.lines()).map(untimed).collect();
    let shown: Vec<_> = shown.iter().copied().map(untimed).collect();
    assert_eq!(printed.join("\n"), shown.join("\n"), "{first}");
    run
}

/// A line without what depends on the machine: how long a search took.
fn untimed(line: &str) -> &str {
    if line.ends_with(" sims/s") { line.split(" in ").next().unwrap_or(line) } else { line }
}
