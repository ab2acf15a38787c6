//! Numbers in the formats that clients write.

/// Parses a number: `12`, `-1.5`, `1e-05`, or `12,000` from a locale with a decimal comma. `None`
/// for anything else, including infinities and NaN.
pub fn parse(text: &str) -> Option<f64> {
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c));
    text.replace(',', ".").parse().ok().filter(|number: &f64| starts_well && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_clients_write() {
        for (text, number) in [
            ("12,000", 12.0),
            ("1e-05", 0.000_01),
            ("-1.5", -1.5),
            ("0.000", 0.0),
            ("99999999999", 99_999_999_999.0),
        ] {
            assert_eq!(parse(text), Some(number), "{text}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        for text in ["", "nan", "inf", "-inf", "infinity", "1e999", "abc", "1.2.3", "0x10", "-"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
