//! [`open`]: from the text of a sheet to a game, by the fastest engine that can play it.

use crate::check::Checked;
use crate::diagnostic::{Diagnostic, Span};
use crate::domains::{Domain, domains};
use crate::ground::Ground;
use crate::in_use;
use crate::interp::{Failure, Interpreter};
use crate::limits::Limits;
use crate::machine::Machine;
use crate::network::Network;
use crate::rules::Rules;
use crate::sexpr;
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
/// Rules that are in use in this process are not compiled again: games of the same rules share all but their names.
///
/// Sheets that can be grounded in a moment are, and the machine plays them. Of others the interpreter plays a few steps first: a
/// sheet that even it cannot work out within its limits is refused there and then, with the rule that grows. Only then grounding
/// gets the time and memory of its own limits.
///
/// # Errors
/// All remarks about a sheet that cannot be played, at least one of them an error.
pub fn open(name: &str, text: &str, limits: Limits) -> Result<Opened, Vec<Diagnostic>> {
    open_while(name, text, limits, &|| true).expect("it is needed to the end")
}

/// Opens a sheet as [`open`] does, unless it turns out meanwhile that it is no longer needed.
pub fn open_while(
    name: &str,
    text: &str,
    limits: Limits,
    is_needed: &dyn Fn() -> bool,
) -> Option<Result<Opened, Vec<Diagnostic>>> {
    let start = Instant::now();
    let checked = Checked::within(text, limits);
    if checked.is_broken() {
        return Some(Err(checked.diagnostics));
    }
    let Checked { rules, mut diagnostics, .. } = checked;
    let bare = sexpr::bare(text);
    if let Some((engine, report)) = in_use::find(name, &bare, limits) {
        return Some(Ok(Opened { engine, warnings: diagnostics, report }));
    }
    let rules = Arc::new(rules);
    let mut report = Report { clauses: rules.clauses.len(), read_time: start.elapsed(), ..Report::default() };
    let mut spare = Spare { name, rules: &rules, tried: None };
    let engine = match compile(name, &rules, &mut spare, &mut report, is_needed) {
        Ok(machine) => Ok(Engine::Machine(Arc::new(machine))),
        Err(Refusal::Limits(reason)) => match spare.take() {
            Ok(game) => Ok(Engine::Interpreter { game: Arc::new(game), reason }),
            Err(failure) => Err(failure.diagnostic()),
        },
        Err(Refusal::Rules(error)) => Err(error),
        Err(Refusal::NotNeeded) => return None,
    };
    Some(match engine {
        Ok(engine) => {
            in_use::note(bare, limits, &engine, &report);
            Ok(Opened { engine, warnings: diagnostics, report })
        }
        Err(error) => {
            diagnostics.push(error);
            Err(diagnostics)
        }
    })
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
    Spare { name, rules: &Arc::new(rules), tried: None }.take().map_err(|failure| {
        diagnostics.push(failure.diagnostic());
        diagnostics
    })
}

/// The ground rules of a sheet, as [`open`] makes them.
///
/// # Errors
/// As [`open`]; and if there are none within the limits, why.
pub fn ground(text: &str, limits: Limits) -> Result<Ground, Vec<Diagnostic>> {
    let Checked { rules, mut diagnostics, .. } = match Checked::within(text, limits) {
        broken if broken.is_broken() => return Err(broken.diagnostics),
        sound => sound,
    };
    let rules = Arc::new(rules);
    let mut spare = Spare { name: "", rules: &rules, tried: None };
    let ground = Ground::with_consent(&rules, limits, &mut || spare.is_playable(), &|| true);
    ground.map_err(|error| {
        diagnostics.push(match spare.take() {
            Err(failure) => failure.diagnostic(),
            Ok(_) => Diagnostic::error(Span::default(), error.to_string()),
        });
        diagnostics
    })
}

/// The interpreter of a sheet, made and tried out when it is first needed.
struct Spare<'r> {
    name: &'r str,
    rules: &'r Arc<Rules>,
    tried: Option<Result<Interpreter, Failure>>,
}

impl Spare<'_> {
    fn tried(&mut self) -> &mut Option<Result<Interpreter, Failure>> {
        if self.tried.is_none() {
            let game = Interpreter::new(self.name, Arc::clone(self.rules));
            self.tried = Some(game.try_out().map(|()| game));
        }
        &mut self.tried
    }

    fn is_playable(&mut self) -> bool {
        matches!(self.tried(), Some(Ok(_)))
    }

    fn take(mut self) -> Result<Interpreter, Failure> {
        self.tried().take().expect("it has been tried")
    }
}

/// Why there is no machine.
enum Refusal {
    Limits(String),
    Rules(Diagnostic),
    NotNeeded,
}

/// Compiles rules. Grounding asks all the time whether it is still needed; the other stages are asked before they begin.
fn compile(
    name: &str,
    rules: &Rules,
    spare: &mut Spare<'_>,
    report: &mut Report,
    is_needed: &dyn Fn() -> bool,
) -> Result<Machine, Refusal> {
    let still = || if is_needed() { Ok(()) } else { Err(Refusal::NotNeeded) };
    let start = Instant::now();
    let ground = Ground::with_consent(rules, rules.limits, &mut || spare.is_playable(), is_needed);
    still()?;
    let ground = ground.map_err(|error| Refusal::Limits(error.to_string()))?;
    report.ground = Some((ground.atom_count(), ground.instance_count()));
    report.ground_time = start.elapsed();
    let start = Instant::now();
    let network = Network::new(&ground).map_err(|error| {
        let remark = Diagnostic::error(error.1, error.to_string()).label("on the way back to itself");
        Refusal::Rules(remark.help("break the cycle: a condition may not depend on its own negation"))
    })?;
    report.network = Some((network.gates.len(), network.edges()));
    report.network_time = start.elapsed();
    still()?;
    let (network, passes) = simplify(network);
    report.passes = passes;
    let Rules { symbols, terms, .. } = &ground.rules;
    report.facts = domains(&network.fluents, symbols, terms);
    report.moves = network.moves.iter().map(|moves| domains(moves, symbols, terms)).collect();
    still()?;
    let start = Instant::now();
    let machine = Machine::new(name, &ground, network);
    report.compile_time = start.elapsed();
    report.phases = machine.node_counts().into_iter().zip(machine.edge_counts()).collect();
    Ok(machine)
}
