//! Clocks in comments: `[%clock w0:35:38 B0:29:39]`, with a small letter for a stopped clock.

use std::fmt;
use std::time::Duration;

use crate::board::Side;

/// The time of both sides, used or left: a file does not say which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// The times by [`Side::index`], `None` if not given.
    pub times: [Option<Duration>; 2],
    /// The side whose clock is running, `None` if both have stopped.
    pub running: Option<Side>,
}

impl Clocks {
    /// The clocks in a comment, `None` without a clock command.
    pub fn find(comment: &str) -> Option<Self> {
        let (_, command) = comment.split_once("[%clock ")?;
        let (command, _) = command.split_once(']')?;
        let mut clocks = Clocks::default();
        for word in command.split_whitespace() {
            let letter = word.chars().next()?;
            let side = match letter {
                'W' | 'w' => Side::White,
                'B' | 'b' => Side::Black,
                _ => continue,
            };
            clocks.times[side.index()] = Some(parse_time(&word[1..])?);
            if letter.is_ascii_uppercase() {
                clocks.running = Some(side);
            }
        }
        Some(clocks)
    }
}

/// Hours, minutes and seconds, separated by `:` or `.`; leading parts may be missing.
fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0u64;
    for number in text.split([':', '.']) {
        let number: u64 = number.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(number)?;
    }
    Some(Duration::from_secs(seconds))
}

/// The clock command of a comment. Fractions of a second are dropped.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[%clock")?;
        for (side, letters) in Side::ALL.into_iter().zip([('w', 'W'), ('b', 'B')]) {
            let letter = if self.running == Some(side) { letters.1 } else { letters.0 };
            if let Some(time) = self.times[side.index()] {
                let seconds = time.as_secs();
                let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
                write!(f, " {letter}{hours}:{minutes:02}:{:02}", seconds % 60)?;
            }
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_found_and_written() {
        let clocks = Clocks::find("quick! [%clock w0:35:38 B1:29:39] yes").unwrap();
        let seconds = clocks.times.map(|time| time.unwrap().as_secs());
        assert_eq!(seconds, [35 * 60 + 38, 3600 + 29 * 60 + 39]);
        assert_eq!(clocks.running, Some(Side::Black));
        assert_eq!(clocks.to_string(), "[%clock w0:35:38 B1:29:39]");
        assert_eq!(Clocks::find("[%clock wé]"), None);
        assert_eq!(Clocks::find("[%clock w99999999999999999999:0]"), None);
        assert_eq!(Clocks::find("no clock"), None);
    }
}
