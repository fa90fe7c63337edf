//! The document about the default player's strength: the committed counts of `experiments/default.toml`.

use super::{code, document, table};
use ludens_arena::{
    Counts, Experiment, OpenGames, counted, load,
    report::{DocumentBlock, strength_report},
};
use ludens_search::DEFAULT_PLAYER;

/// The document.
pub(super) fn strength() -> String {
    let experiment = experiment();
    let counts = Counts::read(include_str!("strength.csv")).expect("the tests read the committed counts");
    let players = players(&experiment);
    let mut body = format!(
        "`{DEFAULT_PLAYER}` plays where no player is given. [Players](players.md#the-default-player) explains its parts, and \
         [Choices](choices.md) holds the measurements that led to it. This page measures it against {} in {} that were set apart from \
         those choices; only winning answers were also tried in three of them (breakthrough:8, knightthrough:8 and gdl:connect4).\n\n\
         All figures are win rates of the default player in percent, with 95 % intervals. A draw counts as half a win. Seats are \
         exchanged; in games of three roles both players share the roles in all ways. Every player has one thread and searches at \
         every step, also where it has no choice (`think=every`), as the network player does and the agents of the papers did. A \
         [budget](players.md#budgets) is that of one step. Intervals of single pairs are Wilson's. Means weigh everything equally, \
         however many games there are.\n\n",
        counted(players.len() - 1, "player"),
        counted(games(&experiment), "game"),
    );
    let strangers = counts.strangers(&experiment);
    if strangers > 0 {
        body += &format!("{} of earlier players are left out.\n\n", counted(strangers, "cell"));
    }
    let blocks = strength_report(&experiment, &counts);
    body += &blocks.iter().filter_map(DocumentBlock::markdown).collect::<Vec<_>>().join("\n");
    body += "\n## The players\n\n";
    body += &table(&["name", "spec"], players.into_iter().map(|(name, spec)| vec![name, code(&spec)]));
    body += "\n## Play on\n\n\
        Records of games are not kept, only their counts in [strength.csv](strength.csv). These commands add games and write this page \
        again. A budget in milliseconds needs cores without other work.\n\n    \
        ludens experiment run experiments/default.toml --with docs/strength.csv --budget sims=10000\n    \
        ludens experiment run experiments/default.toml --with docs/strength.csv --budget ms=200\n    \
        cp results/default/counts.csv docs/strength.csv\n    \
        cargo run -- docs docs\n\n\
        If the default player changes, its cells have other names, and the earlier counts are left out.\n";
    document("Strength", &body)
}

/// The experiment that says how strong the default player is.
fn experiment() -> Experiment {
    let text = include_str!("default.toml");
    load("experiments/default.toml", text, &OpenGames::default()).expect("the tests read the experiment")
}

/// The players of an experiment with their specs, the one whom all others meet first.
fn players(experiment: &Experiment) -> Vec<(String, String)> {
    let mut players = Vec::new();
    for player in experiment.cells.iter().flat_map(|planned| planned.cell.players.iter().rev()) {
        let entry = (player.name.clone(), player.spec.to_string());
        if !players.contains(&entry) {
            players.push(entry);
        }
    }
    players
}

/// The number of games of the catalogue.
fn games(experiment: &Experiment) -> usize {
    experiment.cells.iter().map(|planned| &planned.cell.game).collect::<std::collections::BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_search::Spec;

    #[test]
    fn the_player_that_is_measured_is_the_default() {
        let searching: Spec = DEFAULT_PLAYER.replacen('@', "@think=every,", 1).parse().expect("a spec");
        let (name, spec) = players(&experiment()).swap_remove(0);
        assert_eq!((name.as_str(), spec), ("default", searching.to_string()));
    }

    #[test]
    fn the_committed_counts_are_those_of_the_experiment() {
        let counts = Counts::read(include_str!("strength.csv")).expect("counts");
        assert_eq!(counts.strangers(&experiment()), 0, "docs/strength.csv counts other players: drop those lines");
    }
}
