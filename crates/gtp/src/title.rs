//! The name of a game, with another size or komi.

use ludens_catalog::is_file;

/// The game's name with another size. `None` if the game comes in one size only.
pub(crate) fn with_size(name: &str, size: usize) -> Option<String> {
    let (game, params) = native(name)?;
    let rest = params.split_once(',').map_or(String::new(), |(_, rest)| format!(",{rest}"));
    Some(format!("{game}:{size}{rest}"))
}

/// The same for komi. `None` if the game is not Go.
pub(crate) fn with_komi(name: &str, komi: f64) -> Option<String> {
    let (game, params) = native(name).filter(|(game, _)| *game == "go")?;
    let kept: Vec<&str> = params.split(',').filter(|param| !param.starts_with("komi=")).collect();
    Some(format!("{game}:{},komi={komi}", kept.join(",")))
}

/// Go with playouts that leave eyes alone.
pub(crate) fn with_eyes(name: &str) -> Option<String> {
    let (game, params) = native(name).filter(|(game, _)| *game == "go")?;
    let kept: Vec<&str> = params.split(',').filter(|param| !param.starts_with("eyes=")).collect();
    Some(format!("{game}:{},eyes=on", kept.join(",")))
}

/// The komi that a name says.
pub(crate) fn komi(name: &str) -> Option<f64> {
    native(name)?.1.split(',').find_map(|param| param.strip_prefix("komi=")?.parse().ok())
}

/// A native game and its parameters.
fn native(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(game, _)| !game.ends_with("gdl") && !is_file(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_in_one_parameter() {
        assert_eq!(with_size("go:9x9,komi=6.5,eyes=on", 13).as_deref(), Some("go:13,komi=6.5,eyes=on"));
        assert_eq!(with_size("havannah:8", 4).as_deref(), Some("havannah:4"));
        assert_eq!(with_size("gdl:hex7", 7), None);
        assert_eq!(with_komi("go:9x9,komi=6.5,eyes=on", 0.5).as_deref(), Some("go:9x9,eyes=on,komi=0.5"));
        assert_eq!(with_komi("nogo:9x9", 0.5), None);
        assert_eq!(with_eyes("go:9x9").as_deref(), Some("go:9x9,eyes=on"));
        assert_eq!((komi("go:9x9,komi=-3"), komi("go:9x9")), (Some(-3.0), None));
    }
}
