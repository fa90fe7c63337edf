//! Games played by the search crate, and by the kernels.

use ludens_game::{Role, Seed};
use ludens_gpu::{GpuGame, Job, PlayerCode, Sheet};
use ludens_search::{Budget, InMemory, Playable, Played, Player, Spec, play};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Players that between them use everything that the kernels can do.
pub(crate) const PLAYERS: &[&str] = &[
    "sironi2021/random",
    "sironi2021/mast",
    "tak2012/mast",
    "sironi2021/nst",
    "tak2012/lgr-nst",
    "sironi2021/ppa1",
    "tak2012/lgr-mastg",
    "sironi2021/ppap032",
    "tak2012/nst-gibbs",
    "sironi2021/nppa1",
    "tak2012/uct",
    "sironi2021/nppap032-corrected",
    "tak2012/mastg",
    "uct+ppa(update=payoff)@discount=0.9,pace=0.6",
    "tak2012/nst",
    "uct(unvisited=policy)+mast@discount=0.9,goals=difference",
    "tak2012/lgr-mast-gibbs",
    "uct+nppa(update=payoff)@discount=0.9,goals=difference,pace=1.5",
    "tak2012/lgr-nst-gibbs",
    "random",
    "uct(unvisited=last)+nst(order=acted,keep=0.5,L=2)@reuse=off,depth=9",
    "uct(unvisited=first)+ppa(k=2,keep=0.5)@tt=off,reuse=off",
    "uct(unvisited=random)+nppa(keep=0.5,order=acted,V=2)@think=every",
    "uct+lgrf(n=1,keep=off,draws=leave)+ppa(keep=0)@leaf=count,depth=20",
    "uct(unvisited=policy)+lgrf(n=2,draws=leave)+mast(eps=0.2)@leaf=count,discount=0.999",
];

#[test]
fn all_agents_of_a_paper_are_among_the_players() {
    let mut agents = ludens_search::presets().filter(|preset| preset.name.starts_with("tak2012/"));
    assert!(agents.all(|preset| PLAYERS.contains(&preset.name)));
}

/// A match: the players take all seats in turn.
pub(crate) struct Match {
    pub(crate) game: Arc<dyn Playable>,
    pub(crate) specs: Vec<Spec>,
    pub(crate) budget: Budget,
    pub(crate) games: Vec<GpuGame>,
}

impl Match {
    pub(crate) fn new(game: &str, specs: &[&str], budget: &str, games: u64) -> Match {
        let game = ludens_catalog::open(game).expect("a game");
        let roles = game.role_names().len();
        let seat = |number: u64| (0..roles).map(|role| (role + number as usize) % specs.len()).collect();
        let games = (0..games).map(|number| GpuGame { seats: seat(number), seed: Seed::new(7).at(number) });
        Match {
            game,
            specs: specs.iter().map(|spec| spec.parse().expect("a spec")).collect(),
            budget: budget.parse().expect("a budget"),
            games: games.collect(),
        }
    }

    pub(crate) fn job(&self) -> Job {
        let circuit = self.game.circuit().expect("a rulesheet has a circuit");
        let sheet = Sheet::new(&circuit).expect("a sheet that fits");
        let players = self.specs.iter().map(|spec| PlayerCode::new(spec, &self.budget).expect("a player"));
        Job::new(Arc::new(sheet), players.collect(), self.games.clone())
    }

    /// The game as the search crate plays it.
    fn played_alone(&self, game: &GpuGame) -> Played {
        let player = |(role, &seat): (usize, &usize)| -> Box<dyn Player> {
            let learned = Arc::new(InMemory::default());
            self.game.clone().player(Role(role as u8), &self.specs[seat], learned).expect("a player")
        };
        let mut players: Vec<_> = game.seats.iter().enumerate().map(player).collect();
        let mut seats: Vec<_> = players.iter_mut().collect();
        let mut position = self.game.clone().start();
        play(&mut *position, &mut seats, (self.budget, game.seed), &|| false).expect("nobody stops it")
    }

    /// Compares games of the kernels with those of the search crate. None may be left out.
    pub(crate) fn compare(&self, played: &[Option<Played>]) {
        self.compare_played(played);
        let left_out = played.iter().filter(|game| game.is_none()).count();
        println!("{}: {left_out} of {} games were left out", self.game.name(), played.len());
        assert_eq!(left_out, 0, "{}: games were left out", self.game.name());
    }

    /// The same for those that were played.
    pub(crate) fn compare_played(&self, played: &[Option<Played>]) {
        assert_eq!(played.len(), self.games.len());
        let numbers: Vec<usize> = (0..played.len()).filter(|&number| played[number].is_some()).collect();
        on_all_cores(&numbers, |&number| self.compare_game(number, played[number].as_ref().expect("it was played")));
    }

    fn compare_game(&self, number: usize, played: &Played) {
        let game = &self.games[number];
        let alone = self.played_alone(game);
        let seats: Vec<String> = game.seats.iter().map(|&seat| self.specs[seat].to_string()).collect();
        let what = format!("{}, {}, game {number}", self.game.name(), seats.join(" against "));
        let step = alone.moves.iter().zip(&played.moves).position(|(a, b)| a != b);
        assert_eq!(step, None, "{what}: {:?} and {:?}", alone.moves, played.moves);
        assert_eq!((alone.moves.len(), &alone.scores), (played.moves.len(), &played.scores), "{what}");
        let counts = |played: &Played| -> Vec<_> {
            played.efforts.iter().map(|effort| (effort.simulations, effort.steps)).collect()
        };
        assert_eq!(counts(&alone), counts(played), "{what}");
    }
}

/// Does something with every item, on all cores.
pub(crate) fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
}
