//! Compiles rules into machines, a few at a time, because compiling takes a core and memory, and a stage of it goes on after its
//! match was given up.

use ludens_gdl::{Engine, Limits, Machine, Opened};
use ludens_search::Spec;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many compilations run.
static SLOTS_TAKEN: Mutex<usize> = Mutex::new(0);
static SLOT_IS_FREE: Condvar = Condvar::new();

/// How often somebody who waits for a slot asks whether there is still a need.
const LOOK: Duration = Duration::from_millis(100);

/// Leave to compile, given back when it is dropped.
struct Slot;

impl Slot {
    /// Waits for a slot as long as there is a need.
    fn take(is_needed: &dyn Fn() -> bool) -> Option<Slot> {
        let most = std::thread::available_parallelism().map_or(1, usize::from).max(2);
        let mut taken = SLOTS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken >= most {
            if !is_needed() {
                return None;
            }
            taken = SLOT_IS_FREE.wait_timeout(taken, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *taken += 1;
        Some(Slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *SLOTS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        SLOT_IS_FREE.notify_one();
    }
}

/// The machine for some rules, with its lanes if a player will want them, or why there is none; nothing if nobody needs it any
/// more.
pub(crate) fn compile(
    rules: &str,
    limits: Limits,
    player: &Spec,
    is_needed: &dyn Fn() -> bool,
) -> Option<Result<Arc<Machine>, String>> {
    let _slot = Slot::take(is_needed)?;
    Some(match ludens_gdl::open_while("match", rules, limits, is_needed)? {
        Ok(Opened { engine: Engine::Machine(machine), .. }) => {
            // Whoever thinks about a move should not have to wait for them.
            if player.settings().batch.lanes() > 1 {
                machine.lane_sizes();
            }
            Ok(machine)
        }
        Ok(Opened { engine: Engine::Interpreter { reason, .. }, .. }) => Err(reason),
        Err(remarks) => {
            let error = remarks.iter().find(|remark| remark.is_error());
            Err(error.map_or("the rules were rejected".to_owned(), |error| error.title.clone()))
        }
    })
}
