//! The board and the last moves, as shown between moves.

use std::io::{self, Write};
use std::time::Duration;

use crate::board::Side;
use crate::erased::Game;
use crate::notation::pdn;
use crate::report::board::Diagram;
use crate::report::board_text::{Glyphs, TextStyle, text};

/// Number of recent plies listed below the board.
const LISTED_PLIES: usize = 6;

/// The escape sequence that clears a terminal and moves the cursor to the upper left corner.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Shows the game.
pub struct Screen {
    style: TextStyle,
    /// The side at the bottom of the board.
    bottom: Side,
    /// Whether each board replaces the previous one on the screen.
    is_redrawn: bool,
    /// Messages to print below the next board.
    messages: String,
}

impl Screen {
    /// A screen with the side `bottom` at the bottom of the board, with pieces as letters or as
    /// Unicode symbols, and optionally in colour.
    pub fn new(is_ascii: bool, is_coloured: bool, bottom: Side, is_redrawn: bool) -> Screen {
        let glyphs = if is_ascii { Glyphs::Ascii } else { Glyphs::Unicode };
        let style = TextStyle { glyphs, is_coloured };
        Screen { style, bottom, is_redrawn, messages: String::new() }
    }

    /// Turns the board around.
    pub fn flip(&mut self) {
        self.bottom = self.bottom.opponent();
    }

    /// Adds a message below the next board.
    pub fn add(&mut self, message: &str) {
        self.messages += message;
        self.messages += "\n";
    }

    /// Shows the game, the clocks of both sides if there are any, and the messages.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub fn show(&mut self, game: &Game, clocks: Option<[Duration; 2]>) -> io::Result<()> {
        let mut diagram = Diagram::new(*game.position(), self.bottom);
        if let Some(last) = game.moves().last() {
            diagram.marked = [last.from, last.to].into_iter().collect();
        }
        let mut output = io::stdout().lock();
        if self.is_redrawn {
            output.write_all(CLEAR.as_bytes())?;
        }
        output.write_all(text(&diagram, self.style).as_bytes())?;
        if game.plies() > 0 {
            writeln!(output, "{}", last_moves(game))?;
        }
        if let Some(clocks) = clocks {
            let [white, black] = Side::ALL.map(|side| clock(clocks[side.index()]));
            writeln!(output, "White {white}, Black {black}")?;
        }
        output.write_all(std::mem::take(&mut self.messages).as_bytes())?;
        output.flush()
    }
}

/// Formats a time as minutes and seconds: `9:05`.
fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The last moves as PDN lists them: `12. 32-28 19-23 13. 28x19`.
fn last_moves(game: &Game) -> String {
    let (positions, moves) = (game.positions(), game.moves());
    let first = moves.len().saturating_sub(LISTED_PLIES);
    pdn::format_numbered_line(game.start(), first, &positions[first], &moves[first..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, hub};
    use crate::rules::Variant;

    #[test]
    fn the_last_moves_are_numbered() {
        let mut game = Game::new(Variant::International);
        for text in ["32-28", "19-23", "28x19x23", "14x23x19", "37-32", "10-14", "41-37"] {
            game.play(hub::parse_move(game.position(), text).unwrap());
        }
        assert_eq!(last_moves(&game), "1... 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37");
        let start = fen::parse(Variant::International, "B:W31:B20").unwrap();
        let mut late = Game::from_position(start);
        for text in ["20-24", "31-27"] {
            late.play(hub::parse_move(late.position(), text).unwrap());
        }
        assert_eq!(last_moves(&late), "1... 20-24 2. 31-27");
    }

    #[test]
    fn clocks_show_minutes() {
        assert_eq!(clock(Duration::from_millis(545_900)), "9:05");
    }
}
