//! What there is: selection rules and policies, with their parameters. Parser, printer, help texts and tables are made from
//! these slices; adding a policy is one file and one entry.

use crate::{
    grams::Order,
    pick::{Picker, Rule},
    policy::{
        BoardOrder, Lgrf, Mast, Needs, Nppa, NppaOptions, Nst, NstOptions, Policy, PoolOptions, PoolRave, Ppa,
        PpaOptions, Ppr, PprOptions, Store, Uniform, Update,
    },
    select::{Grave, Rave, Select, Uct, Unvisited},
    trail::CodeSpace,
};

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Any number, `inf` included.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// A number of bytes, written with a unit.
    Bytes(u64),
    /// One of a list of words.
    Word(&'static str),
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// From the first to the second, both included.
    Number(f64, f64),
    /// From the first to the second, both included.
    Whole(u64, u64),
    /// The same, or the word `auto`.
    WholeOrAuto(u64, u64),
    /// At least so many bytes.
    Bytes(u64),
    /// One of these.
    Word(&'static [&'static str]),
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key in a spec.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its value if a spec does not say.
    pub default: Value,
}

const fn number(name: &'static str, default: f64, range: (f64, f64), about: &'static str) -> Param {
    Param { name, about, kind: Kind::Number(range.0, range.1), default: Value::Number(default) }
}

pub(crate) const fn whole(name: &'static str, default: u64, range: (u64, u64), about: &'static str) -> Param {
    Param { name, about, kind: Kind::Whole(range.0, range.1), default: Value::Whole(default) }
}

pub(crate) const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Param {
    Param { name, about, kind: Kind::Word(words), default: Value::Word(words[0]) }
}

const INF: f64 = f64::INFINITY;
pub(crate) const SWITCH_OFF: &[&str] = &["off", "on"];
pub(crate) const SWITCH_ON: &[&str] = &["on", "off"];

/// The values of all parameters of one entry, in the entry's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    pub(crate) params: &'static [Param],
    pub(crate) values: Vec<Value>,
}

impl Args {
    /// All defaults.
    pub fn defaults(params: &'static [Param]) -> Args {
        Args { params, values: params.iter().map(|param| param.default).collect() }
    }

    pub(crate) fn get(&self, name: &str) -> Value {
        let place = self.params.iter().position(|param| param.name == name);
        self.values[place.expect("the entry has the parameter")]
    }

    fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => number,
            other => unreachable!("{name} is {other:?}, not a number"),
        }
    }

    pub(crate) fn whole(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Whole(number) | Value::Bytes(number) => number,
            other => unreachable!("{name} is {other:?}, not a whole number"),
        }
    }

    pub(crate) fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Word(word) => word,
            other => unreachable!("{name} is {other:?}, not a word"),
        }
    }

    pub(crate) fn on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }
}

/// A selection rule of the registry.
pub struct SelectEntry {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    pub(crate) build: fn(&Args) -> Box<dyn Select>,
}

/// A playout policy of the registry.
pub struct PolicyEntry {
    /// Its name in a spec.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The papers that describe or use it.
    pub papers: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Whether it always chooses, so that nothing can follow it in a spec.
    pub total: bool,
    /// What it remembers.
    pub memory: Memory,
    pub(crate) build: fn(&Args, &CodeSpace) -> Box<dyn Policy>,
}

/// What a policy remembers, from little to much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// Nothing.
    Nothing,
    /// Something about every move.
    Moves,
    /// Something about sequences of moves, of which there are many.
    Sequences,
}

impl PolicyEntry {
    /// Whether it reads AMAF sums, so that a selection rule that has them suits it.
    pub fn reads_amaf(&self) -> bool {
        self.needs(&Args::defaults(self.params)).amaf
    }

    pub(crate) fn needs(&self, args: &Args) -> Needs {
        let smallest = CodeSpace::of(&ludens_game::toy::Pennies);
        (self.build)(args, &smallest).needs()
    }
}

/// All selection rules.
pub static SELECTS: &[SelectEntry] = &[
    SelectEntry {
        name: "uct",
        about: "upper confidence bounds: mean score plus c·sqrt(ln N / n)",
        params: &[
            number("c", 0.4, (0.0, 1e6), "weight of exploration"),
            number("fpu", INF, (0.0, INF), "value of an unvisited arm; inf: unvisited arms come first"),
            number("band", 0.0, (0.0, 1.0), "values within this of the best are drawn from"),
            word("unvisited", &["random", "first", "last", "policy"], "which unvisited arm comes first"),
        ],
        build: |args| {
            let unvisited = unvisited(args.word("unvisited"));
            Box::new(Uct::new(args.number("c"), args.number("fpu"), args.number("band"), unvisited))
        },
    },
    SelectEntry {
        name: "rave",
        about: "mean score blended with all-moves-as-first sums, weight sqrt(r/(r+3n))",
        params: &[
            number("r", 130.0, (0.0, 1e9), "how long the sums matter"),
            number("c", 0.0, (0.0, 1e6), "weight of exploration"),
            word("unvisited", &["amaf", "random", "first", "last", "policy"], "which unvisited arm comes first"),
        ],
        build: |args| {
            let first = match args.word("unvisited") {
                "amaf" => None,
                other => Some(unvisited(other)),
            };
            Box::new(Rave::new(args.number("r"), args.number("c"), first))
        },
    },
    SelectEntry {
        name: "grave",
        about: "RAVE with the sums of the nearest ancestor that has enough simulations",
        params: &[
            whole("ref", 50, (0, 1 << 31), "simulations that make an ancestor good enough"),
            number("bias", 1e-10, (0.0, 1e9), "how fast the sums lose weight"),
            number("c", 0.0, (0.0, 1e6), "weight of exploration"),
        ],
        build: |args| Box::new(Grave::new(args.whole("ref") as u32, args.number("bias"), args.number("c"))),
    },
];

fn unvisited(word: &str) -> Unvisited {
    match word {
        "first" => Unvisited::First,
        "last" => Unvisited::Last,
        "policy" => Unvisited::Policy,
        _ => Unvisited::Random,
    }
}

const EPS: Param = number("eps", 0.4, (0.0, 1.0), "share of uniform moves, the others are greedy");
const TAU: Param = number("tau", 0.0, (0.0, 1e6), "above 0: Gibbs sampling with this temperature instead of eps");
const FPU: Param = number("fpu", 1.0, (0.0, 1.0), "value of an unseen move");
const L: Param = whole("L", 3, (1, 3), "longest sequence of moves");
const V: Param = whole("V", 7, (1, 65_535), "visits that make a longer sequence count");
const ORDER: Param = word("order", &["cyclic", "acted"], "who precedes: role p-1, or whoever had a choice");
const ALPHA: Param = number("alpha", 1.0, (0.0, 1e6), "learning rate");
const K: Param = number("k", 1.0, (0.0, 1e6), "sharpness: moves are drawn by exp(k·weight)");
const UPDATE: Param = word("update", &["winner", "payoff"], "who learns: the winner, or each role by its score");
const SCALE: Param = number("scale", 1.0, (0.0, 1e6), "factor on the scores that teach");
const KEEP_ALL: Param = number("keep", 1.0, (0.0, 1.0), "what stays after a step of the game");

/// All playout policies.
pub static POLICIES: &[PolicyEntry] = &[
    PolicyEntry {
        name: "uniform",
        about: "every move with the same probability",
        papers: "all",
        params: &[],
        total: true,
        memory: Memory::Nothing,
        build: |_, _| Box::new(Uniform),
    },
    PolicyEntry {
        name: "mast",
        about: "move averages: moves that did well on average, whatever the position",
        papers: "tak2012, ppr2016, sironi2021",
        params: &[EPS, TAU, KEEP_ALL, FPU],
        total: true,
        memory: Memory::Moves,
        build: |args, space| Box::new(Mast::new(space.total(), picker(args), args.number("keep"), args.number("fpu"))),
    },
    PolicyEntry {
        name: "nst",
        about: "n-grams: averages of sequences of up to three moves",
        papers: "tak2012, ppr2016, sironi2021",
        params: &[EPS, TAU, KEEP_ALL, FPU, L, V, ORDER],
        total: true,
        memory: Memory::Sequences,
        build: |args, space| {
            let options = NstOptions {
                length: args.whole("L") as usize,
                min_visits: args.whole("V") as u32,
                keep: args.number("keep"),
                fpu: args.number("fpu"),
                order: order(args),
            };
            Box::new(Nst::new(space.total(), picker(args), options))
        },
    },
    PolicyEntry {
        name: "lgrf",
        about: "last good reply with forgetting: what won after the same one or two moves",
        papers: "tak2012, ppr2016",
        params: &[
            whole("n", 2, (1, 2), "how many moves a reply answers at most"),
            word("store", &["global", "node"], "one table, or one in every node of the tree"),
            word("keep", SWITCH_ON, "whether replies survive a step of the game"),
        ],
        total: false,
        memory: Memory::Sequences,
        build: |args, space| {
            let store = if args.word("store") == "node" { Store::Node } else { Store::Global };
            Box::new(Lgrf::new(space.total(), args.whole("n") as usize, store, args.on("keep")))
        },
    },
    PolicyEntry {
        name: "ppa",
        about: "playout policy adaptation: softmax weights that move towards what won",
        papers: "ppa2015, ppafm2017, sironi2021",
        params: &[
            ALPHA,
            K,
            UPDATE,
            SCALE,
            KEEP_ALL,
            word("features", SWITCH_OFF, "learn about moves with what the game finds remarkable about them"),
            word("initial", &["uniform", "learned"], "weights at the start of a game: none, or learned beforehand"),
        ],
        total: true,
        memory: Memory::Moves,
        build: |args, space| Box::new(Ppa::new(space, PpaOptions { features: args.on("features"), ..ppa(args) })),
    },
    PolicyEntry {
        name: "nppa",
        about: "playout policy adaptation on sequences of up to three moves",
        papers: "sironi2021",
        params: &[ALPHA, K, UPDATE, SCALE, KEEP_ALL, L, V, ORDER],
        total: true,
        memory: Memory::Sequences,
        build: |args, space| {
            let options = NppaOptions {
                ppa: ppa(args),
                length: args.whole("L") as usize,
                min_visits: args.whole("V") as u16,
                order: order(args),
            };
            Box::new(Nppa::new(space, options))
        },
    },
    PolicyEntry {
        name: "poolrave",
        about: "with probability p one of the n best moves by all-moves-as-first sums",
        papers: "ppr2016",
        params: &[
            whole("n", 10, (1, 1 << 20), "size of each role's pool"),
            number("p", 0.5, (0.0, 1.0), "probability of a move from the pool"),
            whole("ref", 50, (0, 1 << 31), "simulations that make an ancestor's sums good enough"),
        ],
        total: false,
        memory: Memory::Moves,
        build: |args, space| {
            let reference = args.whole("ref") as u32;
            let options = PoolOptions { n: args.whole("n") as usize, p: args.number("p"), reference };
            Box::new(PoolRave::new(space.roles(), options))
        },
    },
    PolicyEntry {
        name: "ppr",
        about: "playout pruning: moves with low all-moves-as-first sums are left out",
        papers: "ppr2016",
        params: &[
            number("tn", 0.01, (0.0, 1.0), "share of the budget that makes a node's sums good enough"),
            number("tw", 0.25, (0.0, 1.0), "rate above which a move is on the list"),
            number("p", 0.8, (0.0, 1.0), "probability of a move from the list"),
            word("order", &["board", "uniform"], "the other moves: the last ones in board order, or any"),
        ],
        total: true,
        memory: Memory::Moves,
        build: |args, _| {
            let order = if args.word("order") == "board" { BoardOrder::Board } else { BoardOrder::Uniform };
            Box::new(Ppr::new(PprOptions { tn: args.number("tn"), tw: args.number("tw"), p: args.number("p"), order }))
        },
    },
];

fn picker(args: &Args) -> Picker {
    let tau = args.number("tau");
    Picker::new(if tau > 0.0 { Rule::Gibbs(tau) } else { Rule::Greedy(args.number("eps")) })
}

fn order(args: &Args) -> Order {
    if args.word("order") == "acted" { Order::Acted } else { Order::Cyclic }
}

fn ppa(args: &Args) -> PpaOptions {
    PpaOptions {
        alpha: args.number("alpha"),
        k: args.number("k"),
        update: if args.word("update") == "payoff" { Update::Payoff } else { Update::Winner },
        scale: args.number("scale"),
        keep: args.number("keep"),
        features: false,
    }
}
