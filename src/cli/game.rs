//! `--variant`: the game a command works on.

use clap::Args;

use crate::rules::Variant;

/// A game, by default international draughts.
#[derive(Args, Debug)]
pub struct GameArgument {
    /// The game: international (or normal, standard), killer, bt, losing, frisian, frysk,
    /// brazilian, russian, english, italian, spanish, german, czech, pool, canadian,
    /// turkish
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value_t = Variant::International,
        hide_default_value = true
    )]
    pub variant: Variant,
}
