//! What fuzzing whole searches kept: any player at any rules answers with legal moves.

#[path = "../../../../fuzz/whole_search.rs"]
mod target;

use std::path::Path;
use target::whole_search;

#[test]
fn what_fuzzing_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/searches");
    let mut played = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus of the target") {
        let bytes = std::fs::read(entry.expect("a file").path()).expect("bytes");
        played += usize::from(whole_search(&bytes));
    }
    assert!(played >= 20, "{played} games were played");
}
