//! Output for people: boards, evaluations, reviews and solutions.

mod board;
mod browser;
mod eval;
mod review;
mod solve;
