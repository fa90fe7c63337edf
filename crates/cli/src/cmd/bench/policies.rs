//! What learning costs: 1,000 simulations with every playout policy.
//!
//! Policies play games of different lengths, so times are compared *per step simulated*. The measure is `uct+uniform`: the
//! same general loop without anything learned. (A spec without a policy may use the game's own fast playout, which is
//! another matter: the first row shows it.)

use super::{Args, open_games, show_progress};
use crate::{Console, Failure, notation::deciders};
use ludens_game::{Role, Seed};
use ludens_search::{Budget, Effort, InMemory, POLICIES, Playable, Player, SELECTS, Spec};
use serde::Serialize;
use std::sync::Arc;

const SIMULATIONS: u64 = 1000;

/// What all others are compared with.
const MEASURE: &str = "uct+uniform";

#[derive(Serialize)]
struct Measurement {
    game: String,
    spec: String,
    ms_per_1000_simulations: f64,
    steps_per_simulation: f64,
    ns_per_step: f64,
    /// Nanoseconds per step relative to those of [`MEASURE`].
    ratio: f64,
}

pub(super) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let games = open_games(args)?;
    let mut measurements = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let measured = measure(game, args, &|run| {
            show_progress(&format!("{} ({} of {}), run {run}", game.name(), index + 1, games.len()));
        });
        measurements.extend(measured.map_err(Failure::Usage)?);
    }
    show_progress("");
    if console.json {
        return console.json(&measurements);
    }
    let rows = measurements.iter().map(|m| {
        vec![
            m.game.clone(),
            m.spec.clone(),
            format!("{:.2}", m.ms_per_1000_simulations),
            format!("{:.1}", m.steps_per_simulation),
            format!("{:.0}", m.ns_per_step),
            format!("{:.2}", m.ratio),
        ]
    });
    let columns = [
        ("game", false),
        ("player", false),
        ("ms/1000 sims", true),
        ("steps/sim", true),
        ("ns/step", true),
        ("ratio", true),
    ];
    console.table(&columns, rows.collect())?;
    Ok(writeln!(console.out, "\nratio: time per step relative to {MEASURE}, each the fastest of {} runs", args.runs)?)
}

/// Every selection rule with uniform playouts, then every policy with a selection rule that suits it.
fn specs() -> Vec<String> {
    let selects = SELECTS.iter().map(|select| format!("{}+uniform", select.name));
    let policies = POLICIES.iter().filter(|policy| policy.name != "uniform").map(|policy| {
        let select = if policy.reads_amaf() { "rave" } else { "uct" };
        format!("{select}+{}", policy.name)
    });
    ["uct".to_owned()].into_iter().chain(selects).chain(policies).collect()
}

/// All specs take turns in every run, so that whatever else slows the machine down slows all of them.
fn measure(game: &Arc<dyn Playable>, args: &Args, begin_run: &dyn Fn(u32)) -> Result<Vec<Measurement>, String> {
    let specs = specs();
    let initial = game.clone().start();
    let role = deciders(&*initial, game.role_names().len()).first().copied().unwrap_or(Role(0));
    let new_player = |text: &String| -> Result<Box<dyn Player>, String> {
        let spec: Spec = text.parse().map_err(|error| format!("{error}"))?;
        game.clone().player(role, &spec, Arc::new(InMemory::default())).map_err(|error| error.to_string())
    };
    let mut players: Vec<_> = specs.iter().map(new_player).collect::<Result<_, _>>()?;
    let seed = Seed::new(args.seed);
    let search = |player: &mut Box<dyn Player>, run: u32| {
        player.start(seed.at(u64::from(run)));
        player.choose(&Budget::simulations(SIMULATIONS), &|| false).1
    };
    // The run 0 warms up: memory is asked for once.
    let runs: Vec<Vec<Effort>> = (0..=args.runs)
        .map(|run| {
            begin_run(run);
            players.iter_mut().map(|player| search(player, run)).collect()
        })
        .skip(1)
        .collect();
    // Whatever disturbs a run makes it longer, and longer ones more often: the fastest of each player is the one to compare.
    let fastest = |place: usize| {
        let efforts = runs.iter().map(|run| run[place]);
        efforts.min_by(|a, b| ns_per_step(a).total_cmp(&ns_per_step(b))).expect("there is a run")
    };
    let measure = specs.iter().position(|spec| spec == MEASURE).expect("it is one of them");
    let measure = ns_per_step(&fastest(measure));
    let rows = specs.iter().enumerate().map(|(place, spec)| {
        let effort = fastest(place);
        let simulations = effort.simulations as f64;
        Measurement {
            game: game.name(),
            spec: spec.clone(),
            ms_per_1000_simulations: effort.time.as_secs_f64() * 1e6 / simulations,
            steps_per_simulation: effort.steps as f64 / simulations,
            ns_per_step: ns_per_step(&effort),
            ratio: ns_per_step(&effort) / measure,
        }
    });
    Ok(rows.collect())
}

fn ns_per_step(effort: &Effort) -> f64 {
    effort.time.as_nanos() as f64 / effort.steps as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_selection_rule_that_suits_it() {
        let specs = specs();
        assert_eq!(specs[..4], ["uct", "uct+uniform", "rave+uniform", "grave+uniform"]);
        assert_eq!(specs.len(), 1 + SELECTS.len() + POLICIES.len() - 1);
        assert!(["uct+ppa", "uct+lgrf", "rave+ppr", "rave+poolrave"].iter().all(|&spec| specs.contains(&spec.into())));
    }
}
