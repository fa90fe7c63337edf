//! Any text is read, checked and remarked upon.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ludens_gdl::{Checked, render::Rendering};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let checked = Checked::new(&text);
    Rendering::default().render(&checked.diagnostics, "sheet.kif", &text);
});
