//! The kernels play the games that the search crate plays.

mod emulated;
mod on_card;
mod support;
