//! A search during which messages are still received.

use std::io;
use std::thread;

use crate::board::Move;
use crate::engine::Engine;
use crate::search::{Control, Limits, STACK_SIZE};

use super::conversation::{DxpConnection, DxpEvent};

/// The result of a search.
pub enum SearchOutcome {
    /// The move to play.
    Move(Move),
    /// An event that interrupted the search and has to be handled first.
    Disturbed(DxpEvent),
}

/// Searches the engine's position, in which the game must not be over, until there is a move or an
/// event. Chat does not count as an event.
///
/// # Errors
///
/// The system cannot create a thread.
pub fn think(
    engine: &mut Engine,
    limits: Limits,
    conversation: &mut DxpConnection<'_>,
) -> io::Result<SearchOutcome> {
    let control = Control::new();
    let any_move = engine.game().position().legal_moves().first().copied();
    let (disturbance, found) = thread::scope(|scope| {
        // The search thread owns the sender, which is dropped when it ends, even by a panic.
        let (running, end) = crossbeam_channel::bounded::<()>(0);
        let search = || {
            let _running = running;
            engine.go(limits, &control, &mut |_| {}).mv
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        let search = thread.spawn_scoped(scope, search)?;
        let disturbance = conversation.listen_until(&end);
        control.stop();
        Ok::<_, io::Error>((disturbance, search.join()))
    })?;
    let found = found.unwrap_or_else(|_| {
        log::error!("the search has failed; going on with a new engine");
        engine.renew();
        any_move
    });
    Ok(match (disturbance, found.or(any_move)) {
        (None, Some(mv)) => SearchOutcome::Move(mv),
        (Some(event), _) => SearchOutcome::Disturbed(event),
        (None, None) => SearchOutcome::Disturbed(DxpEvent::Timeout),
    })
}
