//! The operations of a variant on run-time values, and the mapping from variants to types.

use crate::bitbase::{BitbaseSet, RetrogradeRules};
use crate::board::{BitMove, Bitboard, Geometry, Grid, Move, Side};
use crate::eval::network::features::FeatureShape;
use crate::game::BitGame;
use crate::position::{BitPosition, KingRun, Setup};
use crate::rules::{
    Canadian, Directions, English, Frisian, International, InternationalVariation, Italian,
    MenBackward8, MenForward8, Precedence, Rules, Spanish, Turkish, Variant,
};
use crate::search::{self, Info, SearchResult, ThreadPool};

use super::bitbases::BitbaseOps;
use super::game::{Game, GameOps};
use super::position::{Position, PositionOps};
use super::search::{Job, ResumeState};

/// The rules of a variant as a trait object. Frysk! shares those of Frisian draughts.
///
/// This is the only `match` from a variant to a type.
// Never inlined: inlining into another package would compile the typed code there too.
#[inline(never)]
pub fn variant_ops(variant: Variant) -> &'static dyn VariantOps {
    match variant {
        Variant::International => &International,
        Variant::Killer => &InternationalVariation::KILLER,
        Variant::Breakthrough => &InternationalVariation::BREAKTHROUGH,
        Variant::Losing => &InternationalVariation::LOSING,
        Variant::Frisian | Variant::Frysk => &Frisian,
        Variant::Brazilian => &MenBackward8::BRAZILIAN,
        Variant::Russian => &MenBackward8::RUSSIAN,
        Variant::English => &English,
        Variant::Italian => &Italian,
        Variant::Spanish => &Spanish,
        Variant::German => &MenForward8::GERMAN,
        Variant::Czech => &MenForward8::CZECH,
        Variant::Pool => &MenBackward8::POOL,
        Variant::Canadian => &Canadian,
        Variant::Turkish => &Turkish,
    }
}

/// The rules for moves and captures that notation depends on, as run-time values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveRules {
    /// Whether men capture backward too.
    pub men_capture_backward: bool,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// The directions in which pieces move and capture.
    pub directions: Directions,
    /// Whether a captured piece is removed at once rather than after the whole capture.
    pub captured_at_once: bool,
    /// Whether a man that reaches its promotion row during a capture continues as a king.
    pub promotion_in_passing: bool,
    /// Which captures are compulsory if there are several.
    pub precedence: Precedence,
    /// The maximum number of consecutive moves without a capture that a side with a man may make
    /// with the same king; 0 for no limit.
    pub king_moves_in_a_row: u8,
}

/// The network input of a position, and the divisors of the network output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkInput {
    /// The feature rows of the position (see [`features`](crate::eval::network::features)).
    pub rows: Vec<usize>,
    /// The divisors of the network output when the side to move leads, and when the opponent does.
    pub divisors: [u8; 2],
}

impl Variant {
    /// The board of the variant.
    pub fn grid(self) -> Grid {
        variant_ops(self).grid()
    }

    /// The rules for moves and captures that notation depends on.
    pub fn move_rules(self) -> MoveRules {
        variant_ops(self).move_rules()
    }

    /// The shape of the network's input features on the board.
    pub fn feature_shape(self) -> FeatureShape {
        variant_ops(self).feature_shape()
    }
}

/// The operations of a variant, regardless of the type of its rules. Positions, moves, games and
/// bitbases must be of a variant with these rules.
pub trait VariantOps: PositionOps + Sync {
    /// See [`Variant::grid`].
    fn grid(&self) -> Grid;

    /// See [`Variant::move_rules`].
    fn move_rules(&self) -> MoveRules;

    /// See [`Variant::feature_shape`].
    fn feature_shape(&self) -> FeatureShape;

    /// The position of a setup, which must have passed [`Setup::check`].
    fn position(&self, variant: Variant, setup: &Setup) -> Position;

    /// A game that starts from a position.
    fn game(&self, start: &Position) -> Box<dyn GameOps>;

    /// A pool of search threads with empty histories.
    fn pool(&self, threads: usize) -> ThreadPool;

    /// Clears the histories of the threads of a pool.
    fn clear_pool(&self, pool: &mut ThreadPool);

    /// See [`think`](super::think).
    fn think(
        &self,
        job: Job<'_>,
        pool: &mut ThreadPool,
        resume: &mut ResumeState,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult>;

    /// An empty set of bitbases of a variant.
    fn no_bitbases(&self, variant: Variant) -> Box<dyn BitbaseOps>;

    /// The rules in the form needed to generate bitbases.
    fn retrograde_rules(&self) -> RetrogradeRules;
}

impl<R: Rules> VariantOps for R {
    fn grid(&self) -> Grid {
        R::Geometry::GRID
    }

    fn move_rules(&self) -> MoveRules {
        MoveRules {
            men_capture_backward: R::MEN_CAPTURE_BACKWARD,
            flying_kings: R::FLYING_KINGS,
            directions: R::DIRECTIONS,
            captured_at_once: R::CAPTURED_AT_ONCE,
            promotion_in_passing: self.promotes_in_passing(),
            precedence: self.precedence(),
            king_moves_in_a_row: R::KING_MOVES_IN_A_ROW,
        }
    }

    fn feature_shape(&self) -> FeatureShape {
        FeatureShape::of::<R::Geometry>()
    }

    fn position(&self, variant: Variant, setup: &Setup) -> Position {
        value(variant, &setup.position(*self))
    }

    fn game(&self, start: &Position) -> Box<dyn GameOps> {
        let game = BitGame::<R>::new(start.variant.setup(), typed(*self, start));
        Box::new(game.with_counted_plies(start.counted.into()))
    }

    fn pool(&self, threads: usize) -> ThreadPool {
        ThreadPool::new::<R::Geometry>(threads)
    }

    fn clear_pool(&self, pool: &mut ThreadPool) {
        pool.clear::<R::Geometry>();
    }

    fn think(
        &self,
        job: Job<'_>,
        pool: &mut ThreadPool,
        resume: &mut ResumeState,
        sink: &mut dyn FnMut(&Info),
    ) -> Option<SearchResult> {
        let Job { game, tt, evaluation, params, multipv, limits, control, pause, .. } = job;
        let job = search::Job {
            game: typed_game::<R>(game),
            tt,
            bitbases: job.bitbases.typed(),
            evaluation,
            params,
            multipv,
            limits,
            control,
            pause,
        };
        let form = |mv: &BitMove<R::Geometry>| mv.to_move();
        let mut typed = resume.take();
        let best = search::think(job, pool, &mut typed, &mut |info| sink(&info.map(form)));
        if best.is_none() {
            resume.set(typed);
        }
        best.map(|best| best.map(form))
    }

    fn no_bitbases(&self, variant: Variant) -> Box<dyn BitbaseOps> {
        Box::new(BitbaseSet::none(*self, variant))
    }

    fn retrograde_rules(&self) -> RetrogradeRules {
        RetrogradeRules::of(*self)
    }
}

/// Converts moves on bitboards to moves by square number.
#[inline(never)]
pub(super) fn to_moves<G: Geometry>(moves: &[BitMove<G>]) -> Vec<Move> {
    moves.iter().map(|mv| mv.to_move()).collect()
}

/// Converts a position to bitboards.
#[inline(never)]
pub(super) fn typed<R: Rules>(rules: R, position: &Position) -> BitPosition<R> {
    let run = |run: KingRun| {
        let square = run.square().and_then(|square| R::Geometry::square(square.into()));
        square.map_or(KingRun::default(), |square| KingRun::new(square, run.count()))
    };
    BitPosition::with_key(
        rules,
        position.pieces.map(Bitboard::of_set),
        Bitboard::of_set(position.kings),
        position.side,
        position.king_runs.map(run),
        position.key,
    )
}

/// Converts a position on bitboards to one by square number, as a position of the given variant.
#[inline(never)]
pub(super) fn value<R: Rules>(variant: Variant, position: &BitPosition<R>) -> Position {
    let run = |side| {
        let run = position.king_run(side);
        let square = run.square().map(R::Geometry::number);
        square.map_or(KingRun::default(), |square| KingRun::new(square, run.count()))
    };
    Position {
        variant,
        side: position.side(),
        pieces: Side::ALL.map(|side| position.pieces(side).to_set()),
        kings: position.all_kings().to_set(),
        king_runs: Side::ALL.map(run),
        key: position.key(),
        counted: 0,
    }
}

/// Converts a move to bitboards.
pub(super) fn typed_move<G: Geometry>(mv: Move) -> BitMove<G> {
    match BitMove::of_move(mv) {
        Some(mv) => mv,
        None => unreachable!("a legal move has squares of its board: {mv:?}"),
    }
}

/// The game on bitboards.
pub(super) fn typed_game<R: Rules>(game: &Game) -> &BitGame<R> {
    match game.inner().as_any().downcast_ref() {
        Some(game) => game,
        None => unreachable!("a game of {} goes to its own rules", game.variant()),
    }
}
