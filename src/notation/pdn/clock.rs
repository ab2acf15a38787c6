//! The clocks in comments: `[%clock w0:35:38 B0:29:39]`, small letters for a clock that stands.

use std::fmt;
use std::time::Duration;

use crate::board::Side;

/// The time both sides have used, or have left: a file does not say which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// By [`Side::index`]; `None` if it is not given.
    pub times: [Option<Duration>; 2],
    /// Whose clock is running.
    pub running: Option<Side>,
}

impl Clocks {
    /// The clocks in a comment, `None` if there is no such command.
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

/// Hours, minutes and seconds, or less, with `:` or `.` in between.
fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0u64;
    for number in text.split([':', '.']) {
        let number: u64 = number.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(number)?;
    }
    Some(Duration::from_secs(seconds))
}

/// The command as it stands in a comment. Parts of a second are left out.
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
