//! What a player may cost here.

use ludens_arena::counted;
use ludens_search::{Budget, BudgetError, Spec, SpecError};
use std::time::Duration;

/// No search takes longer.
pub const MAX_TIME: Duration = Duration::from_secs(300);

/// The bytes that the contents of a tree may have.
const MAX_MEMORY: usize = 128 << 20;

/// Reads a player and keeps it within the limits.
///
/// # Errors
/// If it is none, or needs more threads than there are.
pub fn read_player(text: &str, threads: usize) -> Result<Spec, String> {
    let spec = read_spec(text)?;
    let settings = spec.settings();
    if settings.threads > threads {
        let threads = counted(threads, "thread");
        return Err(format!("a player may use at most {threads} here, not {}", settings.threads));
    }
    if settings.memory <= MAX_MEMORY || !spec.searches() {
        return Ok(spec);
    }
    read_spec(&format!("{spec}@mem={MAX_MEMORY}B"))
}

/// Reads a spec or the name of a preset.
///
/// # Errors
/// If it is none.
pub fn read_spec(text: &str) -> Result<Spec, String> {
    text.parse().map_err(|error: SpecError| error.to_string())
}

/// Reads a budget.
///
/// # Errors
/// If it is none, or allows more time than a search may take.
pub fn read_budget(text: &str) -> Result<Budget, String> {
    let budget: Budget = text.parse().map_err(|error: BudgetError| error.to_string())?;
    let longest = budget.time.into_iter().chain(budget.start).max().unwrap_or_default();
    if longest > MAX_TIME {
        return Err(format!("a move may take at most {} s here, not {} s", MAX_TIME.as_secs(), longest.as_secs_f64()));
    }
    Ok(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_stay_within_the_limits() {
        let read = |text| read_player(text, 2).map_or_else(|error| error, |spec| spec.to_string());
        assert_eq!(read("random"), "random");
        assert_eq!(read("uct+mast@mem=1MiB"), "uct+mast@mem=1MiB");
        assert_eq!(read("uct+mast@reuse=off"), "uct+mast@reuse=off,mem=128MiB");
        assert_eq!(read("uct@threads=3"), "a player may use at most 2 threads here, not 3");
        assert!(read("uct+nonsense").contains("policies: "), "{}", read("uct+nonsense"));
        assert!(read_budget("ms=500").is_ok() && read_budget("sims=100000").is_ok());
        assert!(read_budget("start=301s,play=1s").unwrap_err().contains("300 s here, not 301 s"));
        assert!(read_budget("soon").is_err());
    }
}
