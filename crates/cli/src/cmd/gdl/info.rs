//! `ludens gdl info`: what becomes of a sheet on its way to an engine.

use super::Source;
use crate::{Console, Failure, console::grouped};
use ludens_game::Game;
use ludens_gdl::domains::Domain;
use ludens_gdl::{Engine, LaneSizes, Machine, Opened, Report};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Show roles, facts and moves, and the size and time of every compilation stage
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ludens gdl info gdl:connect4")]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
}

#[derive(Serialize)]
struct Info {
    game: String,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    warnings: usize,
    roles: Vec<RoleInfo>,
    facts: Vec<Form>,
    stages: Vec<Stage>,
}

#[derive(Serialize)]
struct RoleInfo {
    name: String,
    moves: Vec<Form>,
}

/// Facts or moves with one name.
#[derive(Serialize)]
struct Form {
    name: String,
    count: usize,
    values: Vec<usize>,
}

impl From<&Domain> for Form {
    fn from(domain: &Domain) -> Form {
        Form { name: domain.name.clone(), count: domain.count, values: domain.values.clone() }
    }
}

#[derive(Serialize)]
struct Stage {
    stage: String,
    /// What is counted in `parts` and in `links`.
    unit: [&'static str; 2],
    parts: usize,
    links: usize,
    milliseconds: f64,
}

fn stage(stage: &str, unit: [&'static str; 2], (parts, links): (usize, usize), time: Duration) -> Stage {
    let milliseconds = (time.as_secs_f64() * 1e6).round() / 1e3;
    Stage { stage: stage.to_owned(), unit, parts, links, milliseconds }
}

fn stages(report: &Report) -> Vec<Stage> {
    let gates = ["gates", "inputs"];
    let mut stages = vec![stage("read", ["clauses", ""], (report.clauses, 0), report.read_time)];
    stages.extend(report.ground.map(|sizes| stage("ground", ["atoms", "instances"], sizes, report.ground_time)));
    stages.extend(report.network.map(|sizes| stage("network", gates, sizes, report.network_time)));
    stages.extend(report.passes.iter().map(|pass| stage(pass.name, gates, (pass.gates, pass.edges), pass.time)));
    for (phase, &sizes) in (1..).zip(&report.phases) {
        let time = if phase == 1 { report.compile_time } else { Duration::ZERO };
        stages.push(stage(&format!("machine, phase {phase}"), ["nodes", "edges"], sizes, time));
    }
    stages
}

/// The stages of the engine that plays many positions at once.
fn lane_stages(machine: &Machine) -> Vec<Stage> {
    let start = Instant::now();
    let LaneSizes { phases, goals } = machine.lane_sizes();
    let time = start.elapsed();
    let tape = |name: &str, sizes, time| stage(&format!("lanes, {name}"), ["operations", "slots"], sizes, time);
    let mut stages = Vec::new();
    for (phase, sizes) in (1..).zip(phases) {
        stages.push(tape(&format!("phase {phase}"), sizes, if phase == 1 { time } else { Duration::ZERO }));
    }
    stages.push(tape("goals", goals, Duration::ZERO));
    stages
}

impl Info {
    fn new(opened: &Opened) -> Info {
        let (game, names, engine, reason) = match &opened.engine {
            Engine::Machine(game) => (game.name(), game.role_names(), "machine", None),
            Engine::Interpreter { game, reason } => {
                (game.name(), game.role_names(), "interpreter", Some(reason.clone()))
            }
        };
        let report = &opened.report;
        let moves = |role: usize| report.moves.get(role).map_or_else(Vec::new, |moves| forms(moves));
        let roles = names.into_iter().enumerate();
        let mut stages = stages(report);
        if let Engine::Machine(machine) = &opened.engine {
            stages.extend(lane_stages(machine));
        }
        Info {
            game,
            engine,
            reason,
            warnings: opened.warnings.len(),
            roles: roles.map(|(role, name)| RoleInfo { name, moves: moves(role) }).collect(),
            facts: forms(&report.facts),
            stages,
        }
    }
}

fn forms(domains: &[Domain]) -> Vec<Form> {
    domains.iter().map(Form::from).collect()
}

/// `cell 8×8×3 (128)`: name, values per argument, and how many there are if not every combination is.
fn described(form: &Form) -> String {
    let sizes: Vec<_> = form.values.iter().map(usize::to_string).collect();
    let combinations: usize = form.values.iter().product();
    match (sizes.is_empty(), form.count == combinations) {
        (true, _) => form.name.clone(),
        (false, true) => format!("{} {}", form.name, sizes.join("×")),
        (false, false) => format!("{} {} ({})", form.name, sizes.join("×"), form.count),
    }
}

fn all_described(forms: &[Form]) -> String {
    let total: usize = forms.iter().map(|form| form.count).sum();
    let described: Vec<_> = forms.iter().map(described).collect();
    format!("{}: {}", grouped(total as u64), described.join(", "))
}

pub(crate) fn run(args: &Args, console: &mut Console<'_>) -> Result<(), Failure> {
    let info = Info::new(&args.source.open()?);
    if console.json {
        return console.json(&info);
    }
    match &info.reason {
        None => writeln!(console.out, "{} is played by the machine", info.game)?,
        Some(reason) => writeln!(console.out, "{} is played by the interpreter: {reason}", info.game)?,
    }
    if info.warnings > 0 {
        writeln!(console.out, "warnings: {}, see ludens gdl check {}", info.warnings, args.source.sheet)?;
    }
    for role in &info.roles {
        match role.moves.is_empty() {
            true => writeln!(console.out, "role {}", role.name)?,
            false => writeln!(console.out, "role {}, moves {}", role.name, all_described(&role.moves))?,
        }
    }
    if !info.facts.is_empty() {
        writeln!(console.out, "facts {}", all_described(&info.facts))?;
    }
    let size = |count: usize, unit: &str| match unit {
        "" => String::new(),
        _ => format!("{} {unit}", grouped(count as u64)),
    };
    let rows = info.stages.iter().map(|stage| {
        let [parts, links] = stage.unit;
        vec![
            stage.stage.clone(),
            size(stage.parts, parts),
            size(stage.links, links),
            format!("{:.1} ms", stage.milliseconds),
        ]
    });
    console.table(&[("stage", false), ("parts", true), ("links", true), ("time", true)], rows.collect())
}
