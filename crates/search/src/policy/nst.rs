//! NST, the n-gram selection technique (tak2012; sironi2021).
//!
//! A gram of length l ends in the move of role p at step t, preceded by the move of role (p-1) mod n at t-1 and of role
//! (p-2) mod n at t-2: noops are moves, grams cross the border between tree and playout and begin at the root of the
//! search. The value of a move is the mean score of its 1-gram, averaged with those of its longer grams as long as they
//! have at least V visits; unseen 1-grams count as `fpu`. Lengths 1 to L = 3, V = 7. `nast2` of ppr2016 is L = 2.
//!
//! Deviation from sironi2021's formula (4), following its program: the sum is divided by the number of grams used, not by
//! L. `order=acted` is what that paper's text describes for games in which a role moves twice in a row: only roles that
//! had a choice count as predecessors, in the order in which they acted.

use super::{Decision, Needs, Policy};
use crate::{
    averages::{Averages, FPU, KEEP, decayed},
    grams::{L, ORDER, Order, V},
    memory,
    pick::{EPS, Picker, TAU, either_eps_or_tau},
    registry::{Memory, PolicyEntry},
    table::{Context, GramTable},
    trail::Trail,
};
use ludens_game::{Rng, Role};

pub(super) const ENTRY: PolicyEntry =
    PolicyEntry::new("nst", "n-grams: mean scores of sequences of up to three moves", |args, space| {
        let options = NstOptions {
            length: args.whole("L") as usize,
            min_visits: args.whole("V") as u32,
            keep: args.number("keep"),
            fpu: args.number("fpu"),
            order: Order::of(args),
        };
        Box::new(Nst::new(space.total(), Picker::of(args), options))
    })
    .params(&[EPS, TAU, KEEP, FPU, L, V, ORDER])
    .memory(Memory::Sequences)
    .check(either_eps_or_tau);

/// The parameters beside the pick rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NstOptions {
    /// The longest gram, 1 to 3.
    pub(crate) length: usize,
    /// How many visits make a longer gram count.
    pub(crate) min_visits: u32,
    /// The share of the visits that stays after a step of the game.
    pub(crate) keep: f64,
    /// The value of an unseen move.
    pub(crate) fpu: f64,
    pub(crate) order: Order,
}

/// Visits and score sum of a gram.
#[derive(Clone, Copy, Debug, Default)]
struct Gram {
    visits: u32,
    score: f32,
    /// The place of its [`Ripe`] entry plus one; 0: it has too few visits to have one.
    ripe: u32,
}

/// A gram with enough visits, in a list of those of its context. A choice lays them over the 1-grams, so that it costs as
/// much as there is to say, not as there are moves.
#[derive(Clone, Copy, Debug, Default)]
struct Ripe {
    code: u32,
    mean: f32,
}

/// A piece of a list that fills a line of the cache: the tables of a long game do not fit into it, and going from gram to
/// gram would wait for memory at every one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Piece {
    grams: [Ripe; PIECE],
    len: u32,
    /// The number of the next piece plus one.
    next: u32,
}

/// The grams of a piece.
const PIECE: usize = 7;

impl Gram {
    #[inline]
    fn mean(&self) -> f64 {
        f64::from(self.score) / f64::from(self.visits)
    }
}

/// The lists of all contexts.
#[derive(Clone, Debug)]
struct RipeLists {
    pieces: Vec<Piece>,
    /// By context: the number of its list's first piece, plus one.
    heads: GramTable<u32>,
}

impl RipeLists {
    /// The code under which a context's list is found.
    const LIST: u32 = 0;

    fn new() -> RipeLists {
        RipeLists { pieces: Vec::new(), heads: GramTable::new() }
    }

    /// The number of the first piece of a context's list plus one; 0: it has none.
    #[inline]
    fn first(&self, context: Option<Context>) -> u32 {
        context.and_then(|context| self.heads.get(context, Self::LIST)).copied().unwrap_or(0)
    }

    /// Puts a gram on its context's list; returns its place plus one.
    fn enlist(&mut self, context: Context, code: u32, mean: f64) -> u32 {
        let head = self.heads.place(context, Self::LIST);
        let head = self.heads.at(head);
        let has_room = *head > 0 && (self.pieces[*head as usize - 1].len as usize) < PIECE;
        if !has_room {
            self.pieces.push(Piece { next: *head, ..Piece::default() });
            *head = self.pieces.len() as u32;
        }
        let number = *head as usize - 1;
        let piece = &mut self.pieces[number];
        piece.grams[piece.len as usize] = Ripe { code, mean: mean as f32 };
        piece.len += 1;
        (number * PIECE) as u32 + piece.len
    }

    /// The entry at a place plus one.
    #[inline]
    fn entry(&mut self, ripe: u32) -> &mut Ripe {
        let place = ripe as usize - 1;
        &mut self.pieces[place / PIECE].grams[place % PIECE]
    }

    fn bytes(&self) -> usize {
        memory::of_vec(&self.pieces) + self.heads.bytes()
    }

    fn clear(&mut self) {
        self.pieces.clear();
        self.heads.clear();
    }
}

/// The policy and its tables.
#[derive(Clone, Debug)]
pub(crate) struct Nst {
    options: NstOptions,
    picker: Picker,
    singles: Averages,
    longer: GramTable<Gram>,
    ripe: RipeLists,
    /// 1-grams with longer ones laid over them: code and mean score of the 1-gram alone.
    covered: Vec<(u32, f64)>,
}

impl Nst {
    pub(crate) fn new(codes: usize, picker: Picker, options: NstOptions) -> Nst {
        Nst {
            options,
            picker,
            singles: Averages::new(codes, options.fpu),
            longer: GramTable::new(),
            ripe: RipeLists::new(),
            covered: Vec::new(),
        }
    }

    fn add(&mut self, context: Context, code: u32, score: f64) {
        let place = self.longer.place(context, code);
        let gram = self.longer.at(place);
        gram.visits += 1;
        gram.score += score as f32;
        let gram = *gram;
        if gram.ripe > 0 {
            self.ripe.entry(gram.ripe).mean = gram.mean() as f32;
        } else if gram.visits >= self.options.min_visits {
            self.longer.at(place).ripe = self.ripe.enlist(context, code, gram.mean());
        }
    }

    /// Lays a list of ripe grams, by the number of its first piece plus one, over the shorter ones: `used` grams make up each
    /// value so far.
    #[inline]
    fn cover(&mut self, mut next: u32, used: f64) {
        let means = self.singles.means_mut();
        while next > 0 {
            let piece = &self.ripe.pieces[next as usize - 1];
            for ripe in &piece.grams[..piece.len as usize] {
                let mean = &mut means[ripe.code as usize];
                self.covered.push((ripe.code, *mean));
                *mean = (used * *mean + f64::from(ripe.mean)) / (used + 1.0);
            }
            next = piece.next;
        }
    }

    fn uncover(&mut self) {
        let means = self.singles.means_mut();
        while let Some((code, mean)) = self.covered.pop() {
            means[code as usize] = mean;
        }
    }

    /// Makes the lists anew after visits have changed.
    fn enlist_all(&mut self) {
        self.ripe.clear();
        let Nst { longer, ripe, options, .. } = self;
        for (context, code, gram) in longer.iter_mut() {
            let counts = gram.visits >= options.min_visits;
            gram.ripe = if counts { ripe.enlist(context, code, gram.mean()) } else { 0 };
        }
    }
}

impl Policy for Nst {
    fn needs(&self) -> Needs {
        Needs { trail: true, ..Needs::default() }
    }

    fn explores(&self, _: Role, rng: &mut Rng) -> bool {
        self.picker.explores(rng)
    }

    fn choose(&mut self, decision: &Decision<'_>, rng: &mut Rng) -> Option<usize> {
        let Decision { role, moves, first, trail, .. } = *decision;
        // A gram of three moves has as many visits as its last two moves at most: where it counts, they do too.
        let contexts = self.options.order.contexts(trail, trail.steps(), role, self.options.length);
        let [one, two] = contexts.map(|context| self.ripe.first(context));
        self.cover(one, 1.0);
        self.cover(two, 2.0);
        let means = &self.singles.means()[first as usize..];
        let values = moves.iter().map(|mv| means[mv.index()]);
        let chosen = self.picker.pick(values, rng);
        self.uncover();
        Some(chosen)
    }

    fn learn(&mut self, trail: &Trail, scores: &[f64]) {
        for step in 0..trail.steps() {
            let discount = trail.discount(step);
            for (role, code) in trail.moves(step) {
                let score = scores[role.index()] * discount;
                self.singles.add(code, score);
                let contexts = self.options.order.contexts(trail, step, role, self.options.length);
                for context in contexts.into_iter().flatten() {
                    self.add(context, code, score);
                }
            }
        }
    }

    fn new_turn(&mut self) {
        let keep = self.options.keep;
        self.singles.decay(keep);
        if keep < 1.0 {
            self.longer.retain(|gram| {
                let visits = decayed(gram.visits, keep);
                gram.score = (gram.mean() * f64::from(visits)) as f32;
                gram.visits = visits;
                visits > 0
            });
            self.enlist_all();
        }
    }

    fn reset(&mut self) {
        self.singles.clear();
        self.longer.clear();
        self.ripe.clear();
    }

    fn value_of(&self, code: u32) -> Option<f64> {
        self.singles.get(code)
    }

    fn bytes(&self) -> usize {
        self.singles.bytes() + self.longer.bytes() + self.ripe.bytes() + memory::of_vec(&self.covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pick::Rule, policy::test::choose_after, trail::CodeSpace};

    fn nst(min_visits: u32, length: usize) -> (CodeSpace, Nst) {
        let space = CodeSpace::by_hand(&[10, 10]);
        let options = NstOptions { length, min_visits, keep: 0.5, fpu: 1.0, order: Order::Cyclic };
        let nst = Nst::new(space.total(), Picker::new(Rule::Greedy(0.0)), options);
        (space, nst)
    }

    const NOOP: (&[u32], usize) = (&[9], 0);

    /// Alternating play: role 0 moves 1, 3, 1; role 1 moves 5, 6; the noop of both is 9. Codes of role 1 begin at 10.
    fn five_steps(space: &CodeSpace) -> Trail {
        let white = |mv: &'static [u32]| -> (&[u32], usize) { (mv, 0) };
        Trail::by_hand(
            space,
            &[
                &[white(&[1, 2]), NOOP],
                &[NOOP, (&[5, 6], 0)],
                &[white(&[3, 4]), NOOP],
                &[NOOP, (&[5, 6], 1)],
                &[white(&[1, 4]), NOOP],
            ],
        )
    }

    #[test]
    fn long_lists_go_on_in_the_next_piece() {
        let (_, mut nst) = nst(1, 2);
        let context = Context::one(15);
        let score = |code: u32| f64::from(code + 1) / 10.0;
        // Every move was played twice, for nothing and for its score; after 15 only for its score.
        for code in 0..9 {
            nst.singles.add(code, 0.0);
            nst.singles.add(code, score(code));
            nst.add(context, code, score(code));
        }
        let is_close = |nst: &Nst, share: f64| {
            (0..9).all(|code| (nst.singles.means()[code as usize] - share * score(code)).abs() < 1e-6)
        };
        assert_eq!(nst.ripe.pieces.len(), 2);
        let first = nst.ripe.first(Some(context));
        nst.cover(first, 1.0);
        assert!(is_close(&nst, 0.75), "(1/2 + 1) / 2 of the score");
        nst.uncover();
        assert!(is_close(&nst, 0.5));

        // Another visit for nothing changes the entry of its gram, in whichever piece it is.
        nst.add(context, 2, 0.0);
        nst.cover(first, 1.0);
        assert!((nst.singles.means()[2] - 0.5 * score(2)).abs() < 1e-6, "both halves");
    }

    #[test]
    fn every_gram_of_a_walk_of_five_steps() {
        let (space, mut nst) = nst(1, 3);
        nst.learn(&five_steps(&space), &[1.0, 0.0]);
        let mut expected = vec![
            // Role 0, pairs: (role 1's move before, own move).
            (Context::one(19), 1, 0), // not at step 0: nothing precedes
            (Context::one(19), 9, 1), // step 1: noop after noop
            (Context::one(15), 3, 1), // step 2: 3 after 5
            (Context::one(19), 3, 0),
            (Context::one(16), 1, 1), // step 4: 1 after 6
            // Role 1, pairs.
            (Context::one(1), 15, 1), // step 1: 5 after 1
            (Context::one(9), 19, 2), // steps 2 and 4: noop after noop
            (Context::one(3), 16, 1), // step 3: 6 after 3
            // Role 0, triples: (own move two steps ago, role 1's move before, own move).
            (Context::two(1, 15), 3, 1), // step 2
            (Context::two(9, 19), 9, 1), // step 3: noops of steps 1, 2 and 3
            (Context::two(3, 16), 1, 1), // step 4
            // Role 1, triples.
            (Context::two(19, 9), 19, 2), // steps 2 and 4: noops all along
            (Context::two(15, 3), 16, 1), // step 3
        ];
        // Role 0's noop after role 1's noop stands at step 3 as well.
        expected[1].2 = 2;
        let mut grams = 0;
        for (context, code, visits) in expected {
            let found = nst.longer.get(context, code).map_or(0, |gram| gram.visits);
            assert_eq!(found, visits, "{context:?} {code}");
            grams += usize::from(visits > 0);
        }
        assert_eq!(nst.longer.len(), grams);
        // One-move grams: role 0 played 1 twice, 3 once, its noop twice.
        assert_eq!(
            (nst.value_of(1), nst.value_of(9), nst.value_of(15), nst.value_of(12)),
            (Some(1.0), Some(1.0), Some(0.0), None)
        );
    }

    #[test]
    fn value_averages_the_grams_that_have_enough_visits() {
        let (space, mut nst) = nst(2, 3);
        let trail = |reply: usize, extra: usize| {
            // Role 0 plays 1, role 1 answers 5 or 6, role 0 goes on with 3 or 4.
            Trail::by_hand(&space, &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], reply)], &[(&[3, 4], extra), NOOP]])
        };
        // 3 after 5: scores 1, 1; 3 after 6: 0, 0, 0. 4 after 5: once 1; 4 after 6: 0.4 twice.
        for (reply, extra, score) in
            [(0, 0, 1.0), (0, 0, 1.0), (1, 0, 0.0), (1, 0, 0.0), (1, 0, 0.0), (0, 1, 1.0), (1, 1, 0.4), (1, 1, 0.4)]
        {
            nst.learn(&trail(reply, extra), &[score, 1.0 - score]);
        }
        // 1-grams: 3 has 2/5 = 0.4, 4 has 1.8/3 = 0.6.
        // After 1, 5: 3 has pair and triple 1: (0.4 + 1 + 1)/3 = 0.8; 4 has one visit, too few: 0.6.
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 0)]];
        assert_eq!(choose_after(&mut nst, &space, history, 0, &[3, 4]), Some(0));
        // After 2, 5 the triple is unknown, the pair is not: (0.4 + 1)/2 = 0.7 still leads.
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 1), NOOP], &[NOOP, (&[5, 6], 0)]];
        assert_eq!(choose_after(&mut nst, &space, history, 0, &[3, 4]), Some(0));
        // After 1, 6: 3 falls to 0.4/3; 4 has (0.6 + 0.4 + 0.4)/3 = 0.467.
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 1)]];
        assert_eq!(choose_after(&mut nst, &space, history, 0, &[3, 4]), Some(1));
        // Half of the visits stay: 2 become 1, too few for the longer grams, and the 1-grams decide: 0.4 against 0.6.
        nst.new_turn();
        let history: &[&[(&[u32], usize)]] = &[&[(&[1, 2], 0), NOOP], &[NOOP, (&[5, 6], 0)]];
        assert_eq!(choose_after(&mut nst, &space, history, 0, &[3, 4]), Some(1));
    }

    #[test]
    fn shorter_grams_only() {
        let (space, mut nst) = nst(1, 2);
        nst.learn(&five_steps(&space), &[1.0, 0.0]);
        assert!(nst.longer.get(Context::one(15), 3).is_some());
        assert!(nst.longer.get(Context::two(1, 15), 3).is_none());
    }
}
