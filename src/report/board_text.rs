//! Boards as text, for terminals.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use crate::board::{Kind, Piece, Side};
use crate::notation::squares;

use super::board::{Diagram, letter};

/// The style of a board as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextStyle {
    /// The characters for pieces.
    pub glyphs: Glyphs,
    /// Whether squares are coloured with terminal escape codes.
    pub is_coloured: bool,
}

/// The characters for pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glyphs {
    /// The draughts symbols of Unicode, with box-drawing characters for the frame.
    Unicode,
    /// `w` and `b` for men, `W` and `B` for kings.
    Ascii,
}

/// Colours of squares and numbers, from the 256-colour palette that nearly every terminal supports.
const LIGHT: Color = Color::Ansi256(Ansi256Color(223));
const DARK: Color = Color::Ansi256(Ansi256Color(94));
const PLAYABLE_LIGHT: Color = Color::Ansi256(Ansi256Color(130));
const MARKED: Color = Color::Ansi256(Ansi256Color(64));
const NUMBER: Color = Color::Ansi256(Ansi256Color(180));

/// A position as lines of text, each square four characters wide. Playable squares show their
/// piece, or their name if they are empty; marked squares are in brackets. A board without colours
/// has a frame.
pub fn text(diagram: &Diagram, style: TextStyle) -> String {
    let size = diagram.grid().size;
    let rows = (0..size).map(|row| {
        let squares = (0..size).map(|column| diagram.square_at(row, column));
        squares.map(|square| cell(diagram, square, style)).collect()
    });
    match style.is_coloured {
        true => rows.map(|row: String| row + "\n").collect(),
        false => framed(rows, 4 * usize::from(size), style.glyphs),
    }
}

impl Diagram {
    /// The square at a row and column as shown, each counted from 0 at the top left; `None` if the
    /// square is not playable.
    fn square_at(&self, row: u8, column: u8) -> Option<u8> {
        let square = self.grid().at(row, column)?;
        // Rotation by 180 degrees maps playable squares to playable squares.
        Some(self.rotated_square(square))
    }
}

/// Draws a frame around lines of the given width.
fn framed(lines: impl Iterator<Item = String>, width: usize, glyphs: Glyphs) -> String {
    let [top_left, top_right, left, right, line, side] = match glyphs {
        Glyphs::Unicode => ["┌", "┐", "└", "┘", "─", "│"],
        Glyphs::Ascii => ["+", "+", "+", "+", "-", "|"],
    };
    let edge = line.repeat(width);
    let lines: String = lines.map(|line| format!("{side}{line}{side}\n")).collect();
    format!("{top_left}{edge}{top_right}\n{lines}{left}{edge}{right}\n")
}

/// A square of the board as text. `square` is `None` for a square that is not playable.
fn cell(diagram: &Diagram, square: Option<u8>, style: TextStyle) -> String {
    let plain = Style::new();
    let Some(square) = square else {
        return styled("    ", plain.bg_color(Some(LIGHT)), style);
    };
    let is_marked = diagram.marked.has(square);
    let piece = diagram.position.piece_on(square);
    let content = match piece {
        Some(piece) => format!("{} ", glyph(piece, style.glyphs)),
        None => squares::pdn_name(diagram.position.variant(), square),
    };
    let [open, close] = if is_marked { ['[', ']'] } else { [' ', ' '] };
    let colour = match piece.map(|piece| piece.side) {
        None => NUMBER,
        Some(Side::White) => Color::Ansi(AnsiColor::BrightWhite),
        Some(Side::Black) => Color::Ansi(AnsiColor::Black),
    };
    let background = match diagram.grid().is_light(square) {
        _ if is_marked => MARKED,
        true => PLAYABLE_LIGHT,
        false => DARK,
    };
    let colours = plain.fg_color(Some(colour)).bg_color(Some(background));
    styled(&format!("{open}{content:>2}{close}"), colours, style)
}

fn styled(text: &str, colours: Style, style: TextStyle) -> String {
    match style.is_coloured {
        true => format!("{colours}{text}{colours:#}"),
        false => text.to_owned(),
    }
}

/// A piece as a character.
fn glyph(piece: Piece, glyphs: Glyphs) -> char {
    match (glyphs, piece.side, piece.kind) {
        (Glyphs::Ascii, ..) => letter(piece),
        (Glyphs::Unicode, Side::White, Kind::Man) => '⛀',
        (Glyphs::Unicode, Side::White, Kind::King) => '⛁',
        (Glyphs::Unicode, Side::Black, Kind::Man) => '⛂',
        (Glyphs::Unicode, Side::Black, Kind::King) => '⛃',
    }
}
