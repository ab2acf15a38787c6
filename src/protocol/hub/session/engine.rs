//! The engine of a session, kept in step with the parameters and the position of the client.

use std::io::{self, Write};

use crate::engine::Engine;

use super::HubSession;
use crate::protocol::hub::position::{PosText, read_game};
use crate::protocol::hub::replies;
use crate::protocol::hub::searcher::Searcher;

impl<W: Write, S: Searcher> HubSession<W, S> {
    /// The engine, with all parameters applied. Most changes are deferred until here, so that
    /// setting many parameters costs no more than setting one.
    pub(super) fn engine(&mut self) -> io::Result<&mut Engine> {
        let variant = self.params.variant();
        // An engine of another variant goes first: there may not be memory for two.
        let mut engine = match self.engine.take().filter(|engine| engine.variant() == variant) {
            Some(engine) => engine,
            None => self.new_engine(),
        };
        if self.applied.options() != self.params.options() {
            engine.set_options(self.params.options());
        }
        self.applied = self.params.clone();
        for fault in engine.take_warnings() {
            self.write(&replies::error(fault))?;
        }
        Ok(self.engine.insert(engine))
    }

    /// A new engine for the variant. The position may have been sent before the variant was set, so
    /// it is parsed again; if it is invalid in this variant, the engine keeps the start position.
    fn new_engine(&mut self) -> Box<Engine> {
        self.applied = self.params.clone();
        let variant = self.params.variant();
        let mut engine = Box::new(Engine::new(variant, self.params.options()));
        let candidates = [self.sent.clone(), self.accepted.clone()].into_iter();
        let mut valid = candidates.filter_map(|text| Some((read_game(variant, &text).ok()?, text)));
        self.accepted = match valid.next() {
            Some((game, text)) => {
                engine.set_game(game);
                text
            }
            None => PosText::start(),
        };
        engine
    }

    /// Changes the size of the transposition table at once, if there is an engine: a client that
    /// sets it in time need not wait for the memory later.
    pub(super) fn resize_table(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.set_tt_size(self.params.options().tt_size);
        }
    }

    /// Sets the position; if it is invalid, the old one stays.
    pub(super) fn set_position(&mut self, text: PosText) -> io::Result<()> {
        self.sent = text.clone();
        let engine = self.engine()?;
        match read_game(engine.variant(), &text) {
            Ok(game) => {
                engine.set_game(game);
                self.accepted = text;
                Ok(())
            }
            Err(message) => self.write(&replies::error(message)),
        }
    }

    /// Makes the next search independent of earlier ones. The position stays.
    pub(super) fn new_game(&mut self) -> io::Result<()> {
        let engine = self.engine()?;
        let game = engine.game().clone();
        engine.new_game();
        engine.set_game(game);
        Ok(())
    }
}
