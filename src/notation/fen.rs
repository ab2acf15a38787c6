//! Positions in FEN, such as `W:W31-50:B1-20`: the side to move and the squares of both colours,
//! with `K` before the square of a king.
//!
//! Squares are numbered from the top left in every variant. The parser also accepts forms that
//! other programs write: file and rank (`c3`) on 8x8 boards, spaces, lower-case letters, leading
//! zeros, a trailing comma or dot, a whole `[FEN "..."]` tag, and what lidraughts adds: pieces that
//! have been captured but not removed yet, as `G28` (skipped), `:H12` (the plies that count towards
//! the move limits), `:F60` (skipped) and `:+2+1` (the counters of the three-king-moves rule,
//! Black's first).

use std::fmt::Write;

use crate::board::{Kind, Side};
use crate::erased::Position;
use crate::position::{KingRun, Setup};
use crate::rules::Variant;

use super::parse::{TextCursor, TextError};
use super::squares;

/// Parses a position.
///
/// A counter of the three-king-moves rule without a square belongs to the side's only king; it is
/// dropped if the side has several kings.
///
/// # Errors
///
/// The text is malformed, lists a square twice, puts a man on its promotion row, or lists no piece
/// for the side that is not to move.
pub fn parse(variant: Variant, text: &str) -> Result<Position, TextError> {
    FenReader::new(variant, text)?.read()
}

/// Formats a position. Squares are in ascending order; three or more consecutive squares with the
/// same kind of piece form a range. Nonzero counters follow: the plies that count towards the move
/// limits, as `:H12`, and those of the three-king-moves rule, as `:+249+0` if Black's king on 49
/// has moved twice.
pub fn format(position: &Position) -> String {
    let [white, black] = Side::ALL.map(|side| format_pieces(position, side));
    let side = match position.side() {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let counted = match position.counted_plies() {
        0 => String::new(),
        plies => format!(":H{plies}"),
    };
    let runs = Side::ALL.map(|side| position.king_run(side));
    if runs == [KingRun::default(); 2] {
        return format!("{side}:W{white}:B{black}{counted}");
    }
    let [white_run, black_run] = runs.map(format_run);
    format!("{side}:W{white}:B{black}{counted}:+{black_run}+{white_run}")
}

/// Formats the pieces of a side: `K3,28,31-33`.
fn format_pieces(position: &Position, side: Side) -> String {
    let kings = position.kings(side);
    let mut text = String::new();
    let mut squares = position.pieces(side).numbers().peekable();
    while let Some(first) = squares.next() {
        let is_king = kings.has(first);
        let mut last = first;
        let follows = |next: u8, last: u8| next == last + 1 && kings.has(next) == is_king;
        while let Some(next) = squares.next_if(|&next| follows(next, last)) {
            last = next;
        }
        let comma = if text.is_empty() { "" } else { "," };
        let letter = if is_king { "K" } else { "" };
        // Writing to a string does not fail.
        let _ = match last - first {
            0 => write!(text, "{comma}{letter}{first}"),
            1 => write!(text, "{comma}{letter}{first},{letter}{last}"),
            _ => write!(text, "{comma}{letter}{first}-{last}"),
        };
    }
    text
}

fn format_run(run: KingRun) -> String {
    match run.square() {
        Some(square) => format!("{}{square}", run.count()),
        None => "0".to_owned(),
    }
}

/// A counter of the three-king-moves rule as it is written.
#[derive(Clone, Copy, Default)]
struct WrittenRun {
    count: u8,
    square: Option<u8>,
    column: usize,
}

impl WrittenRun {
    /// The counter for a side of the position.
    fn of(self, position: &Position, side: Side) -> Result<KingRun, TextError> {
        let kings = position.kings(side);
        if self.count == 0 {
            return Ok(KingRun::default());
        }
        let square = match self.square {
            Some(square) if !kings.has(square) => {
                let message = format!("no such king on {square}");
                return Err(TextError::new(self.column + 1, message));
            }
            None if kings.len() > 1 => None,
            None => kings.first(),
            named => named,
        };
        Ok(square.map_or(KingRun::default(), |square| KingRun::new(square, self.count)))
    }
}

/// The state of the parser.
struct FenReader<'a> {
    variant: Variant,
    cursor: TextCursor<'a>,
    /// Whether the text is a whole `[FEN "..."]` tag.
    is_tag: bool,
    setup: Setup,
    /// Whether the list of each side has been read.
    has_list: [bool; 2],
    /// For each square, the column of its name in the text; 0 if the square is not listed.
    columns: [usize; 128],
    runs: [WrittenRun; 2],
    /// The plies that count towards the move limits.
    counted: u16,
}

impl<'a> FenReader<'a> {
    /// Reads the side to move.
    fn new(variant: Variant, text: &'a str) -> Result<Self, TextError> {
        let mut cursor = TextCursor::new(text);
        cursor.skip_blanks();
        let is_tag = cursor.eat('[');
        if is_tag {
            cursor.take_while(|character| character.is_ascii_alphabetic());
            cursor.skip_blanks();
            expect(&mut cursor, '"')?;
            cursor.skip_blanks();
        }
        let side = side(cursor.peek()).ok_or_else(|| {
            let found = cursor.found();
            fault(&cursor, format!("expected W or B for the side to move, {found}"))
        })?;
        cursor.next();
        Ok(FenReader {
            variant,
            cursor,
            is_tag,
            setup: Setup::empty(side),
            has_list: [false; 2],
            columns: [0; 128],
            runs: [WrittenRun::default(); 2],
            counted: 0,
        })
    }

    fn read(mut self) -> Result<Position, TextError> {
        self.cursor.skip_blanks();
        expect(&mut self.cursor, ':')?;
        self.field()?;
        while self.cursor.eat(':') {
            self.field()?;
        }
        self.end()?;
        self.position()
    }

    /// Reads a field between colons and the spaces around it.
    fn field(&mut self) -> Result<(), TextError> {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            Some('W' | 'w') => self.list(Side::White)?,
            Some('B' | 'b') => self.list(Side::Black)?,
            Some('H' | 'h' | 'F' | 'f') => self.number_field()?,
            Some('+') => self.king_moves()?,
            _ => {
                let found = self.cursor.found();
                return Err(self.fault(format!("expected W or B and a list of squares, {found}")));
            }
        }
        self.cursor.skip_blanks();
        Ok(())
    }

    /// Reads the pieces of a side.
    fn list(&mut self, side: Side) -> Result<(), TextError> {
        if std::mem::replace(&mut self.has_list[side.index()], true) {
            return Err(self.fault("a second list of this colour"));
        }
        self.cursor.next();
        loop {
            self.cursor.skip_blanks();
            if matches!(self.cursor.peek(), None | Some(':' | '.' | '"')) {
                return Ok(());
            }
            self.item(side)?;
            self.cursor.skip_blanks();
            if !self.cursor.eat(',') {
                return Ok(());
            }
        }
    }

    /// Reads a square or a range, optionally preceded by `K`. The men (`G`) and kings (`P`) that
    /// lidraughts lists while a capture is in progress have been captured already.
    fn item(&mut self, side: Side) -> Result<(), TextError> {
        let kind = match self.cursor.peek() {
            Some('P') => return self.captured(),
            // On 8x8 boards G is a file.
            Some('G') if self.variant.grid().size != 8 => return self.captured(),
            Some('K' | 'k') => {
                self.cursor.next();
                Kind::King
            }
            _ => Kind::Man,
        };
        let column = self.cursor.column();
        let first = self.square()?;
        if self.cursor.peek() != Some('-') {
            return self.put(side, kind, first, column);
        }
        self.cursor.next();
        let last_column = self.cursor.column();
        let last = self.square()?;
        if first > last {
            return Err(TextError::new(last_column, "the range runs backwards"));
        }
        for square in first..=last {
            self.put(side, kind, square, column)?;
        }
        Ok(())
    }

    /// Skips a piece that has been captured.
    fn captured(&mut self) -> Result<(), TextError> {
        self.cursor.next();
        self.square().map(drop)
    }

    fn square(&mut self) -> Result<u8, TextError> {
        let grid = self.variant.grid();
        let start = self.cursor.clone();
        let is_letter = |character: char| character.is_ascii_alphabetic();
        let has_letter = grid.size == 8 && start.peek().is_some_and(is_letter);
        if has_letter {
            self.cursor.next();
        }
        self.cursor.digits();
        let name = &start.rest()[..start.rest().len() - self.cursor.rest().len()];
        if name.is_empty() {
            return Err(fault(&start, format!("expected a square, {}", start.found())));
        }
        let square = if has_letter {
            squares::from_algebraic(grid, name)
        } else {
            squares::from_number(grid, name)
        };
        square.map_err(|message| fault(&start, message))
    }

    fn put(&mut self, side: Side, kind: Kind, square: u8, column: usize) -> Result<(), TextError> {
        if std::mem::replace(&mut self.columns[usize::from(square)], column) != 0 {
            let message = format!("square {square} is listed twice");
            return Err(TextError::new(column, message));
        }
        self.setup.put(side, kind, square);
        Ok(())
    }

    /// Reads a field written by lidraughts: `H12`, or `F60`, which is skipped.
    fn number_field(&mut self) -> Result<(), TextError> {
        let is_count = self.cursor.eat('H') || self.cursor.eat('h');
        if !is_count {
            self.cursor.next();
        }
        let digits = self.cursor.digits();
        if digits.is_empty() {
            return Err(self.fault("expected a number"));
        }
        if is_count {
            self.counted = digits.parse().unwrap_or(u16::MAX);
        }
        Ok(())
    }

    /// Reads a field written by lidraughts, such as `+2+1` or `+249+146`, with Black's counter
    /// first.
    fn king_moves(&mut self) -> Result<(), TextError> {
        for side in [Side::Black, Side::White] {
            expect(&mut self.cursor, '+')?;
            let column = self.cursor.column();
            let digits = self.cursor.digits();
            let (count, square) = digits.split_at(digits.len().min(1));
            let count = count
                .parse()
                .map_err(|_| TextError::new(column, "expected a number of king moves"))?;
            let square = match square {
                "" => None,
                name => Some(
                    squares::from_number(self.variant.grid(), name)
                        .map_err(|message| TextError::new(column + 1, message))?,
                ),
            };
            self.runs[side.index()] = WrittenRun { count, square, column };
        }
        Ok(())
    }

    /// Checks that nothing follows except an optional dot and, in a tag, its end.
    fn end(&mut self) -> Result<(), TextError> {
        if self.cursor.eat('.') {
            self.cursor.skip_blanks();
        }
        if self.is_tag {
            expect(&mut self.cursor, '"')?;
            self.cursor.skip_blanks();
            expect(&mut self.cursor, ']')?;
            self.cursor.skip_blanks();
        }
        match self.cursor.peek() {
            None => Ok(()),
            Some(_) => {
                let found = self.cursor.found();
                Err(self.fault(format!("expected ',', ':' or the end, {found}")))
            }
        }
    }

    /// Builds the position after everything has been read.
    fn position(self) -> Result<Position, TextError> {
        for (has_list, name) in self.has_list.into_iter().zip(["white", "black"]) {
            if !has_list {
                return Err(self.fault(format!("the list of the {name} pieces is missing")));
            }
        }
        let position = Position::from_setup(self.variant, &self.setup).map_err(|error| {
            let square = error.faults.iter().find_map(|fault| fault.square());
            let column = square.map(|square| self.columns[usize::from(square)]);
            let named = column.filter(|&column| column != 0);
            TextError::new(named.unwrap_or(self.cursor.column()), error.to_string())
        })?;
        if self.variant.move_rules().king_moves_in_a_row == 0 {
            return Ok(position.with_counted_plies(self.counted));
        }
        let [white, black] = self.runs;
        let runs = [white.of(&position, Side::White)?, black.of(&position, Side::Black)?];
        Ok(position.with_king_runs(runs).with_counted_plies(self.counted))
    }

    fn fault(&self, message: impl Into<String>) -> TextError {
        fault(&self.cursor, message)
    }
}

fn fault(cursor: &TextCursor<'_>, message: impl Into<String>) -> TextError {
    TextError::new(cursor.column(), message)
}

fn expect(cursor: &mut TextCursor<'_>, expected: char) -> Result<(), TextError> {
    if cursor.eat(expected) {
        return Ok(());
    }
    Err(fault(cursor, format!("expected {expected:?}, {}", cursor.found())))
}

fn side(letter: Option<char>) -> Option<Side> {
    match letter {
        Some('W' | 'w') => Some(Side::White),
        Some('B' | 'b') => Some(Side::Black),
        _ => None,
    }
}
