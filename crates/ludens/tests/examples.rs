//! Every example runs to its end. `cargo test` builds them before it runs this.

use std::{path::PathBuf, process::Command};

#[test]
fn every_example_runs() {
    let test = std::env::current_exe().expect("a test is a program");
    let built = test.parent().and_then(|deps| deps.parent()).expect("tests are built in a folder").join("examples");
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let names: Vec<_> = std::fs::read_dir(sources)
        .expect("there are examples")
        .map(|file| PathBuf::from(file.expect("a readable entry").file_name()).with_extension(""))
        .collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let run = Command::new(built.join(&name)).output().expect("cargo test builds the examples");
        let [out, err] = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(run.status.success() && !out.is_empty(), "{}: {out}{err}", name.display());
    }
}
