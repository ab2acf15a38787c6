//! Probing the available bitbases of a variant.
//!
//! Bitbases are generated without the limit on consecutive moves of a king (Frisian draughts). The
//! limit can affect only a side that has a man and another piece. Because the limit only forbids
//! moves, that side never does better with the limit than without: a position that it loses without
//! the limit is also lost with it, in at most as many plies.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::board::{BitMove, Geometry, Grid, MoveList};
use crate::game::BitGame;
use crate::movegen::{legal_moves, outlined};
use crate::position::{BitPosition, Pieces};
use crate::progress::Progress;
use crate::rules::{Rules, Variant};

use super::counts::VerdictCounts;
use super::embedded;
use super::file::File;
use super::format::{Content, FileError};
use super::limits::MoveLimits;
use super::slice::Slice;
use super::value::{Value, Verdict, best_first, without_move};

/// A move and the verdict after it, for the side that makes it.
pub type RatedMove<R> = (BitMove<<R as Rules>::Geometry>, Verdict);

/// How probes treat values that the limit on consecutive king moves may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KingMoveLimit {
    /// Treat them as unknown.
    Applied,
    /// Return the values without the limit.
    Ignored,
}

/// The files of some slices of a variant.
#[derive(Debug)]
struct FileSet {
    grid: Grid,
    variant: Variant,
    /// Indexed by [`Content`], then by the code of the slice.
    files: [Vec<Option<Arc<File>>>; 2],
    /// The maximum number of pieces with known values.
    pieces: usize,
}

impl FileSet {
    fn new(grid: Grid, variant: Variant) -> Self {
        let none = || (0..Slice::CODES).map(|_| None).collect();
        FileSet { grid, variant, files: [none(), none()], pieces: 0 }
    }

    /// See [`BitbaseSet::add_embedded`].
    fn add_embedded(&mut self) {
        for file in embedded::files(self.grid, self.variant) {
            if self.file(file.slice(), file.content()).is_none() {
                self.add(Arc::clone(file));
            }
        }
    }

    /// See [`BitbaseSet::open`].
    fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError> {
        let mut errors = Vec::new();
        for slice in (2..=pieces).flat_map(Slice::all) {
            for content in Content::ALL {
                let path = content.path(folder, slice);
                if self.file(slice, content).is_none() && path.exists() {
                    match File::open(&path, self.grid, self.variant, slice, content) {
                        Ok(file) => self.add(Arc::new(file)),
                        Err(error) => errors.push(error),
                    }
                }
            }
        }
        errors
    }

    fn add(&mut self, file: Arc<File>) {
        let (slice, content) = (file.slice(), file.content());
        if content == Content::Values {
            self.pieces = self.pieces.max(slice.pieces());
        }
        self.files[content as usize][slice.code()] = Some(file);
    }

    #[inline(always)]
    fn file(&self, slice: Slice, content: Content) -> Option<&File> {
        self.files[content as usize][slice.code()].as_deref()
    }
}

/// The bitbases of a variant.
#[derive(Debug)]
pub struct BitbaseSet<R: Rules> {
    files: FileSet,
    king_move_limit: KingMoveLimit,
    /// Computed when first needed.
    move_limits: OnceLock<MoveLimits>,
    rules: R,
}

impl<R: Rules> BitbaseSet<R> {
    /// An empty set.
    pub fn none(rules: R, variant: Variant) -> Self {
        BitbaseSet {
            files: FileSet::new(R::Geometry::GRID, variant),
            king_move_limit: KingMoveLimit::Applied,
            move_limits: OnceLock::new(),
            rules,
        }
    }

    /// The bitbases that are embedded in the program.
    pub fn embedded(rules: R, variant: Variant) -> Self {
        let mut bitbases = Self::none(rules, variant);
        bitbases.add_embedded();
        bitbases
    }

    /// The rules of the variant.
    pub fn rules(&self) -> R {
        self.rules
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.files.variant
    }

    /// Adds each embedded file unless one for the same slice and content is already open.
    pub fn add_embedded(&mut self) {
        self.move_limits = OnceLock::new();
        self.files.add_embedded();
    }

    /// Opens the files in a folder for endings with at most `pieces` pieces, except those already
    /// open. Missing files are ignored; unusable files are skipped and returned as errors.
    pub fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError> {
        self.move_limits = OnceLock::new();
        self.files.open(folder, pieces)
    }

    /// Ignores bitbases with more than `pieces` pieces.
    pub fn limit(&mut self, pieces: usize) {
        self.move_limits = OnceLock::new();
        self.files.pieces = self.files.pieces.min(pieces);
    }

    /// The rules' move limits.
    pub fn move_limits(&self) -> &MoveLimits {
        self.move_limits.get_or_init(|| {
            let wins_take_at_most = |plies, slice: Slice| {
                slice.with_mirror().into_iter().all(|slice| {
                    let file = self.file(slice, Content::Distances);
                    file.is_some_and(|file| file.max_plies() <= plies)
                })
            };
            MoveLimits::new(self.variant().setup(), self.pieces(), &wins_take_at_most)
        })
    }

    /// Makes probes return all values as stored, that is, as computed without the limit on
    /// consecutive king moves (Frisian).
    pub fn ignore_king_move_limit(&mut self) {
        self.king_move_limit = KingMoveLimit::Ignored;
    }

    /// The maximum number of pieces with known values.
    #[inline(always)]
    pub fn pieces(&self) -> usize {
        self.files.pieces
    }

    /// The file of a slice.
    #[inline]
    pub fn file(&self, slice: Slice, content: Content) -> Option<&File> {
        self.files.file(slice, content)
    }

    /// The value of a quiet position; `None` if it is unknown.
    #[inline]
    pub fn quiet_value(&self, position: &BitPosition<R>) -> Option<Value> {
        self.quiet_value_with(position, self.king_move_limit)
    }

    /// The value of any position; `None` if it is unknown. Captures are played out.
    pub fn value(&self, position: &BitPosition<R>) -> Option<Value> {
        let mut moves = MoveList::new();
        outlined::captures(position, &mut moves);
        if moves.is_empty() {
            return match outlined::has_quiet(position) {
                true => self.quiet_value(position),
                false => Some(without_move(self.rules)),
            };
        }
        let mut best = Some(Value::Loss);
        for &mv in &moves {
            match self.value(&position.after(mv)).map(|value| -value) {
                Some(Value::Win) => return Some(Value::Win),
                value => best = best.zip(value).map(|(best, value)| best.max(value)),
            }
        }
        best
    }

    /// The verdict on a position; `None` if its value is unknown.
    pub fn verdict(&self, position: &BitPosition<R>) -> Option<Verdict> {
        self.verdict_with(position, self.king_move_limit)
    }

    /// The verdict on a position if the best of the given moves is played; `None` if there are none
    /// or the value after one of them is unknown.
    pub fn verdict_of_moves(
        &self,
        position: &BitPosition<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Option<Verdict> {
        self.verdict_of_moves_with(position, moves, self.king_move_limit)
    }

    /// All moves of a position with their verdicts, best first; `None` if a verdict is unknown.
    ///
    /// If the limit on consecutive king moves cannot change the value of the position, the moves
    /// have the verdicts without the limit; for moves other than the best these are lower bounds.
    pub fn rated_moves(&self, position: &BitPosition<R>) -> Option<Vec<RatedMove<R>>> {
        let limit = match R::KING_MOVES_IN_A_ROW > 0 && self.verdict(position).is_some() {
            true => KingMoveLimit::Ignored,
            false => self.king_move_limit,
        };
        let moves = legal_moves(position);
        let mut verdicts = Vec::with_capacity(moves.len());
        for &mv in &moves {
            verdicts.push(self.verdict_with(&position.after(mv), limit)?.before());
        }
        let mut rated = Vec::with_capacity(moves.len());
        for index in best_first(&verdicts) {
            rated.push((moves[index], verdicts[index]));
        }
        Some(rated)
    }

    /// The moves to the end of the game with best play, choosing the first of equally good moves;
    /// `None` if the number of plies to the end is unknown.
    pub fn line(&self, position: &BitPosition<R>) -> Option<Vec<BitMove<R::Geometry>>> {
        let plies = usize::from(self.verdict(position)?.plies?);
        let (mut position, mut line) = (*position, Vec::new());
        while line.len() < plies {
            // A side that may not move its king again may lose sooner than the verdict says.
            let Some(&(mv, _)) = self.rated_moves(&position)?.first() else { break };
            position = position.after(mv);
            line.push(mv);
        }
        Some(line)
    }

    /// Like [`BitbaseSet::line`], but from the last position of a game; also `None` if the draw
    /// rules end the game earlier.
    pub fn line_in_game(&self, game: &BitGame<R>) -> Option<Vec<BitMove<R::Geometry>>> {
        let line = self.line(game.position())?;
        let mut game = game.clone();
        for &mv in &line {
            if game.draw().is_some() {
                return None;
            }
            game.play(mv);
        }
        Some(line)
    }

    /// Counts the positions of a slice by verdict, on rayon's threads; `None` if a verdict is
    /// unknown or `progress` requests a stop. Each position is one step of progress.
    pub fn count_verdicts(&self, slice: Slice, progress: &dyn Progress) -> Option<VerdictCounts> {
        let index = self.file(slice, Content::Values)?.index();
        VerdictCounts::of_chunks(index, progress, &|numbers| {
            let mut counts = VerdictCounts::default();
            let mut cursor = index.cursor::<R::Geometry>(numbers.start);
            for number in numbers {
                let position = cursor.pieces().position(self.rules);
                let is_capture = outlined::has_capture(&position);
                counts.add(number, is_capture, self.verdict(&position)?);
                cursor.advance();
            }
            Some(counts)
        })
    }

    #[inline]
    fn quiet_value_with(&self, position: &BitPosition<R>, limit: KingMoveLimit) -> Option<Value> {
        if position.occupied().len() > self.pieces() {
            return None;
        }
        let pieces = Pieces::of(position);
        let slice = Slice::of(&pieces);
        let value = self.file(slice, Content::Values)?.value(&pieces)?;
        let is_certain = R::KING_MOVES_IN_A_ROW == 0
            || limit == KingMoveLimit::Ignored
            || holds_with_king_move_limit(slice, value);
        is_certain.then_some(value)
    }

    /// The verdict, with the limit on king moves applied or ignored.
    fn verdict_with(&self, position: &BitPosition<R>, limit: KingMoveLimit) -> Option<Verdict> {
        let mut moves = MoveList::new();
        outlined::captures(position, &mut moves);
        if !moves.is_empty() {
            return self.verdict_of_moves_with(position, &moves, limit);
        }
        if !outlined::has_quiet(position) {
            return Some(Verdict { value: without_move(self.rules), plies: Some(0) });
        }
        let value = self.quiet_value_with(position, limit)?;
        let plies = || {
            let pieces = Pieces::of(position);
            let file = self.file(Slice::of(&pieces), Content::Distances)?;
            file.plies(&pieces, value, without_move(self.rules))
        };
        Some(Verdict { value, plies: if value == Value::Draw { None } else { plies() } })
    }

    fn verdict_of_moves_with(
        &self,
        position: &BitPosition<R>,
        moves: &MoveList<R::Geometry>,
        limit: KingMoveLimit,
    ) -> Option<Verdict> {
        let mut best = None;
        for &mv in moves {
            let verdict = self.verdict_with(&position.after(mv), limit)?.before();
            best = Some(best.map_or(verdict, |best: Verdict| best.max(verdict)));
        }
        best
    }
}

/// Whether a value computed without the limit on consecutive king moves also holds with the limit,
/// for a position of the given slice.
fn holds_with_king_move_limit(slice: Slice, value: Value) -> bool {
    let Slice { men, kings } = slice;
    let may_bind = [0, 1].map(|side| men[side] > 0 && men[side] + kings[side] > 1);
    match may_bind {
        [false, false] => true,
        [true, false] => value == Value::Loss,
        [false, true] => value == Value::Win,
        [true, true] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_move_limit_can_only_hurt_the_limited_side() {
        let holds = |slice: &str| {
            let slice = slice.parse().unwrap();
            Value::ALL.map(|value| holds_with_king_move_limit(slice, value))
        };
        for free in ["1100", "0011", "1001", "0022", "0130"] {
            assert_eq!(holds(free), [true; 3], "{free}");
        }
        assert_eq!(holds("1011"), [true, false, false]);
        assert_eq!(holds("2002"), [true, false, false]);
        assert_eq!(holds("0211"), [false, false, true]);
        assert_eq!(holds("1111"), [false; 3]);
    }
}
