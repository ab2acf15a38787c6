//! The typed side of the boundary: the implementations of its traits, generic over the rules.

use std::any::Any;
use std::marker::PhantomData;
use std::path::Path;

use crate::bitbase::{
    self, BitbaseSet, Content, File, FileError, GenerateError, Slice, SolveWatch, ValueCounts,
    Verdict, VerdictCounts,
};
use crate::board::{BitMove, Bitboard, Geometry, Grid, Move, Side};
use crate::eval::network::features::{Shape, rows_of};
use crate::eval::{Evaluation, divisor};
use crate::game::{BitGame, Outcome, Reason, terminal};
use crate::movegen::{self, outlined};
use crate::position::{BitKingRun, BitPosition, Pieces, Setup};
use crate::rules::{Rules, Variant};
use crate::score::Score;
use crate::search::{self, Info, SearchResult, ThreadPool};

use super::any_rules::{AnyRules, Lesson, Mechanics, any_rules};
use super::bitbases::{BitbaseFile, Bitbases};
use super::game::{AnyGame, Game};
use super::position::{KingRun, Position};
use super::search::{Job, ResumeState};

/// The rules of a game as a value.
pub(super) struct Typed<R>(PhantomData<R>);

impl<R: Rules> Typed<R> {
    pub(super) const NEW: Self = Typed(PhantomData);
}

/// The position on bitboards.
#[inline(never)]
fn typed<R: Rules>(position: &Position) -> BitPosition<R> {
    let run = |run: KingRun| {
        let square = run.square().and_then(|square| R::Geometry::square(square.into()));
        square.map_or(BitKingRun::NONE, |square| BitKingRun::new(square, run.count()))
    };
    BitPosition::with_key(
        position.pieces.map(Bitboard::of_set),
        Bitboard::of_set(position.kings),
        position.side,
        position.king_runs.map(run),
        position.key,
    )
}

/// The position by square number, of a given variant.
#[inline(never)]
fn value<R: Rules>(variant: Variant, position: &BitPosition<R>) -> Position {
    let run = |run: BitKingRun| match run.square() {
        Some(square) => KingRun::new(R::Geometry::number(square), run.count()),
        None => KingRun::NONE,
    };
    Position {
        variant,
        side: position.side(),
        pieces: Side::ALL.map(|side| position.pieces(side).to_set()),
        kings: position.all_kings().to_set(),
        king_runs: Side::ALL.map(|side| run(position.king_run(side))),
        key: position.key(),
    }
}

/// The move on bitboards.
fn typed_move<G: Geometry>(mv: Move) -> BitMove<G> {
    match BitMove::of_move(mv) {
        Some(mv) => mv,
        None => unreachable!("a legal move has squares of its board: {mv:?}"),
    }
}

/// The game on bitboards.
fn typed_game<R: Rules>(game: &Game) -> &BitGame<R> {
    match game.inner().as_any().downcast_ref() {
        Some(game) => game,
        None => unreachable!("a game of {} goes to its own rules", game.variant()),
    }
}

impl<R: Rules> AnyRules for Typed<R> {
    fn grid(&self) -> Grid {
        R::Geometry::GRID
    }

    fn mechanics(&self) -> Mechanics {
        Mechanics {
            men_capture_backward: R::MEN_CAPTURE_BACKWARD,
            flying_kings: R::FLYING_KINGS,
            directions: R::DIRECTIONS,
            captured_at_once: R::CAPTURED_AT_ONCE,
            promotion_in_passing: R::PROMOTION_IN_PASSING,
            king_moves_in_a_row: R::KING_MOVES_IN_A_ROW,
        }
    }

    fn shape(&self) -> Shape {
        Shape::of::<R::Geometry>()
    }

    fn position(&self, variant: Variant, setup: &Setup) -> Position {
        value(variant, &setup.position::<R>())
    }

    fn with_king_runs(&self, position: &Position, runs: [KingRun; 2]) -> Position {
        let position = Position { king_runs: runs, ..*position };
        let runs = Side::ALL.map(|side| typed::<R>(&position).king_run(side));
        value(position.variant, &typed::<R>(&position).with_king_runs(runs))
    }

    fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let moves = movegen::legal_moves(&typed::<R>(position));
        moves.into_iter().map(BitMove::to_move).collect()
    }

    fn has_move(&self, position: &Position) -> bool {
        movegen::has_move(&typed::<R>(position))
    }

    fn has_capture(&self, position: &Position) -> bool {
        outlined::has_capture(&typed::<R>(position))
    }

    fn is_threatened(&self, position: &Position) -> bool {
        movegen::is_threatened(&typed::<R>(position))
    }

    fn after(&self, position: &Position, mv: Move) -> Position {
        value(position.variant, &typed::<R>(position).after(typed_move(mv)))
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        terminal(&typed::<R>(position))
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        movegen::perft_parallel(&typed::<R>(position), depth)
    }

    fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        movegen::divide(&typed::<R>(position), depth)
    }

    fn score(&self, evaluation: &Evaluation, position: &Position) -> Score {
        evaluation.score(&typed::<R>(position))
    }

    fn margin(&self, evaluation: &Evaluation, position: &Position) -> Option<i32> {
        evaluation.margin(&typed::<R>(position))
    }

    fn lesson(&self, position: &Position) -> Lesson {
        let position = typed::<R>(position);
        let rows = rows_of(&Pieces::of(&position));
        let sides = [position.side(), position.side().opponent()];
        Lesson { rows, divisors: sides.map(|ahead| divisor(&position, ahead) as u8) }
    }

    fn game(&self, start: &Position) -> Box<dyn AnyGame> {
        Box::new(BitGame::<R>::new(start.variant.customs(), typed(start)))
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
        let Some(bitbases) = job.bitbases.as_any().downcast_ref::<BitbaseSet<R>>() else {
            unreachable!("the bitbases are of {}", job.bitbases.variant());
        };
        let Job { game, tt, evaluation, params, multipv, limits, control, pause, .. } = job;
        let job = search::Job {
            game: typed_game::<R>(game),
            tt,
            bitbases,
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

    fn no_bitbases(&self, variant: Variant) -> Box<dyn Bitbases> {
        Box::new(BitbaseSet::<R>::none(variant))
    }

    fn bitbases(&self, variant: Variant) -> Box<dyn Bitbases> {
        Box::new(BitbaseSet::<R>::embedded(variant))
    }

    fn bitbase_positions(&self, pieces: usize) -> u64 {
        bitbase::positions::<R>(pieces)
    }

    fn bitbase_memory(&self, pieces: usize, has_distances: bool) -> u64 {
        bitbase::memory::<R>(pieces, has_distances)
    }

    fn generate(
        &self,
        variant: Variant,
        folder: &Path,
        pieces: usize,
        has_distances: bool,
        watch: &dyn SolveWatch,
    ) -> Result<(), GenerateError> {
        bitbase::generate::<R>(variant, folder, pieces, has_distances, watch)
    }

    fn slice_positions(&self, slice: Slice) -> u64 {
        bitbase::slice_positions::<R>(slice)
    }

    fn slice_memory(&self, slice: Slice) -> u64 {
        bitbase::slice_memory::<R>(slice)
    }

    fn generate_slices(
        &self,
        variant: Variant,
        folder: &Path,
        slices: &[Slice],
        watch: &dyn SolveWatch,
    ) -> Result<(), GenerateError> {
        bitbase::generate_slices::<R>(variant, folder, slices, watch)
    }
}

impl<R: Rules> AnyGame for BitGame<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn play(&mut self, before: &Position, mv: Move) -> Position {
        BitGame::play(self, typed_move(mv));
        value(before.variant, self.position())
    }

    fn undo(&mut self, variant: Variant) -> Option<(Move, Position)> {
        let mv = BitGame::undo(self)?;
        Some((mv.to_move(), value(variant, self.position())))
    }

    fn plies(&self) -> usize {
        self.moves().len()
    }

    fn moves(&self) -> Vec<Move> {
        BitGame::moves(self).iter().map(|mv| mv.to_move()).collect()
    }

    fn positions(&self, variant: Variant) -> Vec<Position> {
        BitGame::positions(self).iter().map(|position| value(variant, position)).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        BitGame::outcome(self)
    }

    fn occurrences(&self) -> usize {
        BitGame::occurrences(self)
    }

    fn reversible_plies(&self) -> usize {
        BitGame::reversible_plies(self)
    }

    fn memory(&self) -> usize {
        BitGame::memory(self)
    }

    fn draw(&self) -> Option<Reason> {
        BitGame::draw(self)
    }

    fn limit(&self) -> Option<Reason> {
        BitGame::limit(self)
    }
}

impl<R: Rules> Bitbases for BitbaseSet<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn variant(&self) -> Variant {
        BitbaseSet::variant(self)
    }

    fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError> {
        BitbaseSet::open(self, folder, pieces)
    }

    fn add_embedded(&mut self) {
        BitbaseSet::add_embedded(self);
    }

    fn limit(&mut self, pieces: usize) {
        BitbaseSet::limit(self, pieces);
    }

    fn ignore_king_move_limit(&mut self) {
        BitbaseSet::ignore_king_move_limit(self);
    }

    fn pieces(&self) -> usize {
        BitbaseSet::pieces(self)
    }

    fn file(&self, slice: Slice, content: Content) -> Option<&dyn BitbaseFile> {
        BitbaseSet::file(self, slice, content).map(|file| file as &dyn BitbaseFile)
    }

    fn verdict(&self, position: &Position) -> Option<Verdict> {
        BitbaseSet::verdict(self, &typed(position))
    }

    fn verdict_by_moves(&self, position: &Position) -> Option<Verdict> {
        let position = typed(position);
        self.verdict_of_moves(&position, &movegen::legal_moves(&position))
    }

    fn rated_moves(&self, position: &Position) -> Option<Vec<(Move, Verdict)>> {
        let rated = BitbaseSet::rated_moves(self, &typed(position))?;
        Some(rated.into_iter().map(|(mv, verdict)| (mv.to_move(), verdict)).collect())
    }

    fn line(&self, position: &Position) -> Option<Vec<Move>> {
        let line = BitbaseSet::line(self, &typed(position))?;
        Some(line.into_iter().map(BitMove::to_move).collect())
    }

    fn line_in_game(&self, game: &Game) -> Option<Vec<Move>> {
        let way = BitbaseSet::line_in_game(self, typed_game(game))?;
        Some(way.into_iter().map(BitMove::to_move).collect())
    }

    fn wins_within_move_limits(&self, game: &Game) -> Option<bool> {
        BitbaseSet::wins_within_move_limits(self, typed_game(game))
    }

    fn count_verdicts(&self, slice: Slice, watch: &dyn SolveWatch) -> Option<VerdictCounts> {
        VerdictCounts::of_slice(slice, self, watch)
    }
}

impl<G: Geometry> BitbaseFile for File<G> {
    fn slice(&self) -> Slice {
        self.index().slice()
    }

    fn positions(&self) -> u64 {
        self.index().len()
    }

    fn position(&self, number: u64) -> Position {
        let Pieces { men, kings } = self.index().pieces(number);
        let side = |index: usize| [men[index].to_set(), kings[index].to_set()];
        let setup = Setup { side: Side::White, pieces: [side(0), side(1)] };
        any_rules(self.variant()).position(self.variant(), &setup)
    }

    fn counts(&self) -> ValueCounts {
        File::counts(self)
    }

    fn path(&self) -> &Path {
        File::path(self)
    }

    fn size(&self) -> u64 {
        File::size(self)
    }

    fn checksum(&self) -> u32 {
        File::checksum(self)
    }

    fn verify(&self) -> Result<(), FileError> {
        File::verify(self)
    }
}
