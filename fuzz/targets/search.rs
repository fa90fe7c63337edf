//! Sheets are searched by any player; every answer must be a legal move.
#![no_main]

#[path = "../whole_search.rs"]
mod whole_search;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    whole_search::whole_search(bytes);
});
