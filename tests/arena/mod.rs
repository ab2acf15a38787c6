//! Tests of the arena through its public interface.

mod bitbases;
mod clients;
mod clocks;
mod engine;
mod engines;
mod live;
mod match_settings;
mod matches;
mod openings;
mod parts;
mod published_statistics;
mod ratings;
mod records;
mod speed;
mod sprt_simulation;
mod statistics_properties;
mod tournaments;
mod tune;
mod tune_parts;
mod tune_simulation;
