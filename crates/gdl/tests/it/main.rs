//! The integration tests of this crate, in one binary.

mod bounds;
mod check;
mod hostile;
mod in_use;
mod lanes;
mod random_sheets;
mod real_looks;
mod real_sheets;
mod small_sheets;
mod soup;
mod support;
mod traces;
mod view;
