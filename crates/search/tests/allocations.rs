//! After warm-up a simulation allocates nothing, and what a player says of its memory is true.

// Counting allocations needs an allocator, and that trait is unsafe.
#![allow(unsafe_code)]

#[allow(dead_code, unreachable_pub)]
mod common;

use common::player;
use ludens_game::toy::TicTacToe;
use ludens_game::{Seed, toy::Race};
use ludens_search::{Budget, POLICIES, Player, SELECTS};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::Arc,
};

/// The system's allocator, with counts of allocations and of bytes that are not given back, per thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged; counting touches a thread-local cell that needs no
// allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        BYTES.with(|bytes| bytes.set(bytes.get().wrapping_add(layout.size())));
        // SAFETY: the caller's promises about the layout are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.with(|bytes| bytes.set(bytes.get().wrapping_sub(layout.size())));
        // SAFETY: the pointer came from `alloc` above, that is from the system's allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocations between the first and the last time that a search asks whether to stop, when it has been made before.
fn allocations<G: ludens_game::Game>(game: &Arc<G>, spec: &str) -> u64 {
    let mut search = player(game, 0, spec, 1);
    let budget = Budget::simulations(10_000);
    search.choose(&budget, &|| false);
    search.start(Seed::new(1));
    let counts: [Cell<u64>; 2] = Default::default();
    search.choose(&budget, &|| {
        let now = COUNT.with(Cell::get);
        if counts[0].get() == 0 {
            counts[0].set(now);
        }
        counts[1].set(now);
        false
    });
    counts[1].get() - counts[0].get()
}

#[test]
fn no_allocation_in_ten_thousand_simulations() {
    fn check<G: ludens_game::Game>(game: G) {
        let game = Arc::new(game);
        for select in SELECTS {
            for policy in POLICIES {
                let spec = format!("{}+{}@think=every", select.name, policy.name);
                assert_eq!(allocations(&game, &spec), 0, "{spec}");
            }
        }
    }
    check(TicTacToe);
    check(Race::new(6));
}

#[test]
fn players_know_how_much_memory_they_hold() {
    let game = Arc::new(Race::new(6));
    for select in SELECTS {
        for policy in POLICIES {
            let spec = format!("{}+{}@think=every", select.name, policy.name);
            let before = BYTES.with(Cell::get);
            let mut search = player(&game, 0, &spec, 1);
            for _ in 0..2 {
                let (mv, _) = search.choose(&Budget::simulations(3000), &|| false);
                let taken = BYTES.with(Cell::get) - before;
                let told = search.report().bytes;
                // Buffers for a single decision are not worth counting.
                assert!(told <= taken && taken - told <= taken / 20 + 16_384, "{spec}: {told} of {taken} bytes");
                search.observe(&[mv, ludens_game::Move(0)]);
            }
        }
    }
}

#[test]
fn nor_with_many_of_them_in_flight() {
    let rules = include_str!("../../catalog/rules/connect4.kif");
    let opened = ludens_gdl::open("connect4", rules, ludens_gdl::Limits::default()).expect("a sound sheet");
    let ludens_gdl::Engine::Machine(game) = opened.engine else { panic!("a small sheet has a machine") };
    for spec in ["uct+mast@batch=64", "grave+nppa@batch=20", "uct+lgrf+nst@batch=300,solver=on"] {
        assert_eq!(allocations(&game, spec), 0, "{spec}");
    }
}
