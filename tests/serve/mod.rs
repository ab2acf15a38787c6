//! `manoury serve`: pages, sessions over WebSockets, and refusals.

mod board;
mod crowd;
mod program;
mod refused;
mod sessions;
