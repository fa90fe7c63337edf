//! Every example runs to its end.

macro_rules! examples {
    ($($name:ident),*) => {
        $(mod $name {
            include!(concat!("../examples/", stringify!($name), ".rs"));

            #[test]
            fn runs() {
                main().expect("the example runs");
            }
        })*

        const RUN: &[&str] = &[$(stringify!($name)),*];
    };
}

examples![experiment, own_game, own_policy, rulesheet];

#[test]
fn no_example_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("there are examples")
        .map(|file| file.expect("a readable entry").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, RUN);
}
