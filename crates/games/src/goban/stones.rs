//! [`Stones`]: the stones on a board as chains, each with its liberties.
//!
//! Every point with a stone knows the number of its chain, and every chain its stones and its liberties as sets. Placing a
//! stone unites the sets of the friendly chains next to it and takes a liberty from the hostile ones; a chain without
//! liberties is captured. Nothing is ever searched.

use super::points::mix;
use super::{Goban, PerPoint, Points};
use ludens_game::{Role, View};

/// Connected stones of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain<const W: usize> {
    /// Its stones.
    pub stones: Points<W>,
    /// The empty points next to them.
    pub liberties: Points<W>,
}

/// The stones on a board, of roles 0 and 1.
#[derive(Clone, Debug)]
pub struct Stones<const W: usize> {
    empty: Points<W>,
    of: [Points<W>; 2],
    /// Of every point with a stone the number of its chain, which is one of the chain's points.
    number: PerPoint<u16, W>,
    chains: PerPoint<Chain<W>, W>,
}

/// What placing a stone did.
#[derive(Clone, Copy, Debug)]
pub struct Placed<const W: usize> {
    /// The hostile stones that were taken off.
    pub captured: Points<W>,
    /// The liberties of the stone's chain if it has only one, and those of hostile chains next to it that have only one left.
    pub last_liberties: [Points<W>; 2],
}

impl<const W: usize> Stones<W> {
    /// An empty board.
    pub fn new(board: &Goban<W>) -> Stones<W> {
        let none = Chain { stones: Points::EMPTY, liberties: Points::EMPTY };
        Stones {
            empty: board.all(),
            of: [Points::EMPTY; 2],
            number: PerPoint::filled(0),
            chains: PerPoint::filled(none),
        }
    }

    /// The points without a stone.
    #[inline]
    pub fn empty(&self) -> Points<W> {
        self.empty
    }

    /// The stones of `role`.
    #[inline]
    pub fn of(&self, role: Role) -> Points<W> {
        self.of[role.index()]
    }

    /// The chain of the stone at `point`.
    #[inline]
    pub fn chain(&self, point: usize) -> &Chain<W> {
        &self.chains[usize::from(self.number[point])]
    }

    /// Puts a stone of `role` on an empty point and takes off what it captures. A suicide stays on the board, as a chain
    /// without liberties.
    #[inline]
    pub fn place(&mut self, board: &Goban<W>, point: usize, role: Role) -> Placed<W> {
        let near = board.near(point);
        let stone = Points::single(point);
        self.empty -= stone;
        let number = self.join(near & self.of(role), point, Chain { stones: stone, liberties: near & self.empty });
        self.of[role.index()] |= stone;

        let mut placed = Placed { captured: Points::EMPTY, last_liberties: [Points::EMPTY; 2] };
        for hostile in (near & self.of(role.other())).iter() {
            let chain = &mut self.chains[usize::from(self.number[hostile])];
            chain.liberties -= stone;
            if chain.liberties.is_empty() {
                placed.captured |= chain.stones;
            } else if chain.liberties.is_single() {
                placed.last_liberties[1] |= chain.liberties;
            }
        }
        if !placed.captured.is_empty() {
            self.remove(board, placed.captured, role.other());
        }
        let liberties = self.chains[number].liberties;
        if liberties.is_single() {
            placed.last_liberties[0] = liberties;
        }
        placed
    }

    /// Makes one chain of a new stone's own and of the chains of its friendly neighbours; returns its number.
    #[inline]
    fn join(&mut self, friends: Points<W>, point: usize, own: Chain<W>) -> usize {
        let mut friends = friends.iter();
        // Most stones have at most one friendly neighbour: they take its number, and no other stone changes its own.
        let number = friends.next().map_or(point, |friend| usize::from(self.number[friend]));
        self.number[point] = number as u16;
        let mut joined = own;
        if number != point {
            joined.unite(&self.chains[number]);
        }
        for friend in friends {
            let other = usize::from(self.number[friend]);
            if other != number {
                let chain = self.chains[other];
                joined.unite(&chain);
                for stone in chain.stones.iter() {
                    self.number[stone] = number as u16;
                }
            }
        }
        joined.liberties -= own.stones;
        self.chains[number] = joined;
        number
    }

    /// Takes whole chains of `role` off the board.
    pub fn remove(&mut self, board: &Goban<W>, chains: Points<W>, role: Role) {
        self.empty |= chains;
        self.of[role.index()] -= chains;
        for stone in chains.iter() {
            for neighbour in (board.near(stone) & self.of(role.other())).iter() {
                self.chains[usize::from(self.number[neighbour])].liberties |= Points::single(stone);
            }
        }
    }

    /// Whether a stone of `role` on the empty `point` has a liberty even if it captures nothing.
    #[inline]
    pub fn breathes(&self, board: &Goban<W>, point: usize, role: Role) -> bool {
        let near = board.near(point);
        !(near & self.empty).is_empty()
            || (near & self.of(role)).iter().any(|friend| !self.chain(friend).liberties.is_single())
    }

    /// Whether a stone of `role` on the empty `point` captures something.
    #[inline]
    pub fn captures(&self, board: &Goban<W>, point: usize, role: Role) -> bool {
        (board.near(point) & self.of(role.other())).iter().any(|hostile| self.chain(hostile).liberties.is_single())
    }

    /// The eyes of `role` that playouts leave alone: empty points with no neighbours but own stones, and with no hostile
    /// stone diagonally next to them, of which one is tolerated away from the edge.
    #[inline]
    pub fn eyes(&self, board: &Goban<W>, role: Role) -> Points<W> {
        let surrounded = self.empty - board.spread(board.all() - self.of(role));
        let (one, two) = board.diagonals(self.of(role.other()));
        surrounded - (two | (one & board.border()))
    }

    /// The stones of `role` and the empty regions that touch no others.
    pub fn area(&self, board: &Goban<W>, role: Role) -> Points<W> {
        let reach = |role: Role| {
            let mut reached = self.of(role);
            loop {
                let further = reached | (board.spread(reached) & self.empty);
                if further == reached {
                    return reached;
                }
                reached = further;
            }
        };
        reach(role) - reach(role.other())
    }

    /// The feature codes of empty points for `role`: the point, and the contents of its neighbours to the north, east, south
    /// and west as digits 0 (empty), 1 (own), 2 (other) and 3 (edge).
    #[inline]
    pub fn codes(&self, board: &Goban<W>, role: Role) -> impl Fn(usize) -> u32 {
        let [own, other] = [role, role.other()].map(|role| board.looks(self.of(role)));
        move |point| {
            let digit = |at: usize| u32::from(own[at].contains(point)) | u32::from(other[at].contains(point)) << 1;
            (0..4).fold(point as u32, |code, at| code << 2 | digit(at))
        }
    }

    /// A hash of the stones and of `rest`, whatever else the future depends on.
    #[inline]
    pub fn hash(&self, rest: u64) -> u64 {
        let [black, white] = self.of;
        mix(white.hash(black.hash(0)), rest)
    }

    /// A picture of the stones.
    pub fn view(&self, board: &Goban<W>) -> View {
        let mut view = board.view();
        for role in Role::all(2) {
            for point in self.of(role).iter() {
                view.cells[point].piece = Some(role.index());
            }
        }
        view
    }
}

impl<const W: usize> Chain<W> {
    #[inline]
    fn unite(&mut self, other: &Chain<W>) {
        self.stones |= other.stones;
        self.liberties |= other.liberties;
    }
}
