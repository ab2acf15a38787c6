//! The fields of messages: fixed-width numbers, names padded with spaces, and times.

use std::time::Duration;

use crate::board::Side;

/// The width of a program's name, in characters.
const NAME_WIDTH: usize = 32;

/// Reads the fields of a message from left to right.
pub struct FieldReader<'a> {
    rest: &'a str,
}

impl<'a> FieldReader<'a> {
    /// A reader at the start of a message.
    pub fn new(text: &'a str) -> Self {
        FieldReader { rest: text }
    }

    /// The next `width` characters; `what` names the field in errors.
    pub fn take(&mut self, width: usize, what: &str) -> Result<&'a str, String> {
        let (field, rest) =
            self.rest.split_at_checked(width).ok_or_else(|| format!("missing {what}"))?;
        self.rest = rest;
        Ok(field)
    }

    /// The rest of the message.
    pub fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// A number with `width` digits.
    pub fn number(&mut self, width: usize, what: &str) -> Result<u32, String> {
        let field = self.take(width, what)?;
        let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
        field.parse().ok().filter(|_| is_number).ok_or_else(|| invalid(what, field))
    }

    /// The number of a square, in two digits.
    pub fn square(&mut self, what: &str) -> Result<u8, String> {
        // Two digits fit in a `u8`.
        self.number(2, what).map(|number| number as u8)
    }

    /// The name of a program, without its padding.
    pub fn name(&mut self) -> Result<String, String> {
        Ok(self.take(NAME_WIDTH, "name")?.trim().to_owned())
    }

    /// A side: `W`, or `Z` for Black.
    pub fn side(&mut self, what: &str) -> Result<Side, String> {
        match self.take(1, what)? {
            "W" => Ok(Side::White),
            "Z" => Ok(Side::Black),
            other => Err(invalid(what, other)),
        }
    }

    /// Reads a digit as an index into `codes`.
    pub fn code<T: Copy>(&mut self, codes: &[T], what: &str) -> Result<T, String> {
        let code = self.number(1, what)?;
        codes.get(code as usize).copied().ok_or_else(|| invalid(what, &code.to_string()))
    }

    /// A time in minutes, in three characters: `005`, `0.5`, `.25`.
    pub fn minutes(&mut self, what: &str) -> Result<Duration, String> {
        let field = self.take(3, what)?;
        let is_number = field.bytes().all(|byte| byte.is_ascii_digit() || b" .".contains(&byte));
        let minutes = field.trim().parse().ok().filter(|_| is_number);
        minutes
            .map(|minutes: f64| Duration::from_secs_f64(minutes * 60.0))
            .ok_or_else(|| invalid(what, field))
    }
}

fn invalid(what: &str, field: &str) -> String {
    format!("invalid {what}: {field:?}")
}

/// The letter of a side: `W`, or `Z` for Black.
pub fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// A number padded with zeros to `width` digits.
pub fn digits(number: u32, width: usize) -> Result<String, String> {
    let text = format!("{number:0width$}");
    if text.len() > width {
        Err(format!("{number} has more than {width} digits"))
    } else {
        Ok(text)
    }
}

/// The name of a program, padded with spaces.
pub fn format_name(name: &str) -> Result<String, String> {
    if name.len() > NAME_WIDTH {
        return Err(format!("name longer than {NAME_WIDTH} characters: {name:?}"));
    }
    Ok(format!("{name:NAME_WIDTH$}"))
}

/// A time in minutes, in three characters. `None` unless it is a multiple of 1 minute up to 999, of
/// 0.1 minutes below 10, or of 0.01 minutes below 1.
pub fn format_minutes(time: Duration) -> Option<String> {
    let hundredth = Duration::from_millis(600);
    let hundredths = u32::try_from(time.as_millis() / hundredth.as_millis())
        .ok()
        .filter(|&number| number <= 99_900 && time == hundredth * number)?;
    let (minutes, part) = (hundredths / 100, hundredths % 100);
    match (minutes, part % 10) {
        _ if part == 0 => Some(format!("{minutes:03}")),
        (0..10, 0) => Some(format!("{minutes}.{}", part / 10)),
        (0, _) => Some(format!(".{part:02}")),
        _ => None,
    }
}

/// The times closest to `time`, below and above it, that [`format_minutes`] can write. There is none
/// below the shortest or above the longest.
pub fn writable_times(time: Duration) -> Vec<Duration> {
    /// The longest time.
    const MAX: Duration = Duration::from_secs(999 * 60);
    let step = match time.as_secs() {
        0..60 => Duration::from_millis(600),
        60..600 => Duration::from_secs(6),
        _ => Duration::from_secs(60),
    };
    // The longest times need no precision.
    let steps = (time.min(2 * MAX).as_millis() / step.as_millis()) as u32;
    let mut times = vec![(step * steps).min(MAX), step * (steps + 1)];
    times.retain(|time| !time.is_zero() && *time <= MAX);
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_minutes_in_three_characters() {
        for (seconds, text) in [
            (0.0, "000"),
            (60.0, "001"),
            (300.0, "005"),
            (30.0, "0.5"),
            (6.0, "0.1"),
            (90.0, "1.5"),
            (15.0, ".25"),
            (3600.0, "060"),
            (59940.0, "999"),
        ] {
            let time = Duration::from_secs_f64(seconds);
            assert_eq!(format_minutes(time).as_deref(), Some(text));
            assert_eq!(FieldReader::new(text).minutes("time"), Ok(time));
        }
        for seconds in [0.5, 1.0, 61.0, 75.0, 630.0, 60000.0, 60.000_001] {
            assert_eq!(format_minutes(Duration::from_secs_f64(seconds)), None, "{seconds}");
        }
    }

    #[test]
    fn writable_times_are_the_closest() {
        for (seconds, times) in [
            (0.2, &[0.6][..]),
            (10.0, &[9.6, 10.2]),
            (59.9, &[59.4, 60.0]),
            (75.0, &[72.0, 78.0]),
            (599.0, &[594.0, 600.0]),
            (630.0, &[600.0, 660.0]),
            (59_941.0, &[59_940.0]),
            (1e15, &[59_940.0]),
        ] {
            let found = writable_times(Duration::from_secs_f64(seconds));
            assert!(found.iter().all(|&time| format_minutes(time).is_some()), "{seconds}");
            let found: Vec<_> = found.iter().map(Duration::as_secs_f64).collect();
            assert_eq!(found, times, "{seconds}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        for text in ["", "1", "x1", "+1", " 1", "€"] {
            let error = FieldReader::new(text).number(2, "square").unwrap_err();
            assert!(error.contains("square"), "{error}");
        }
        for text in ["...", "1e1", "nan", "inf", "-10", "   "] {
            assert!(FieldReader::new(text).minutes("time").is_err(), "{text}");
        }
    }
}
