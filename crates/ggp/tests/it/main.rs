//! The integration tests of this crate, in one binary.

mod hostile;
mod hostile_rules;
mod loopback;
mod messages;
mod player;
mod referee;
mod support;
