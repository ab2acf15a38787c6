//! Positions of any variant.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::board::{Grid, Kind, Move, Piece, Side, SquareSet};
use crate::eval::network::features::feature_rows;
use crate::eval::{Evaluation, divisor};
use crate::game::{Outcome, terminal};
use crate::movegen::{self, PerftTable, outlined};
use crate::parallel;
use crate::position::{Key, KingRun, Pieces, Setup, SetupError};
use crate::rules::{Rules, Variant};
use crate::score::Score;

use super::variant_ops::{NetworkInput, to_moves, typed, typed_move, value, variant_ops};

/// A legal position of a variant: the pieces by square number, the side to move and, in variants
/// with the three-king-moves rule, its counters.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) variant: Variant,
    pub(super) side: Side,
    /// All pieces of each side.
    pub(super) pieces: [SquareSet; 2],
    pub(super) kings: SquareSet,
    pub(super) king_runs: [KingRun; 2],
    pub(super) key: Key,
    /// See [`Position::counted_plies`].
    pub(super) counted: u16,
}

/// Positions are equal if the same moves are legal in them, now and later; the plies that were
/// played before do not matter.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let facts = |position: &Position| {
            (position.variant, position.side, position.pieces, position.kings, position.king_runs)
        };
        facts(self) == facts(other)
    }
}

impl Eq for Position {}

impl Position {
    /// The start position of a variant.
    pub fn start(variant: Variant) -> Self {
        let (rules, grid) = (variant.setup(), variant.grid());
        let [before, last] = [rules.start_rows.start, rules.start_rows.end]
            .map(|rows| SquareSet::up_to(rows as u8 * grid.row_length()));
        let black = last & !before;
        let white = black.numbers().map(|square| grid.rotated(square)).collect();
        let none = SquareSet::EMPTY;
        let setup = Setup { side: rules.first, pieces: [[white, none], [black, none]] };
        variant_ops(variant).position(variant, &setup)
    }

    /// The number of plies played before this position that count towards move limits in a game
    /// that starts here: the limits for endings with its material, and the limit on king moves. 0
    /// after any move.
    pub fn counted_plies(&self) -> u16 {
        self.counted
    }

    /// The same position with the given number of [counted plies](Position::counted_plies).
    pub fn with_counted_plies(self, plies: u16) -> Position {
        Position { counted: plies, ..self }
    }

    /// The position described by a setup.
    ///
    /// # Errors
    ///
    /// The error lists all faults of the setup.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        setup.check(variant.grid())?;
        Ok(variant_ops(variant).position(variant, setup))
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.variant.grid()
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

    /// One side's pieces of a given kind.
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

    /// The position as a setup, such as a notation parser produces.
    pub fn setup(&self) -> Setup {
        let pieces = Side::ALL.map(|side| [self.men(side), self.kings(side)]);
        Setup { side: self.side, pieces }
    }

    /// The Zobrist key: pieces, side to move and three-king-moves counters.
    pub fn key(&self) -> Key {
        self.key
    }

    /// A side's current run of consecutive moves with the same king. Always [`KingRun::default`] in
    /// variants without the three-king-moves rule.
    pub fn king_run(&self, side: Side) -> KingRun {
        self.king_runs[side.index()]
    }

    /// All legal moves, sorted by square number: the order used in output and files.
    pub fn sorted_moves(&self) -> Vec<Move> {
        let mut moves = self.legal_moves();
        // Captured squares are compared last: they seldom matter and take longer to compare.
        moves.sort_by(|one, other| {
            let ends = |mv: &Move| u16::from_be_bytes([mv.from, mv.to]);
            ends(one).cmp(&ends(other)).then_with(|| one.numbers().cmp(&other.numbers()))
        });
        moves
    }

    /// Whether a move is a conversion, after which no earlier position can recur: a capture or a
    /// man's move forward.
    pub fn is_conversion(&self, mv: Move) -> bool {
        let grid = self.grid();
        mv.is_capture() || !self.kings.has(mv.from) && grid.row(mv.from) != grid.row(mv.to)
    }

    /// The number of leaves `depth` plies below the position, counted on rayon's threads. Draw
    /// rules are ignored; a finished game has no leaves below it. `u64::MAX` stands for that number
    /// or more.
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_with(depth, None)
    }

    /// Like [`Position::perft`], with a table of known counts. The table must not have been used
    /// for another variant.
    pub fn perft_with(&self, mut depth: u32, table: Option<&PerftTable>) -> u64 {
        /// The depth up to which subtrees are too small to be worth distributing.
        const MIN_DEPTH: u32 = 5;
        /// The number of subtrees that is enough to balance the load.
        const MAX_POSITIONS: usize = 10_000;
        let mut positions = vec![*self];
        while depth > MIN_DEPTH && positions.len() < MAX_POSITIONS {
            let next = |position: &Position| {
                let moves = position.legal_moves().into_iter();
                moves.map(|mv| position.after(mv)).collect::<Vec<_>>()
            };
            positions = positions.iter().flat_map(next).collect();
            depth -= 1;
        }
        let below = |number: usize| positions[number].count_leaves(depth, table);
        parallel::map(positions.len(), &below).into_iter().fold(0, u64::saturating_add)
    }

    /// The legal moves, sorted by square number, and the number of leaves below each, counted as in
    /// [`Position::perft_with`]; empty for a depth of 0.
    pub fn divide(&self, depth: u32, table: Option<&PerftTable>) -> Vec<(Move, u64)> {
        let Some(below) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let leaves = |mv| (mv, self.after(mv).perft_with(below, table));
        self.sorted_moves().into_iter().map(leaves).collect()
    }
}

/// Declares methods of [`Position`] whose bodies are generic over the rules. For each, the macro
/// writes a method of [`PositionOps`], its implementation, and a method of [`Position`] that calls
/// it. In a body, `$bits` is the position on bitboards.
macro_rules! typed_methods {
    (|$position:ident, $bits:ident| $(
        $(#[$doc:meta])*
        fn $name:ident($($arg:ident: $type:ty),*) -> $output:ty $body:block
    )*) => {
        /// The operations on positions whose implementation is generic over the rules.
        pub trait PositionOps {
            $(
                #[doc = concat!("See [`Position::", stringify!($name), "`].")]
                fn $name(&self, position: &Position $(, $arg: $type)*) -> $output;
            )*
        }

        impl<R: Rules> PositionOps for R {
            $(
                fn $name(&self, $position: &Position $(, $arg: $type)*) -> $output {
                    let $bits = &typed(*self, $position);
                    $body
                }
            )*
        }

        impl Position {
            $(
                $(#[$doc])*
                pub fn $name(&self $(, $arg: $type)*) -> $output {
                    variant_ops(self.variant).$name(self $(, $arg)*)
                }
            )*
        }
    };
}

typed_methods! { |position, bits|
    /// The same position with the given three-king-moves counters. Invalid counters (no such rule,
    /// no king on the square, no man left) become [`KingRun::default`].
    fn with_king_runs(runs: [KingRun; 2]) -> Position {
        let with_runs = typed(bits.rules(), &Position { king_runs: runs, ..*position });
        let runs = Side::ALL.map(|side| with_runs.king_run(side));
        value(position.variant, &bits.with_king_runs(runs))
    }

    /// All legal moves: captures if there are any, otherwise quiet moves; none if the game is over.
    /// They are in the order in which the search generates them.
    fn legal_moves() -> Vec<Move> {
        to_moves(&movegen::legal_moves(bits))
    }

    /// Whether the side to move has a legal move.
    fn has_move() -> bool {
        movegen::has_move(bits)
    }

    /// Whether the side to move must capture.
    fn has_capture() -> bool {
        outlined::has_capture(bits)
    }

    /// Whether the opponent could capture if it were to move.
    fn is_threatened() -> bool {
        movegen::is_threatened(bits)
    }

    /// The position after a legal move.
    ///
    /// # Panics
    ///
    /// Panics if a square of the move is not on the board.
    fn after(mv: Move) -> Position {
        value(position.variant, &bits.after(typed_move(mv)))
    }

    /// The outcome of the position regardless of its history; `None` if the side to move has a
    /// move.
    fn outcome() -> Option<Outcome> {
        terminal(bits)
    }

    /// Like [`Position::perft_with`], but on this thread.
    fn count_leaves(depth: u32, table: Option<&PerftTable>) -> u64 {
        movegen::perft(bits, depth, table)
    }

    /// The static evaluation for the side to move; the game must not be over.
    fn score(evaluation: &Evaluation) -> Score {
        evaluation.score(bits)
    }

    /// The margin of a quiet position: the lead, in hundredths of a man, at which half of all games
    /// are won. `None` if the evaluation was not trained to predict it.
    fn margin(evaluation: &Evaluation) -> Option<i32> {
        evaluation.margin(bits)
    }

    /// The network input of the position, for training.
    fn network_input() -> NetworkInput {
        let sides = [bits.side(), bits.side().opponent()];
        let divisors = sides.map(|ahead| divisor(bits, ahead) as u8);
        NetworkInput { rows: feature_rows(&Pieces::of(bits)), divisors }
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// The board as White sees it: men as `w` and `b`, kings as `W` and `B`, empty squares as `.`; then
/// the side to move.
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
