//! Any text is grounded within limits, whatever the checks say of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ludens_gdl::Checked;
use ludens_gdl::ground::{Ground, Limits};
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(1), atoms: 5_000, instances: 50_000, ..Limits::DEFAULT };

fuzz_target!(|bytes: &[u8]| {
    let checked = Checked::new(&String::from_utf8_lossy(bytes));
    if let Ok(ground) = Ground::new(&checked.rules, LIMITS) {
        let mut instances = 0;
        ground.for_each_instance(|_, _| instances += 1);
        assert_eq!(instances, ground.instance_count());
    }
});
