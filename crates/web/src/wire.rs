//! The types of everything that page and server tell each other, as TypeScript: `ui/src/wire.ts` is generated from them.

use crate::{answers, choices, news, position, runs, server, sheets, think};
use ts_rs::{Config, TS};

macro_rules! declarations {
    ($($type:ty),* $(,)?) => { [$(declaration::<$type>()),*] };
}

fn declaration<T: TS + 'static>() -> String {
    let config = Config::new().with_large_int("number");
    format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

#[test]
fn the_page_has_the_types_of_the_server() {
    let declarations = declarations![
        position::Told,
        position::Legal,
        position::Picture,
        position::Shape,
        position::Cell,
        position::Piece,
        position::Label,
        think::Question,
        news::News,
        ludens_engine::Thought,
        ludens_engine::Arm,
        ludens_engine::Weight,
        ludens_engine::Playouts,
        choices::Choices,
        choices::GameChoice,
        choices::Part,
        choices::PolicyChoice,
        choices::Param,
        choices::Domain,
        choices::PresetChoice,
        choices::PaperChoice,
        choices::Canonical,
        sheets::Checked,
        sheets::Remark,
        sheets::Severity,
        server::Source,
        runs::NewRun,
        runs::Told,
        runs::RunState,
        answers::Grid,
        answers::Column,
        answers::Block,
        answers::Document,
        answers::ExperimentReport,
        answers::Progress,
        answers::Experiments,
        answers::Listed,
        answers::PaperOverview,
        answers::CellGames,
        answers::Stand,
        answers::PlayedCell,
        answers::CellPlayer,
        answers::PlayedGame,
        answers::Ending,
        answers::Recorded,
        answers::RecordedGame,
        answers::SheetFile,
    ];
    let head = "// What page and server tell each other. Generated from the types of the server: edit those, then run\n\
                // WRITE_TYPES=1 cargo test -p ludens-web --lib the_page_has\n\n";
    let generated = format!("{head}{}", declarations.join("\n")).replace(" \n", "\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/wire.ts");
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(path, &generated).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == generated, "ui/src/wire.ts is out of date: its first lines say how to write it again");
}
