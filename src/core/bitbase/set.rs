//! The available bitbases of a game, and how they are probed.

use std::path::Path;

use crate::board::MoveList;
use crate::movegen::outlined;
use crate::position::{BitPosition, Pieces};
use crate::rules::{Rules, Variant};

use super::embedded;
use super::file::{Content, File, FileError};
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
}

impl<R: Rules> BitbaseSet<R> {
    /// An empty set.
    pub fn none(variant: Variant) -> Self {
        let none = || (0..Slice::CODES).map(|_| None).collect();
        BitbaseSet { variant, files: [none(), none()], pieces: 0 }
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The bitbases that are embedded in the program.
    pub fn embedded(variant: Variant) -> Self {
        let mut bitbases = Self::none(variant);
        for (file, content) in embedded::files(variant) {
            bitbases.add(file, content);
        }
        bitbases
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
        if position.occupied().len() > self.pieces {
            return None;
        }
        let pieces = Pieces::of(position);
        self.file(Slice::of(&pieces), Content::Values)?.value(&pieces)
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
        let moves = outlined::captures(position);
        if !moves.is_empty() {
            return self.verdict_by(position, &moves);
        }
        if !outlined::has_quiet(position) {
            return Some(Verdict { value: without_move::<R>(), plies: Some(0) });
        }
        let value = self.quiet_value(position)?;
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

    /// The verdict on a position from the best of some moves; `None` if there are no moves or the
    /// value of one is unknown.
    pub fn verdict_by(
        &self,
        position: &BitPosition<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Option<Verdict> {
        let verdicts = moves.iter().map(|&mv| Some(self.verdict(&position.after(mv))?.before()));
        verdicts.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}
