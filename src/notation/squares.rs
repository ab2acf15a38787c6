//! Square names: numbers from the top left or the bottom right, or file and rank.
//!
//! FEN and the engine protocols number every board from the top left, as [`Grid`] does. PDN files
//! follow the convention of each variant ([`PdnSquares`]).

use crate::board::Grid;
use crate::rules::{PdnSquares, Variant};

/// The name of a square in PDN files of a variant: `28`, or `c3` in variants with algebraic
/// notation.
pub fn pdn_name(variant: Variant, square: u8) -> String {
    let mut name = String::new();
    push_pdn_name(&mut name, variant, square);
    name
}

/// Appends the name of a square, as in PDN files of a variant, to a text.
pub fn push_pdn_name(text: &mut String, variant: Variant, square: u8) {
    match variant.setup().pdn_squares {
        PdnSquares::Numbers => push_number(text, square),
        PdnSquares::NumbersFromBelow => push_number(text, variant.grid().rotated(square)),
        PdnSquares::Algebraic => push_algebraic_name(text, variant.grid(), square),
    }
}

/// Appends a number below 100 to a text, without the overhead of `format!`.
pub fn push_number(text: &mut String, number: u8) {
    let digit = |number: u8| char::from(b'0' + number % 10);
    if number >= 10 {
        text.push(digit(number / 10));
    }
    text.push(digit(number));
}

/// Parses the name of a square in PDN files of a variant.
///
/// Every variant accepts both kinds of name. A name that starts with a letter consists of file and
/// rank. Any other name is a number, counted from the bottom right in variants with that
/// convention, otherwise from the top left.
///
/// # Errors
///
/// There is no such square; the error message explains why.
pub fn from_pdn_name(variant: Variant, name: &str) -> Result<u8, String> {
    let grid = variant.grid();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return from_algebraic(grid, name);
    }
    let square = from_number(grid, name)?;
    Ok(match variant.setup().pdn_squares {
        PdnSquares::NumbersFromBelow => grid.rotated(square),
        PdnSquares::Numbers | PdnSquares::Algebraic => square,
    })
}

/// Parses the number of a square, which may have leading zeros.
///
/// # Errors
///
/// There is no such square; the error message explains why.
pub fn from_number(grid: Grid, name: &str) -> Result<u8, String> {
    if name.is_empty() {
        return Err("a square is missing".to_owned());
    }
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{name:?} is not the number of a square"));
    }
    name.parse()
        .ok()
        .filter(|&square| grid.has(square))
        .ok_or_else(|| format!("square {name} is not on the board (1 to {})", grid.squares()))
}

/// The name of a square by file and rank: a1 is the bottom left corner as White sees it.
pub fn algebraic_name(grid: Grid, square: u8) -> String {
    let mut name = String::new();
    push_algebraic_name(&mut name, grid, square);
    name
}

/// Appends the name of a square by file and rank to a text.
pub fn push_algebraic_name(text: &mut String, grid: Grid, square: u8) {
    text.push(char::from(b'a' + grid.column(square)));
    push_number(text, grid.size - grid.row(square));
}

/// Parses the name of a square by file and rank. The letter may be lower or upper case.
///
/// # Errors
///
/// The square is not on the board or is a light square; the error message says which.
pub fn from_algebraic(grid: Grid, name: &str) -> Result<u8, String> {
    let off_board = || {
        let last = char::from(b'a' + grid.size - 1);
        format!("{name} is not on the board (a1 to {last}{})", grid.size)
    };
    let mut characters = name.chars();
    let file = characters.next().ok_or("a square is missing")?.to_ascii_lowercase();
    let rank = characters.as_str();
    let is_rank = rank.bytes().all(|byte| byte.is_ascii_digit());
    let rank = rank.parse().ok().filter(|_| is_rank).ok_or_else(off_board)?;
    if !(1..=grid.size).contains(&rank) {
        return Err(off_board());
    }
    let column = ('a'..).zip(0..grid.size).find(|&(letter, _)| letter == file);
    let (_, column) = column.ok_or_else(off_board)?;
    grid.at(grid.size - rank, column).ok_or_else(|| format!("{name} is a light square"))
}
