//! The schema of all lines, generated from their types: `docs/engine.schema.json`.

use crate::protocol::{Answer, Request};
use schemars::generate::SchemaSettings;

#[test]
fn the_schema_in_the_documents_is_that_of_the_types() {
    let schema = |contract: schemars::generate::Contract| {
        let mut settings = SchemaSettings::draft2020_12();
        settings.contract = contract;
        settings.into_generator()
    };
    let request = schema(schemars::generate::Contract::Deserialize).into_root_schema_for::<Request>();
    let answer = schema(schemars::generate::Contract::Serialize).into_root_schema_for::<Answer>();
    let both = serde_json::json!({ "request": request, "answer": answer });
    let generated = serde_json::to_string_pretty(&both).expect("a schema is JSON") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engine.schema.json");
    if std::env::var_os("WRITE_SCHEMA").is_some() {
        std::fs::write(path, &generated).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let write = "WRITE_SCHEMA=1 cargo test -p ludens-engine --lib the_schema";
    assert!(committed == generated, "docs/engine.schema.json is out of date: run {write}");
}
