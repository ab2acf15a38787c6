//! Asking engines about themselves before games begin.

use crate::arena::client::{self, Client, EngineFault, MatchContext};
use crate::arena::plan::Participant;
use crate::arena::spec::Protocol;

use super::Error;

/// Starts an engine, asks it something, and lets it quit.
///
/// # Errors
///
/// The engine cannot be started, or the work has been interrupted.
pub fn ask<T>(
    engine: &Participant,
    context: &MatchContext,
    question: impl FnOnce(&dyn Client) -> T,
) -> Result<T, Error> {
    let client = client::start(&engine.spec, context).map_err(|fault| match fault {
        EngineFault::Interrupted => Error::No("interrupted".to_owned()),
        fault => Error::Input(format!("the engine {} cannot play: {fault}", engine.name)),
    })?;
    let answer = question(client.as_ref());
    client.quit();
    Ok(answer)
}

/// Whether two engines are versions of one program, by the names they give themselves. A DXP engine
/// gives its name only when a game has begun, which is too late: it counts as another program.
///
/// # Errors
///
/// Those of [`ask`].
pub fn are_one_program(engines: [&Participant; 2], context: &MatchContext) -> Result<bool, Error> {
    if engines.iter().any(|engine| engine.spec.protocol == Protocol::Dxp) {
        return Ok(false);
    }
    let name = |engine| ask(engine, context, |client| client.name().to_owned());
    let [one, two] = engines;
    let one = name(one)?;
    Ok(!one.is_empty() && one == name(two)?)
}
