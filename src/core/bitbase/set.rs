//! The available bitbases of a game, and how they are probed.

use std::path::Path;

use crate::board::MoveList;
use crate::movegen::outlined;
use crate::position::{BitPosition, Pieces};
use crate::rules::{Rules, Variant};

use super::embedded;
use super::file::{Content, File, FileError};
use super::king_runs::{self, KingRuns};
use super::slice::Slice;
use super::value::{Value, without_move};
use super::verdict::Verdict;

/// The files of a content, by the code of the slice.
type Shelf<G> = Vec<Option<Box<File<G>>>>;

/// The bitbases of a game.
#[derive(Debug)]
pub struct BitbaseSet<R: Rules> {
    variant: Variant,
    /// By [`Content`], then by the code of the slice.
    files: [Shelf<R::Geometry>; 2],
    /// The greatest number of pieces with known values.
    pieces: usize,
    king_runs: KingRuns,
}

impl<R: Rules> BitbaseSet<R> {
    /// An empty set.
    pub fn none(variant: Variant) -> Self {
        let none = || (0..Slice::CODES).map(|_| None).collect();
        BitbaseSet { variant, files: [none(), none()], pieces: 0, king_runs: KingRuns::Heeded }
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The bitbases that are embedded in the program.
    pub fn embedded(variant: Variant) -> Self {
        let mut bitbases = Self::none(variant);
        bitbases.add_embedded();
        bitbases
    }

    /// Adds those that are embedded in the program where none are open.
    pub fn add_embedded(&mut self) {
        for (file, content) in embedded::files(R::VARIANT) {
            if self.file(file.index().slice(), content).is_none() {
                self.add(file, content);
            }
        }
    }

    /// Opens the files in a folder, of up to `pieces` pieces, that are not open yet. Missing files
    /// are ignored; unusable ones are left out and returned as errors.
    pub fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError> {
        let mut faults = Vec::new();
        for slice in (2..=pieces).flat_map(Slice::all) {
            for content in Content::ALL {
                let path = content.path(folder, slice);
                if self.file(slice, content).is_none() && path.exists() {
                    match File::open(&path, self.variant, slice, content) {
                        Ok(file) => self.add(file, content),
                        Err(error) => faults.push(error),
                    }
                }
            }
        }
        faults
    }

    fn add(&mut self, file: File<R::Geometry>, content: Content) {
        let slice = file.index().slice();
        if content == Content::Values {
            self.pieces = self.pieces.max(slice.pieces());
        }
        self.files[content as usize][slice.code()] = Some(Box::new(file));
    }

    /// Ignores bitbases with more than `pieces` pieces.
    pub fn limit(&mut self, pieces: usize) {
        self.pieces = self.pieces.min(pieces);
    }

    /// Gives all values as they are stored, without a limit on consecutive king moves (Frisian).
    pub fn ignore_king_move_limit(&mut self) {
        self.king_runs = KingRuns::Ignored;
    }

    pub(super) fn king_runs(&self) -> KingRuns {
        self.king_runs
    }

    /// The greatest number of pieces with known values.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The file of a slice.
    #[inline]
    pub fn file(&self, slice: Slice, content: Content) -> Option<&File<R::Geometry>> {
        self.files[content as usize][slice.code()].as_deref()
    }

    /// The value of a position without a capture; `None` if it is unknown.
    #[inline]
    pub fn quiet_value(&self, position: &BitPosition<R>) -> Option<Value> {
        self.quiet_value_by(position, self.king_runs)
    }

    /// The value of any position; `None` if it is unknown. Captures are played out.
    pub fn value(&self, position: &BitPosition<R>) -> Option<Value> {
        let moves = outlined::captures(position);
        if moves.is_empty() {
            return match outlined::has_quiet(position) {
                true => self.quiet_value(position),
                false => Some(without_move::<R>()),
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

    /// Everything known about a position; `None` if its value is unknown.
    pub fn verdict(&self, position: &BitPosition<R>) -> Option<Verdict> {
        self.verdict_by(position, self.king_runs)
    }

    /// The verdict on a position from the best of some moves; `None` if there are no moves or the
    /// value of one is unknown.
    pub fn verdict_of_moves(
        &self,
        position: &BitPosition<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Option<Verdict> {
        self.verdict_of_moves_by(position, moves, self.king_runs)
    }

    #[inline]
    fn quiet_value_by(&self, position: &BitPosition<R>, king_runs: KingRuns) -> Option<Value> {
        if position.occupied().len() > self.pieces {
            return None;
        }
        let pieces = Pieces::of(position);
        let slice = Slice::of(&pieces);
        let value = self.file(slice, Content::Values)?.value(&pieces)?;
        let is_sure = R::KING_MOVES_IN_A_ROW == 0
            || king_runs == KingRuns::Ignored
            || king_runs::is_sure(slice, value);
        is_sure.then_some(value)
    }

    /// The verdict, with limits on king runs heeded or ignored.
    pub(super) fn verdict_by(
        &self,
        position: &BitPosition<R>,
        king_runs: KingRuns,
    ) -> Option<Verdict> {
        let moves = outlined::captures(position);
        if !moves.is_empty() {
            return self.verdict_of_moves_by(position, &moves, king_runs);
        }
        if !outlined::has_quiet(position) {
            return Some(Verdict { value: without_move::<R>(), plies: Some(0) });
        }
        let value = self.quiet_value_by(position, king_runs)?;
        let plies = || {
            let pieces = Pieces::of(position);
            self.file(Slice::of(&pieces), Content::Distances)?.plies(
                &pieces,
                value,
                without_move::<R>(),
            )
        };
        Some(Verdict { value, plies: if value == Value::Draw { None } else { plies() } })
    }

    fn verdict_of_moves_by(
        &self,
        position: &BitPosition<R>,
        moves: &MoveList<R::Geometry>,
        king_runs: KingRuns,
    ) -> Option<Verdict> {
        let verdict = |mv| Some(self.verdict_by(&position.after(mv), king_runs)?.before());
        let verdicts = moves.iter().map(|&mv| verdict(mv));
        verdicts.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}
