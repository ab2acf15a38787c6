//! `--level`: the strength of the engine.

use clap::Args;

use crate::engine::Level;

/// The strength of the engine.
#[derive(Args, Debug)]
pub struct LevelArgument {
    /// Level of strength, from 1, for beginners, to 10, full strength
    #[arg(long, value_name = "N")]
    pub level: Option<Level>,
}
