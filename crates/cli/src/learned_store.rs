//! Learned weights on disk, in the user's cache folder: one small file per game, position, spec and version.

use ludens_search::{InMemory, Learned};
use std::path::PathBuf;

/// Weights in memory, backed by files where a cache folder is known.
#[derive(Default)]
pub(crate) struct OnDisk {
    memory: InMemory,
    folder: Option<PathBuf>,
}

impl OnDisk {
    /// A store in `$XDG_CACHE_HOME/ludens` or `~/.cache/ludens`.
    pub(crate) fn in_cache_folder() -> OnDisk {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        OnDisk { memory: InMemory::default(), folder: cache.map(|cache| cache.join("ludens")) }
    }

    /// The file of a key: its name is the key with everything unusual replaced, its first line the key itself.
    fn file(&self, key: &str) -> Option<PathBuf> {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' };
        Some(self.folder.as_ref()?.join(format!("{}.weights", key.chars().map(plain).collect::<String>())))
    }

    fn read(&self, key: &str) -> Option<Vec<f64>> {
        let text = std::fs::read_to_string(self.file(key)?).ok()?;
        // Without the end of its last line the last number may be cut short.
        let mut lines = text.strip_suffix('\n')?.lines();
        if lines.next()? != key {
            return None;
        }
        let count: usize = lines.next()?.parse().ok()?;
        let weights: Vec<f64> = lines.map(str::parse).collect::<Result<_, _>>().ok()?;
        (weights.len() == count && weights.iter().all(|weight| weight.is_finite())).then_some(weights)
    }

    fn write(&self, key: &str, weights: &[f64]) -> Option<()> {
        let file = self.file(key)?;
        std::fs::create_dir_all(file.parent()?).ok()?;
        let mut text = format!("{key}\n{}\n", weights.len());
        for weight in weights {
            text.push_str(&format!("{weight:?}\n"));
        }
        // Written beside and renamed, so that no other process reads half a file.
        let draft = file.with_extension(format!("draft{}", std::process::id()));
        std::fs::write(&draft, text).ok()?;
        std::fs::rename(&draft, &file).ok()
    }
}

impl Learned for OnDisk {
    fn load(&self, key: &str) -> Option<Vec<f64>> {
        self.memory.load(key).or_else(|| {
            let weights = self.read(key)?;
            self.memory.store(key, &weights);
            Some(weights)
        })
    }

    fn store(&self, key: &str, weights: &[f64]) {
        self.memory.store(key, weights);
        // A cache that cannot be written costs time, not correctness.
        let _ = self.write(key, weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_program_and_torn_files_do_not_count() {
        let folder = std::env::temp_dir().join(format!("ludens-learned-{}", std::process::id()));
        let store = || OnDisk { memory: InMemory::default(), folder: Some(folder.clone()) };
        let weights = [0.5, -1.25e-300, 1.0 / 3.0];
        assert_eq!(store().load("go:8|uct+ppa"), None);
        store().store("go:8|uct+ppa", &weights);
        assert_eq!(store().load("go:8|uct+ppa").as_deref(), Some(&weights[..]));
        assert_eq!(store().load("go:8_uct+ppa"), None, "another key with the same file name");
        let file = store().file("go:8|uct+ppa").unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &text[..text.len() - 12]).unwrap();
        assert_eq!(store().load("go:8|uct+ppa"), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
