//! Type erasure: games are values to the code above, types to the code below.
//!
//! A [`Position`] and a [`Game`] store their [`Variant`](crate::rules::Variant) and have no type
//! parameters; [`think`] searches any game, and [`Bitbases`] are those of any game. They all use
//! one trait object per game, [`AnyRules`], and its type is chosen in one place, the `match` of
//! [`any_rules`].
//!
//! A call across this boundary converts sets of squares between numbers and bitboards: some ten
//! nanoseconds. Loops that cannot afford that belong below.

mod any_rules;
mod bitbases;
mod game;
mod position;
mod search;
mod typed;

pub use any_rules::{AnyRules, Lesson, Mechanics, any_rules};
pub use bitbases::{BitbaseFile, Bitbases, Generation, SliceGeneration};
pub use game::{AnyGame, Game};
pub use position::{KingRun, Position};
pub use search::{Job, ResumeState, new_thread_pool, think};
