//! A search during which the engine goes on listening.

use std::io;
use std::thread;

use crate::board::Move;
use crate::engine::Engine;
use crate::movegen;
use crate::rules::Rules;
use crate::search::{Control, Limits};

use super::line::{Event, Line};

/// A search has as much stack as a main thread.
const STACK: usize = 8 << 20;

/// What a search comes to.
pub enum Thought<R: Rules> {
    /// The move to play.
    Move(Move<R::Geometry>),
    /// Something has come that must be seen to first.
    Disturbed(Event),
}

/// Searches the engine's position, which is not the end of the game, until there is a move or a
/// disturbance; chat is none.
///
/// # Errors
///
/// The system gives no thread.
pub fn think<R: Rules>(
    engine: &mut Engine<R>,
    limits: Limits,
    line: &mut Line<'_>,
) -> io::Result<Thought<R>> {
    let control = Control::new();
    let any_move = movegen::legal_moves(engine.game().position()).first().copied();
    let (disturbance, found) = thread::scope(|scope| {
        // The search has the other end, which goes when it ends, in whatever way.
        let (running, end) = crossbeam_channel::bounded::<()>(0);
        let search = || {
            let _running = running;
            engine.go(limits, &control, &mut |_| {}).mv
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        let search = thread.spawn_scoped(scope, search)?;
        let disturbance = line.listen_until(&end);
        control.stop();
        Ok::<_, io::Error>((disturbance, search.join()))
    })?;
    let found = found.unwrap_or_else(|_| {
        log::error!("the search has failed; going on with a new engine");
        engine.renew();
        any_move
    });
    Ok(match (disturbance, found.or(any_move)) {
        (None, Some(mv)) => Thought::Move(mv),
        (Some(event), _) => Thought::Disturbed(event),
        (None, None) => Thought::Disturbed(Event::Silence),
    })
}
