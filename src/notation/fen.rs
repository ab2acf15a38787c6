//! Positions as FEN: `W:W31-50:B1-20`, the side to move and the squares of both colours; `K` before
//! a king.
//!
//! Squares are numbers from the top left in every game; on 8x8 boards file and rank (`c3`) are read
//! too. Reading forgives what programs write in practice: blanks, small letters, leading zeros, a
//! trailing comma or dot, a whole `[FEN "..."]` tag, and lidraughts' suffixes `:H0:F1` (skipped)
//! and `:+2+1` (the counters of the three-king-moves rule, Black's first).

use std::collections::BTreeMap;

use crate::board::{Geometry, Kind, Side, Square};
use crate::position::{KingRun, Position, Setup};
use crate::rules::Rules;

use super::cursor::Cursor;
use super::squares;

pub use super::TextError as FenError;

/// Reads a position.
///
/// A counter of the three-king-moves rule without a square belongs to the side's only king; if it
/// has several, the counter is dropped.
///
/// # Errors
///
/// Text that is not of this form, a square twice, a man on its promotion row, or no piece of the
/// side that is not to move.
pub fn parse<R: Rules>(text: &str) -> Result<Position<R>, FenError> {
    Reader::<R>::new(text)?.read()
}

/// Writes a position: squares in ascending order, three or more neighbours of a kind as a range.
/// Counters of the three-king-moves rule follow as `:+249+0`: Black's king on 49 has moved twice.
pub fn format<R: Rules>(position: &Position<R>) -> String {
    let [white, black] = Side::ALL.map(|side| format_pieces(position, side));
    let side = match position.side() {
        Side::White => 'W',
        Side::Black => 'B',
    };
    let runs = Side::ALL.map(|side| position.king_run(side));
    if runs == [KingRun::NONE; 2] {
        return format!("{side}:W{white}:B{black}");
    }
    let [white_run, black_run] = runs.map(format_run::<R>);
    format!("{side}:W{white}:B{black}:+{black_run}+{white_run}")
}

/// The pieces of a side: `K3,28,31-33`.
fn format_pieces<R: Rules>(position: &Position<R>, side: Side) -> String {
    let is_king = |number: u8| {
        let square = R::Geometry::square(usize::from(number));
        square.is_some_and(|square| position.kings(side).has(square))
    };
    let numbers: Vec<u8> = position.pieces(side).numbers().collect();
    let runs = numbers.chunk_by(|&one, &next| next == one + 1 && is_king(one) == is_king(next));
    let items = runs.flat_map(|run| {
        let letter = if is_king(run[0]) { "K" } else { "" };
        match run {
            [first, _, .., last] if run.len() > 2 => vec![format!("{letter}{first}-{last}")],
            _ => run.iter().map(|number| format!("{letter}{number}")).collect(),
        }
    });
    items.collect::<Vec<_>>().join(",")
}

fn format_run<R: Rules>(run: KingRun) -> String {
    match run.square() {
        Some(square) => format!("{}{}", run.count(), R::Geometry::number(square)),
        None => "0".to_owned(),
    }
}

/// A counter of the three-king-moves rule as it is written.
#[derive(Clone, Copy, Default)]
struct Counter {
    count: u8,
    square: Option<Square>,
    column: usize,
}

/// What has been read so far.
struct Reader<'a, R: Rules> {
    cursor: Cursor<'a>,
    /// Whether the text is a whole tag.
    is_tag: bool,
    setup: Setup<R::Geometry>,
    /// Whether the list of a side has been read.
    has_list: [bool; 2],
    /// The column of each square that holds a piece.
    columns: BTreeMap<u8, usize>,
    counters: [Counter; 2],
}

impl<'a, R: Rules> Reader<'a, R> {
    /// Reads the side to move.
    fn new(text: &'a str) -> Result<Self, FenError> {
        let mut cursor = Cursor::new(text);
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
            fault(&cursor, format!("W or B expected, the side to move, {found}"))
        })?;
        cursor.next();
        Ok(Reader {
            cursor,
            is_tag,
            setup: Setup::empty(side),
            has_list: [false; 2],
            columns: BTreeMap::new(),
            counters: [Counter::default(); 2],
        })
    }

    fn read(mut self) -> Result<Position<R>, FenError> {
        self.cursor.skip_blanks();
        expect(&mut self.cursor, ':')?;
        self.field()?;
        while self.cursor.eat(':') {
            self.field()?;
        }
        self.end()?;
        self.position()
    }

    /// One of the parts between colons, with the blanks around it.
    fn field(&mut self) -> Result<(), FenError> {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            Some('W' | 'w') => self.list(Side::White)?,
            Some('B' | 'b') => self.list(Side::Black)?,
            Some('H' | 'h' | 'F' | 'f') => self.number_field()?,
            Some('+') => self.king_moves()?,
            _ => {
                let found = self.cursor.found();
                return Err(self.fault(format!("W or B and a list of squares expected, {found}")));
            }
        }
        self.cursor.skip_blanks();
        Ok(())
    }

    fn list(&mut self, side: Side) -> Result<(), FenError> {
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

    /// A square or a range, maybe with a `K`.
    fn item(&mut self, side: Side) -> Result<(), FenError> {
        let kind = match self.cursor.peek() {
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
        let numbers = R::Geometry::number(first)..=R::Geometry::number(last);
        if numbers.is_empty() {
            return Err(FenError::new(last_column, "the range runs backwards"));
        }
        for square in numbers.filter_map(|number| R::Geometry::square(number.into())) {
            self.put(side, kind, square, column)?;
        }
        Ok(())
    }

    fn square(&mut self) -> Result<Square, FenError> {
        let start = self.cursor.clone();
        let is_letter = |character: char| character.is_ascii_alphabetic();
        let has_letter = R::Geometry::SIZE == 8 && start.peek().is_some_and(is_letter);
        if has_letter {
            self.cursor.next();
        }
        self.cursor.take_while(|character| character.is_ascii_digit());
        let name = &start.rest()[..start.rest().len() - self.cursor.rest().len()];
        if name.is_empty() {
            return Err(fault(&start, format!("a square expected, {}", start.found())));
        }
        let square = if has_letter {
            squares::from_algebraic::<R::Geometry>(name)
        } else {
            squares::from_number::<R::Geometry>(name)
        };
        square.map_err(|message| fault(&start, message))
    }

    fn put(
        &mut self,
        side: Side,
        kind: Kind,
        square: Square,
        column: usize,
    ) -> Result<(), FenError> {
        let number = R::Geometry::number(square);
        if self.columns.insert(number, column).is_some() {
            let message = format!("square {number} is listed twice");
            return Err(FenError::new(column, message));
        }
        self.setup.put(side, kind, square);
        Ok(())
    }

    /// lidraughts' `H12` and `F60`.
    fn number_field(&mut self) -> Result<(), FenError> {
        self.cursor.next();
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.fault("a number expected"));
        }
        Ok(())
    }

    /// lidraughts' `+2+1` or `+249+146`, Black's counter first.
    fn king_moves(&mut self) -> Result<(), FenError> {
        for side in [Side::Black, Side::White] {
            expect(&mut self.cursor, '+')?;
            let column = self.cursor.column();
            let digits = self.digits();
            let (count, square) = digits.split_at(digits.len().min(1));
            let count = count
                .parse()
                .map_err(|_| FenError::new(column, "a number of king moves expected"))?;
            let square = match square {
                "" => None,
                name => Some(
                    squares::from_number::<R::Geometry>(name)
                        .map_err(|message| FenError::new(column + 1, message))?,
                ),
            };
            self.counters[side.index()] = Counter { count, square, column };
        }
        Ok(())
    }

    fn digits(&mut self) -> &'a str {
        self.cursor.take_while(|character| character.is_ascii_digit())
    }

    /// Nothing may follow but a dot and the end of a tag.
    fn end(&mut self) -> Result<(), FenError> {
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
                Err(self.fault(format!("',', ':' or the end expected, {found}")))
            }
        }
    }

    fn position(self) -> Result<Position<R>, FenError> {
        for (has_list, name) in self.has_list.into_iter().zip(["white", "black"]) {
            if !has_list {
                return Err(self.fault(format!("the list of the {name} pieces is missing")));
            }
        }
        let position = self.setup.position::<R>().map_err(|error| {
            let square = error.faults.iter().find_map(|fault| fault.square());
            let column = square.and_then(|square| self.columns.get(&square));
            let end = self.cursor.column();
            FenError::new(*column.unwrap_or(&end), error.to_string())
        })?;
        if R::KING_MOVES_IN_A_ROW == 0 {
            return Ok(position);
        }
        let [white, black] = self.counters;
        Ok(position.with_king_runs([
            king_run(&position, Side::White, white)?,
            king_run(&position, Side::Black, black)?,
        ]))
    }

    fn fault(&self, message: impl Into<String>) -> FenError {
        fault(&self.cursor, message)
    }
}

fn fault(cursor: &Cursor<'_>, message: impl Into<String>) -> FenError {
    FenError::new(cursor.column(), message)
}

fn expect(cursor: &mut Cursor<'_>, wanted: char) -> Result<(), FenError> {
    if cursor.eat(wanted) {
        return Ok(());
    }
    Err(fault(cursor, format!("{wanted:?} expected, {}", cursor.found())))
}

fn side(letter: Option<char>) -> Option<Side> {
    match letter {
        Some('W' | 'w') => Some(Side::White),
        Some('B' | 'b') => Some(Side::Black),
        _ => None,
    }
}

fn king_run<R: Rules>(
    position: &Position<R>,
    side: Side,
    counter: Counter,
) -> Result<KingRun, FenError> {
    let kings = position.kings(side);
    if counter.count == 0 {
        return Ok(KingRun::NONE);
    }
    match counter.square {
        Some(square) if kings.has(square) => Ok(KingRun::new(square, counter.count)),
        Some(square) => {
            let number = R::Geometry::number(square);
            let message = format!("there is no such king on {number}");
            Err(FenError::new(counter.column + 1, message))
        }
        None if kings.len() == 1 => Ok(KingRun::new(kings.first(), counter.count)),
        None => Ok(KingRun::NONE),
    }
}
