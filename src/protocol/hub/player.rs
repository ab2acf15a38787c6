//! The engine of any variant behind one face, in the protocol's texts.

use std::time::Duration;

use crate::engine::{Engine, Options};
use crate::game::Game;
use crate::movegen;
use crate::notation::hub;
use crate::position::Position;
use crate::rules::{Rules, Variant, VariantVisitor};
use crate::score::Score;
use crate::search::{Control, Info, Limits};

use super::commands::PosText;

/// The most moves of a position. No game by the rules is as long.
const MOST_MOVES: usize = 10_000;

/// An engine that takes and gives positions and moves as the protocol writes them.
pub trait Player: Send {
    /// Changes the engine's options.
    fn set_options(&mut self, options: Options);

    /// What the options name and the engine goes without: each told once.
    fn take_faults(&mut self) -> Vec<String>;

    /// The next search has nothing to do with earlier ones. The position stays.
    fn new_game(&mut self);

    /// Sets the position.
    ///
    /// # Errors
    ///
    /// What is wrong with the text; the old position stays.
    fn set_position(&mut self, text: &PosText) -> Result<(), String>;

    /// Searches. A finished game gets an empty answer at once.
    fn go(&mut self, limits: Limits, control: &Control, sink: &mut dyn FnMut(Report)) -> Answer;

    /// A legal move, without thought; `None` if the game is over.
    fn any_move(&self) -> Option<String>;
}

/// [`Info`] with the moves as text.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The place of this line among those asked for, 1 for the best.
    pub rank: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The mean depth of the leaves, in plies.
    pub mean_depth: f64,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<String>,
}

/// The result of a search, with the moves as text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The move to play, `None` if the game is over.
    pub mv: Option<String>,
    /// The answer that is expected.
    pub ponder: Option<String>,
    /// The last information.
    pub report: Option<Report>,
}

/// A player for a variant, at the start position.
pub fn build(variant: Variant, options: Options) -> Box<dyn Player> {
    struct Builder(Options);

    impl VariantVisitor for Builder {
        type Output = Box<dyn Player>;

        fn visit<R: Rules>(self) -> Self::Output {
            Box::new(Engine::<R>::new(self.0))
        }
    }

    variant.visit(Builder(options))
}

impl<R: Rules> Player for Engine<R> {
    fn set_options(&mut self, options: Options) {
        Engine::set_options(self, options);
    }

    fn take_faults(&mut self) -> Vec<String> {
        Engine::take_faults(self)
    }

    fn new_game(&mut self) {
        let game = self.game().clone();
        Engine::new_game(self);
        self.set_game(game);
    }

    fn set_position(&mut self, text: &PosText) -> Result<(), String> {
        self.set_game(read_game(text)?);
        Ok(())
    }

    fn go(&mut self, limits: Limits, control: &Control, sink: &mut dyn FnMut(Report)) -> Answer {
        if !movegen::has_move(self.game().position()) {
            return Answer::default();
        }
        let best = Engine::go(self, limits, control, &mut |info| sink(report::<R>(info)));
        Answer {
            mv: best.mv.map(hub::format_move),
            ponder: best.ponder.map(hub::format_move),
            report: Some(report::<R>(&best.info)),
        }
    }

    fn any_move(&self) -> Option<String> {
        let moves = movegen::legal_moves(self.game().position());
        moves.first().copied().map(hub::format_move)
    }
}

fn report<R: Rules>(info: &Info<R::Geometry>) -> Report {
    Report {
        rank: info.rank,
        depth: info.depth,
        mean_depth: info.mean_depth,
        score: info.score,
        nodes: info.nodes,
        time: info.time,
        pv: info.pv.iter().copied().map(hub::format_move).collect(),
    }
}

fn read_game<R: Rules>(text: &PosText) -> Result<Game<R>, String> {
    let mut game = Game::new(read_position(text)?);
    for (index, word) in text.moves.split_whitespace().enumerate() {
        if index == MOST_MOVES {
            return Err(format!("moves: more than {MOST_MOVES}"));
        }
        let mv = hub::parse_move_leniently(game.position(), word)
            .map_err(|error| format!("moves: move {}: {error}", index + 1))?;
        game.play(mv);
    }
    Ok(game)
}

fn read_position<R: Rules>(text: &PosText) -> Result<Position<R>, String> {
    let position = match &text.position {
        Some(position) => hub::parse_position(position).map_err(|error| format!("pos: {error}"))?,
        None if text.start => Position::start(),
        None => return Err("pos: a position or the word start is missing".to_owned()),
    };
    hub::parse_wolf(position, &text.wolf).map_err(|error| format!("wolf: {error}"))
}
