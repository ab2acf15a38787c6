//! Type erasure: a variant is a run-time value in the modules above this one and a type in the
//! modules below it.
//!
//! A [`Position`] and a [`Game`] store their [`Variant`](crate::rules::Variant) and have no type
//! parameters; [`think`] searches games of any variant, and [`Bitbases`] holds the bitbases of any
//! variant. Each of these values calls a trait object that is implemented generically over the
//! rules; a macro writes the trait, its implementation and the methods of the value. A single
//! `match`, in `variant_ops`, maps a variant to its type.
//!
//! A call across this boundary converts sets of squares between numbers and bitboards, which takes
//! about ten nanoseconds. Loops that cannot afford this belong in the modules below.

mod bitbases;
mod game;
mod position;
mod search;
mod variant_ops;

pub use crate::movegen::PerftTable;
pub use bitbases::{BitbaseFile, Bitbases, Generation, SliceGeneration};
pub use game::Game;
pub use position::Position;
pub use search::{Job, ResumeState, clear_thread_pool, new_thread_pool, think};
pub use variant_ops::{MoveRules, NetworkInput};
