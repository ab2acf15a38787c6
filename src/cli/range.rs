//! Ranges in arguments: `6..12`.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses a range that includes both ends; `example` shows its form.
pub fn parse<T: FromStr + PartialOrd>(
    text: &str,
    example: &str,
) -> Result<RangeInclusive<T>, String> {
    let numbers = || {
        let (least, most) = text.split_once("..")?;
        Some(least.parse().ok()?..=most.parse().ok()?)
    };
    let range = numbers().ok_or_else(|| format!("two numbers are wanted, as {example}"))?;
    if range.is_empty() {
        return Err("the second number must not be less than the first".to_owned());
    }
    Ok(range)
}
