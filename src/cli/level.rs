//! `--level`: the strength of the engine.

use clap::Args;

use crate::engine::Level;

/// The strength of the engine.
#[derive(Args, Debug)]
pub struct LevelArgument {
    /// Level of strength, from 1, for beginners, to 10, full strength
    #[arg(long, value_name = "N", value_parser = level)]
    pub level: Option<Level>,
}

fn level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "a level from 1 to 10 is wanted".to_owned())
}
