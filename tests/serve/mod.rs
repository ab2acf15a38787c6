//! `manoury serve`: pages, sessions over WebSockets, and who is refused.

mod board;
mod crowd;
mod program;
mod refused;
mod sessions;
