//! The names of squares: numbers, numbers from below, letters and digits.
//!
//! FEN and the engine protocols number every board from the top left ([`Geometry::number`]). Only
//! PDN files follow the custom of each game ([`PdnSquares`]).

use crate::board::{Geometry, Square};
use crate::rules::{PdnSquares, Rules};

/// The name of a square in PDN files of a game: `28`, or `c3` in games that use letters.
pub fn pdn_name<R: Rules>(square: Square) -> String {
    match R::PDN_SQUARES {
        PdnSquares::Numbers => R::Geometry::number(square).to_string(),
        PdnSquares::NumbersFromBelow => from_below::<R::Geometry>(square).to_string(),
        PdnSquares::Algebraic => algebraic_name::<R::Geometry>(square),
    }
}

/// The square with a name in PDN files of a game.
///
/// A name that starts with a letter is read as file and rank in every game, a number as a number:
/// from below in games that count so, else from the top left.
///
/// # Errors
///
/// Says why there is no such square.
pub fn from_pdn_name<R: Rules>(name: &str) -> Result<Square, String> {
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return from_algebraic::<R::Geometry>(name);
    }
    let square = from_number::<R::Geometry>(name)?;
    Ok(match R::PDN_SQUARES {
        PdnSquares::NumbersFromBelow => R::Geometry::turned(square),
        PdnSquares::Numbers | PdnSquares::Algebraic => square,
    })
}

/// The number of a square counted from the bottom right.
fn from_below<G: Geometry>(square: Square) -> u8 {
    G::number(G::turned(square))
}

/// The square with a number, leading zeros allowed.
///
/// # Errors
///
/// Says why there is no such square.
pub fn from_number<G: Geometry>(name: &str) -> Result<Square, String> {
    if name.is_empty() {
        return Err("a square is missing".to_owned());
    }
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{name:?} is not the number of a square"));
    }
    name.parse()
        .ok()
        .and_then(G::square)
        .ok_or_else(|| format!("square {name} is not on the board (1 to {})", G::SQUARES))
}

/// The name of a square by file and rank: a1 is the corner at White's left.
pub fn algebraic_name<G: Geometry>(square: Square) -> String {
    let file = char::from(b'a' + G::column(square) as u8);
    format!("{file}{}", G::SIZE - G::row(square))
}

/// The square with a name by file and rank, in small or capital letters.
///
/// # Errors
///
/// Says why there is no such square: off the board, or light.
pub fn from_algebraic<G: Geometry>(name: &str) -> Result<Square, String> {
    let off_board = || {
        let last = char::from(b'a' + G::SIZE as u8 - 1);
        format!("{name} is not on the board (a1 to {last}{})", G::SIZE)
    };
    let mut characters = name.chars();
    let file = characters.next().ok_or("a square is missing")?;
    let rank = characters.as_str();
    let is_rank = rank.bytes().all(|byte| byte.is_ascii_digit());
    let rank: usize = rank.parse().ok().filter(|_| is_rank).ok_or_else(off_board)?;
    let column = u32::from(file.to_ascii_lowercase()).wrapping_sub(u32::from('a')) as usize;
    if !(1..=G::SIZE).contains(&rank) || column >= G::SIZE {
        return Err(off_board());
    }
    G::at(G::SIZE - rank, column).ok_or_else(|| format!("{name} is a light square"))
}
