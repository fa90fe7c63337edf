//! [`open`]: from the text of a sheet to a game, by the fastest engine that can play it.

use crate::check::Checked;
use crate::diagnostic::{Diagnostic, Span};
use crate::domains::{Domain, domains};
use crate::ground::{Ground, Limits};
use crate::interp::Interpreter;
use crate::machine::Machine;
use crate::network::Network;
use crate::rules::Rules;
use crate::simplify::{Pass, simplify};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game, and how it came to be.
pub struct Opened {
    /// What plays it.
    pub engine: Engine,
    /// Remarks about the sheet, none of them an error.
    pub warnings: Vec<Diagnostic>,
    /// Sizes and times of the stages.
    pub report: Report,
}

/// The engine of a game.
pub enum Engine {
    /// The fast one.
    Machine(Arc<Machine>),
    /// The one of last resort.
    Interpreter {
        /// The game.
        game: Arc<Interpreter>,
        /// Why the machine cannot play it.
        reason: String,
    },
}

/// What the stages made of a sheet, and how long they took.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Clauses in normal form.
    pub clauses: usize,
    /// Reading and checking.
    pub read_time: Duration,
    /// Ground atoms that may change, and instances of clauses.
    pub ground: Option<(usize, usize)>,
    /// Grounding.
    pub ground_time: Duration,
    /// Gates and gate inputs of the network as it was built.
    pub network: Option<(usize, usize)>,
    /// Building the network.
    pub network_time: Duration,
    /// What each pass of simplification left.
    pub passes: Vec<Pass>,
    /// The facts that may become true.
    pub facts: Vec<Domain>,
    /// The moves of each role.
    pub moves: Vec<Vec<Domain>>,
    /// Compiling the networks of the phases.
    pub compile_time: Duration,
    /// Nodes and edges of each of them.
    pub phases: Vec<(usize, usize)>,
}

/// Opens a sheet under a name.
///
/// # Errors
/// All remarks about a sheet that cannot be played, at least one of them an error.
pub fn open(name: &str, text: &str, limits: Limits) -> Result<Opened, Vec<Diagnostic>> {
    let start = Instant::now();
    let checked = Checked::new(text);
    if checked.is_broken() {
        return Err(checked.diagnostics);
    }
    let Checked { rules, mut diagnostics, .. } = checked;
    let mut report = Report { clauses: rules.clauses.len(), read_time: start.elapsed(), ..Report::default() };
    let engine = match compile(name, &rules, limits, &mut report) {
        Ok(machine) => Engine::Machine(Arc::new(machine)),
        Err(Refusal::Limits(reason)) => match begin(name, rules) {
            Ok(game) => Engine::Interpreter { game: Arc::new(game), reason },
            Err(error) => {
                diagnostics.push(error);
                return Err(diagnostics);
            }
        },
        Err(Refusal::Rules(title)) => {
            diagnostics.push(
                Diagnostic::error(Span::default(), title)
                    .help("break the cycle: a condition may not depend on its own negation"),
            );
            return Err(diagnostics);
        }
    };
    Ok(Opened { engine, warnings: diagnostics, report })
}

/// Opens a sheet under a name for the interpreter, whether or not there is a faster engine.
///
/// # Errors
/// As [`open`].
pub fn interpret(name: &str, text: &str) -> Result<Interpreter, Vec<Diagnostic>> {
    let Checked { rules, mut diagnostics, .. } = match Checked::new(text) {
        broken if broken.is_broken() => return Err(broken.diagnostics),
        sound => sound,
    };
    begin(name, rules).map_err(|error| {
        diagnostics.push(error);
        diagnostics
    })
}

/// The interpreter at the start of a game.
fn begin(name: &str, rules: Rules) -> Result<Interpreter, Diagnostic> {
    let game = Interpreter::new(name, Arc::new(rules));
    if game.can_start() {
        return Ok(game);
    }
    let title = "the rules of the initial state do not terminate or take too long";
    let help = "look for a rule that builds ever larger terms or joins relations that share no variable";
    Err(Diagnostic::error(Span::default(), title).help(help))
}

/// Why there is no machine.
enum Refusal {
    Limits(String),
    Rules(String),
}

fn compile(name: &str, rules: &Rules, limits: Limits, report: &mut Report) -> Result<Machine, Refusal> {
    let start = Instant::now();
    let ground = Ground::new(rules, limits).map_err(|error| Refusal::Limits(error.to_string()))?;
    report.ground = Some((ground.atom_count(), ground.instance_count()));
    report.ground_time = start.elapsed();
    let start = Instant::now();
    let network = Network::new(&ground).map_err(|error| Refusal::Rules(error.to_string()))?;
    report.network = Some((network.gates.len(), network.edges()));
    report.network_time = start.elapsed();
    let (network, passes) = simplify(network);
    report.passes = passes;
    let Rules { symbols, terms, .. } = &ground.rules;
    report.facts = domains(&network.fluents, symbols, terms);
    report.moves = network.moves.iter().map(|moves| domains(moves, symbols, terms)).collect();
    let start = Instant::now();
    let machine = Machine::new(name, &ground, network);
    report.compile_time = start.elapsed();
    report.phases = machine.node_counts().into_iter().zip(machine.edge_counts()).collect();
    Ok(machine)
}
