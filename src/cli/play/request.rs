//! What a person types.

use std::path::PathBuf;

/// What a person asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Nothing.
    Nothing,
    /// To play a move, as it is written.
    Move(String),
    /// The legal moves.
    Moves,
    /// The best move.
    Hint,
    /// Who is ahead.
    Score,
    /// The move taken back, with the reply to it.
    TakeBack,
    /// The board turned round.
    Flip,
    /// The position as FEN.
    Fen,
    /// The game so far in a file.
    Save(PathBuf),
    /// A draw.
    Draw,
    /// To lose the game.
    Resign,
    /// The list of requests.
    Help,
    /// To stop without a result.
    Quit,
}

/// The list of requests.
pub const HELP: &str = "\
a move      32-28, 28x19 or 3228; a capture can name the squares between: 47x38x24
moves       the legal moves
hint        the best move, at full strength
score       who is ahead, at full strength
takeback    take back your last move
flip        turn the board round
fen         show the position as FEN
save FILE   write the game so far to a new PDN file
draw?       offer a draw
resign      give up
quit        stop without a result
";

impl Request {
    /// What a line means; anything but a request is taken for a move.
    pub fn parse(line: &str) -> Request {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_lowercase().as_str(), rest.trim()) {
            ("", _) => Request::Nothing,
            ("save", file) if !file.is_empty() => Request::Save(PathBuf::from(file)),
            ("moves", "") => Request::Moves,
            ("hint", "") => Request::Hint,
            ("score", "") => Request::Score,
            ("takeback" | "undo", "") => Request::TakeBack,
            ("flip", "") => Request::Flip,
            ("fen", "") => Request::Fen,
            ("draw?" | "draw", "") => Request::Draw,
            ("resign", "") => Request::Resign,
            ("help" | "?", "") => Request::Help,
            ("quit" | "exit", "") => Request::Quit,
            _ => Request::Move(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_told_from_moves() {
        assert_eq!(Request::parse(" Draw? "), Request::Draw);
        assert_eq!(Request::parse("save my games.pdn"), Request::Save("my games.pdn".into()));
        assert_eq!(Request::parse("undo"), Request::TakeBack);
        assert_eq!(Request::parse("  "), Request::Nothing);
        for text in ["32-28", "save", "28 x 19", "hint me"] {
            assert_eq!(Request::parse(text), Request::Move(text.to_owned()));
        }
    }
}
