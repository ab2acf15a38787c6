//! Tests of the arena from the outside.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod clients;
mod engine;
mod matches;
mod openings;
mod published_statistics;
mod sprt_simulation;
mod statistics_properties;
