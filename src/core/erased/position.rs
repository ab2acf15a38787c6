//! Positions of any game.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::board::{Grid, Kind, Move, Piece, Side, SquareSet};
use crate::eval::Evaluation;
use crate::game::Outcome;
use crate::position::{Key, Setup, SetupError};
use crate::rules::Variant;
use crate::score::Score;

use super::any_rules::{AnyRules, Lesson, any_rules};

/// A legal position of a game: the pieces by square number, the side to move, and the counters of
/// the three-king-moves rule where the game has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) variant: Variant,
    pub(super) side: Side,
    /// All pieces of each side.
    pub(super) pieces: [SquareSet; 2],
    pub(super) kings: SquareSet,
    pub(super) king_runs: [KingRun; 2],
    pub(super) key: Key,
}

/// The number of consecutive moves by a side with the same king and without a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KingRun {
    /// 0 if no moves are counted.
    square: u8,
    count: u8,
}

impl KingRun {
    /// No moves counted.
    pub const NONE: KingRun = KingRun { square: 0, count: 0 };

    /// A run of `count` moves by the king now on `square`.
    pub fn new(square: u8, count: u8) -> Self {
        if count == 0 { KingRun::NONE } else { KingRun { square, count } }
    }

    /// The square of the king; `None` if no moves are counted.
    pub fn square(self) -> Option<u8> {
        (self.count > 0).then_some(self.square)
    }

    /// The number of consecutive moves.
    pub fn count(self) -> u8 {
        self.count
    }
}

impl Position {
    /// The start position of a game.
    pub fn start(variant: Variant) -> Self {
        let (customs, grid) = (variant.customs(), any_rules(variant).grid());
        let [before, last] = [customs.start_rows.start, customs.start_rows.end]
            .map(|rows| SquareSet::up_to(rows as u8 * grid.row_length()));
        let black = last & !before;
        let white = black.numbers().map(|square| grid.turned(square)).collect();
        let none = SquareSet::EMPTY;
        let setup = Setup { side: customs.first, pieces: [[white, none], [black, none]] };
        any_rules(variant).position(variant, &setup)
    }

    /// The position of a game that a setup describes.
    ///
    /// # Errors
    ///
    /// All faults of the setup.
    pub fn new(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        let rules = any_rules(variant);
        setup.check(rules.grid())?;
        Ok(rules.position(variant, setup))
    }

    fn rules(&self) -> &'static dyn AnyRules {
        any_rules(self.variant)
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.rules().grid()
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// All pieces of a side.
    pub fn pieces(&self, side: Side) -> SquareSet {
        self.pieces[side.index()]
    }

    /// The men of a side.
    pub fn men(&self, side: Side) -> SquareSet {
        self.pieces(side) & !self.kings
    }

    /// The kings of a side.
    pub fn kings(&self, side: Side) -> SquareSet {
        self.pieces(side) & self.kings
    }

    /// The pieces of one kind of a side.
    pub fn pieces_of(&self, side: Side, kind: Kind) -> SquareSet {
        match kind {
            Kind::Man => self.men(side),
            Kind::King => self.kings(side),
        }
    }

    /// The kings of both sides.
    pub fn all_kings(&self) -> SquareSet {
        self.kings
    }

    /// The pieces of both sides.
    pub fn occupied(&self) -> SquareSet {
        let [white, black] = self.pieces;
        white | black
    }

    /// The empty playable squares.
    pub fn empty(&self) -> SquareSet {
        self.grid().playable() & !self.occupied()
    }

    /// The piece on a square; `None` if it is empty.
    pub fn piece_on(&self, square: u8) -> Option<Piece> {
        let side = Side::ALL.into_iter().find(|&side| self.pieces(side).has(square))?;
        let kind = if self.kings.has(square) { Kind::King } else { Kind::Man };
        Some(Piece { side, kind })
    }

    /// The setup of the position, as a notation parser would fill it in.
    pub fn setup(&self) -> Setup {
        let pieces = Side::ALL.map(|side| [self.men(side), self.kings(side)]);
        Setup { side: self.side, pieces }
    }

    /// The Zobrist key: pieces, side to move and three-king-moves counters.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The last king moved by a side and its number of consecutive moves. Always [`KingRun::NONE`]
    /// in games without the three-king-moves rule.
    pub fn king_run(&self, side: Side) -> KingRun {
        self.king_runs[side.index()]
    }

    /// The same position with other three-king-moves counters. Invalid counters (no such rule, no
    /// king on the square, no man left) become [`KingRun::NONE`].
    pub fn with_king_runs(&self, runs: [KingRun; 2]) -> Self {
        self.rules().with_king_runs(self, runs)
    }

    /// All legal moves: captures if there are any, otherwise quiet moves; none if the game is over.
    /// They come in the order in which the search generates them.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.rules().legal_moves(self)
    }

    /// All legal moves, sorted by square number: the order of output and files.
    pub fn sorted_moves(&self) -> Vec<Move> {
        let mut moves = self.legal_moves();
        // The squares captured, which take longer to compare, seldom matter.
        moves.sort_by(|one, other| {
            let ends = |mv: &Move| (mv.from, mv.to);
            ends(one).cmp(&ends(other)).then_with(|| one.numbers().cmp(&other.numbers()))
        });
        moves
    }

    /// Whether the side to move has a legal move.
    pub fn has_move(&self) -> bool {
        self.rules().has_move(self)
    }

    /// Whether the side to move must capture.
    pub fn has_capture(&self) -> bool {
        self.rules().has_capture(self)
    }

    /// Whether the opponent could capture if it were to move.
    pub fn is_threatened(&self) -> bool {
        self.rules().is_threatened(self)
    }

    /// Whether a move is a conversion, after which no earlier position can recur: a capture or a
    /// man's move forward.
    pub fn is_conversion(&self, mv: Move) -> bool {
        let grid = self.grid();
        mv.is_capture() || !self.kings.has(mv.from) && grid.row(mv.from) != grid.row(mv.to)
    }

    /// The position after a legal move.
    ///
    /// # Panics
    ///
    /// A square of the move is not on the board.
    pub fn after(&self, mv: Move) -> Self {
        self.rules().after(self, mv)
    }

    /// The outcome of the position regardless of its history; `None` if the side to move has a
    /// move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.rules().outcome(self)
    }

    /// The number of leaves `depth` plies below, counted on rayon's threads. Draw rules are off; a
    /// finished game has no leaves below it.
    pub fn perft(&self, depth: u32) -> u64 {
        self.rules().perft(self, depth)
    }

    /// The number of leaves below each legal move, sorted by square number; empty for a depth of 0.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let mut leaves = self.rules().divide(self, depth);
        leaves.sort_by_cached_key(|(mv, _)| mv.numbers());
        leaves
    }

    /// The static evaluation for the side to move; the game must not be over.
    pub fn score(&self, evaluation: &Evaluation) -> Score {
        self.rules().score(evaluation, self)
    }

    /// The margin of a quiet position: the lead that wins half of the games, in hundredths of a man.
    /// `None` if the evaluation has not learned it.
    pub fn margin(&self, evaluation: &Evaluation) -> Option<i32> {
        self.rules().margin(evaluation, self)
    }

    /// The network input of the position.
    pub fn lesson(&self) -> Lesson {
        self.rules().lesson(self)
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// The board as White sees it: `w`, `b` men, `W`, `B` kings, `.` empty, then the side to move.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.grid();
        for row in 0..grid.size {
            for column in 0..grid.size {
                let letter = match grid.at(row, column).map(|square| self.piece_on(square)) {
                    None => ' ',
                    Some(None) => '.',
                    Some(Some(Piece { side: Side::White, kind: Kind::Man })) => 'w',
                    Some(Some(Piece { side: Side::Black, kind: Kind::Man })) => 'b',
                    Some(Some(Piece { side: Side::White, kind: Kind::King })) => 'W',
                    Some(Some(Piece { side: Side::Black, kind: Kind::King })) => 'B',
                };
                write!(f, "{letter}{}", if column + 1 < grid.size { " " } else { "\n" })?;
            }
        }
        write!(f, "{:?} to move", self.side)
    }
}

impl Variant {
    /// The board of the game.
    pub fn grid(self) -> Grid {
        any_rules(self).grid()
    }
}
