//! What people look at: boards, and what is seen on them.

mod board;
mod browser;
mod eval;
mod review;
mod solve;
