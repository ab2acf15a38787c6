//! Type erasure: games are values to the code above, types to the code below.
//!
//! A [`Position`] and a [`Game`] store their [`Variant`](crate::rules::Variant) and have no type
//! parameters; [`think`] searches any game, and [`Bitbases`] are those of any game. Each value calls
//! a trait object whose methods are generic over the rules; a macro writes the trait, its
//! implementation and the methods of the value. The type of a game is chosen in one place, the
//! `match` of `variant_ops`.
//!
//! A call across this boundary converts sets of squares between numbers and bitboards: some ten
//! nanoseconds. Loops that cannot afford that belong below.

mod bitbases;
mod game;
mod move_limits;
mod position;
mod search;
mod variant_ops;

pub use bitbases::{BitbaseFile, Bitbases, Generation, SliceGeneration};
pub use game::Game;
pub use position::Position;
pub use search::{Job, ResumeState, clear_thread_pool, new_thread_pool, think};
pub use variant_ops::{MoveRules, NetworkInput};
