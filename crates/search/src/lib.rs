//! Monte-Carlo tree search whose playouts learn.
//!
//! *Everything that learns sees numbers, not moves.* A game gives every move of a role a dense id; a simulation writes one
//! flat, reused [`trail`](Trail); a playout [`Policy`] is one object in one file that owns its tables. Policies are not
//! generic over games and games know no policies.
//!
//! Read `simulate.rs` first: one simulation from top to bottom. Then `tree.rs` (the arena), `select/` (how arms are
//! chosen), `policy/` (how playouts are), `search.rs` (from simulations to a player) and `spec.rs` (from text to a search).

mod acceptance;
mod averages;
mod backup;
mod batch;
mod blocks;
mod budget;
mod builder;
mod chain;
mod decisive;
mod exp;
mod grams;
mod isolate;
mod kept;
mod lane;
mod lasting;
mod learned;
mod lockstep;
mod memory;
mod options;
mod params;
mod pick;
mod play;
mod player;
mod policy;
mod policy_spec;
mod presets;
mod registry;
mod relay;
mod report;
mod rows;
mod runner;
mod search;
mod select;
mod settings;
mod simulate;
mod solver;
mod spec;
mod table;
mod trail;
mod tree;
mod trial;
mod weights;
mod worker;
mod world;

pub use budget::{Budget, BudgetError};
pub use builder::PlayerBuilder;
pub use isolate::{Panicked, isolate};
pub use kept::KeptPlayer;
pub use learned::{InMemory, Learned};
pub use lockstep::{LaneGame, Schedule};
pub use params::{Args, Kind, Param, ParamError, Value, quoted, suggestion};
pub use play::{MAX_STEPS, Played, play};
pub use player::{Playable, Player, SearchObserver};
pub use policy::{Decision, Leaf, Needs, POLICIES, Policy, Share};
pub use presets::{DEFAULT_PLAYER, PAPERS, Paper, Preset, papers_with, presets};
pub use registry::{Build, Member, Memory, PolicyEntry, RegisterError, SelectEntry, policies, register};
pub use report::{ArmReport, Effort, MoveValue, Report};
pub use search::{Search, SearchError};
pub use select::SELECTS;
pub use settings::{BatchSize, Final, Goals, SETTINGS, Settings};
pub use spec::{RANDOM, Spec, SpecError};
pub use trail::{Choice, CodeSpace, Trail};
