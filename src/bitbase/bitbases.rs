//! All bitbases of a game that are at hand, and what they tell about a position.

use std::path::Path;

use crate::board::MoveList;
use crate::movegen;
use crate::position::{Pieces, Position};
use crate::rules::Rules;

use super::embedded;
use super::file::{Content, File, FileError};
use super::slice::Slice;
use super::value::{Value, without_move};
use super::verdict::Verdict;

/// The bitbases of a game.
#[derive(Debug)]
pub struct Bitbases<R: Rules> {
    /// By what they tell, and by the code of the slice.
    files: [Vec<Option<Box<File<R>>>>; 2],
    /// The most pieces that there are values about.
    pieces: usize,
}

impl<R: Rules> Bitbases<R> {
    /// None.
    pub fn none() -> Self {
        let none = || (0..Slice::CODES).map(|_| None).collect();
        Bitbases { files: [none(), none()], pieces: 0 }
    }

    /// Those that are part of the program.
    pub fn embedded() -> Self {
        let mut bitbases = Self::none();
        for (file, content) in embedded::files() {
            bitbases.add(file, content);
        }
        bitbases
    }

    /// Opens what else there is in a folder for up to so many pieces. Files that are not there are not
    /// missed; those that cannot be used are told of and left out.
    pub fn open(&mut self, folder: &Path, pieces: usize) -> Vec<FileError> {
        let mut faults = Vec::new();
        for slice in (2..=pieces).flat_map(Slice::all) {
            for content in Content::ALL {
                let path = content.path(folder, slice);
                if self.file(slice, content).is_none() && path.exists() {
                    match File::open(&path, slice, content) {
                        Ok(file) => self.add(file, content),
                        Err(error) => faults.push(error),
                    }
                }
            }
        }
        faults
    }

    fn add(&mut self, file: File<R>, content: Content) {
        let slice = file.index().slice();
        if content == Content::Values {
            self.pieces = self.pieces.max(slice.pieces());
        }
        self.files[content as usize][slice.code()] = Some(Box::new(file));
    }

    /// Forgets what is known about more pieces than a number.
    pub fn limit(&mut self, pieces: usize) {
        self.pieces = self.pieces.min(pieces);
    }

    /// The most pieces that values are known of.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Every file of a kind, those of fewer pieces first.
    pub fn files(&self, content: Content) -> impl Iterator<Item = &File<R>> {
        let slices = (2..=self.pieces).flat_map(Slice::all);
        slices.filter_map(move |slice| self.file(slice, content))
    }

    /// The file of a slice.
    #[inline]
    pub fn file(&self, slice: Slice, content: Content) -> Option<&File<R>> {
        self.files[content as usize][slice.code()].as_deref()
    }

    /// The value of a position without a capture to make; `None` if it is not known.
    #[inline]
    pub fn quiet_value(&self, position: &Position<R>) -> Option<Value> {
        if position.occupied().len() > self.pieces {
            return None;
        }
        let pieces = Pieces::of(position);
        self.file(Slice::of(&pieces), Content::Values)?.value(&pieces)
    }

    /// The value of any position; `None` if it is not known. Captures are played out.
    pub fn value(&self, position: &Position<R>) -> Option<Value> {
        let mut moves = MoveList::new();
        movegen::captures(position, &mut moves);
        if moves.is_empty() {
            return match movegen::has_quiet(position) {
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

    /// All that is known about a position; `None` if its value is not.
    pub fn verdict(&self, position: &Position<R>) -> Option<Verdict> {
        let mut moves = MoveList::new();
        movegen::captures(position, &mut moves);
        if !moves.is_empty() {
            return self.verdict_by(position, &moves);
        }
        if !movegen::has_quiet(position) {
            return Some(Verdict { value: without_move::<R>(), plies: Some(0) });
        }
        let value = self.quiet_value(position)?;
        let plies = || {
            let pieces = Pieces::of(position);
            self.file(Slice::of(&pieces), Content::Distances)?.plies(&pieces, value)
        };
        Some(Verdict { value, plies: if value == Value::Draw { None } else { plies() } })
    }

    /// What moves say about a position if the best of them is made; `None` if there are none, or if
    /// the value of one is not known.
    pub fn verdict_by(
        &self,
        position: &Position<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Option<Verdict> {
        let verdicts = moves.iter().map(|&mv| Some(self.verdict(&position.after(mv))?.before()));
        verdicts.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// How many bytes all files take.
    pub fn size(&self) -> u64 {
        Content::ALL.into_iter().flat_map(|content| self.files(content)).map(File::size).sum()
    }
}
