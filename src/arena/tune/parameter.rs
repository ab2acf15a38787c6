//! A parameter to be tuned, and how the user specifies it.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::arena::client::{DeclaredNumber, DeclaredParameter};

/// A numeric parameter of an engine, with the settings for tuning it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// The name declared by the engine.
    pub name: String,
    /// Whether the engine accepts only integers.
    pub is_integer: bool,
    /// The initial value.
    pub start: f64,
    /// The minimum value.
    pub min: f64,
    /// The maximum value.
    pub max: f64,
    /// The final offset: the last steps try values this far above and below the current value.
    pub c_end: f64,
    /// The final learning rate: in the last steps, each net win of one side moves the value by
    /// `r_end * c_end`.
    pub r_end: f64,
}

/// A parameter as specified by the user: a name and up to five numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct ParameterText {
    name: String,
    /// Start, min, max, `c_end` and `r_end`; `None` if not given.
    numbers: [Option<f64>; 5],
}

/// Why a parameter is invalid, and what is expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ParameterError(String);

/// If the engine declares no step, `c_end` defaults to the range divided by this number, but at
/// least 1 for an integer.
const STEPS_IN_RANGE: f64 = 20.0;

impl FromStr for ParameterText {
    type Err = ParameterError;

    /// Parses `NAME=START,MIN,MAX,C_END,R_END`. A number may be empty, and trailing numbers may be
    /// omitted. Whitespace may replace the commas; whitespace or a comma may replace the equals
    /// sign.
    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let fault = |what: &str| {
            Err(ParameterError(format!(
                "parameter {text:?}: {what}; expected NAME=START,MIN,MAX,C_END,R_END"
            )))
        };
        let is_mark = |c: char| c.is_whitespace() || c == '=' || c == ',';
        let line = text.trim();
        let (name, rest) = line.split_at(line.find(is_mark).unwrap_or(line.len()));
        if name.is_empty() {
            return fault("the name is missing");
        }
        let rest = rest.trim_start();
        let rest = rest.strip_prefix(['=', ',']).unwrap_or(rest).trim();
        let parts: Vec<_> = match rest.contains(',') {
            true => rest.split(',').map(str::trim).collect(),
            false => rest.split_whitespace().collect(),
        };
        let mut numbers = [None; 5];
        if parts.len() > numbers.len() {
            return fault("there are more than five numbers");
        }
        for (number, part) in numbers.iter_mut().zip(parts).filter(|(_, part)| !part.is_empty()) {
            match part.parse::<f64>() {
                Ok(value) if value.is_finite() => *number = Some(value),
                _ => return fault(&format!("{part:?} is not a number")),
            }
        }
        Ok(ParameterText { name: name.to_owned(), numbers })
    }
}

impl ParameterText {
    /// The name of the parameter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parameter, with missing numbers filled in from the engine's declaration: start, min and
    /// max from the declared value and range; `c_end` from the declared step, or else 1/20 of the
    /// range (at least 1 for an integer). `r_end` defaults to [`default_rate`].
    ///
    /// # Errors
    ///
    /// The engine declares no such numeric parameter; a required number is neither given nor
    /// declared; or the numbers are inconsistent or outside the declared range.
    pub fn resolve(
        &self,
        declared: &[DeclaredParameter],
        games: u64,
    ) -> Result<Parameter, ParameterError> {
        let known = declared.iter().find(|param| param.name == self.name);
        let Some(number) = known.and_then(|param| param.number) else {
            return Err(ParameterError(unknown(&self.name, declared)));
        };
        let parameter = self.with(number, games).and_then(|parameter| {
            parameter.check()?;
            parameter.check_range(number)?;
            Ok(parameter)
        });
        parameter.map_err(|what| ParameterError(format!("parameter {}: {what}", self.name)))
    }

    fn with(&self, declared: DeclaredNumber, games: u64) -> Result<Parameter, String> {
        let [start, min, max, c_end, r_end] = self.numbers;
        let required = |given: Option<f64>, declared: Option<f64>, what: &str| {
            let missing = || format!("the engine does not declare its {what}, so it must be given");
            given.or(declared).ok_or_else(missing)
        };
        let min = required(min, declared.min, "smallest value (MIN)")?;
        let max = required(max, declared.max, "largest value (MAX)")?;
        let min_step = if declared.is_integer { 1.0 } else { 0.0 };
        let default_step = || f64::max((max - min) / STEPS_IN_RANGE, min_step);
        Ok(Parameter {
            name: self.name.clone(),
            is_integer: declared.is_integer,
            start: required(start, declared.value, "value (START)")?,
            min,
            max,
            c_end: c_end.or(declared.step).unwrap_or_else(default_step),
            r_end: r_end.unwrap_or_else(|| default_rate(games)),
        })
    }
}

/// Parses parameters, one per line; `#` starts a comment.
///
/// # Errors
///
/// The number of the first line that is not a parameter, and what is wrong with it.
pub fn parse_list(text: &str) -> Result<Vec<ParameterText>, (usize, ParameterError)> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| line.parse().map_err(|error| (number, error)))
        .collect()
}

/// The default learning rate for a tuning run of `games` games: `0.7 / sqrt(games)`, rounded to
/// four decimals.
///
/// In simulations, this rate was within a factor of two of the best rate for 2,000 to 60,000 games.
/// The simulated engines had 4 or 12 parameters, lost 0.5 to 2 Elo at a distance of `c_end` from
/// the best values, and started at twice that distance. For 120,000 games the rate is 0.002, as in
/// fishtest.
pub fn default_rate(games: u64) -> f64 {
    (0.7e4 / (games.max(1) as f64).sqrt()).round().clamp(1.0, 1e4) / 1e4
}

/// The error message for a name that the engine has not declared as a numeric parameter.
fn unknown(name: &str, declared: &[DeclaredParameter]) -> String {
    let numbers = declared.iter().filter(|param| param.number.is_some());
    let numbers: Vec<_> = numbers.map(|param| param.name.as_str()).collect();
    let what = match numbers.is_empty() {
        true => "none (Manoury declares its search parameters with hub --tune)".to_owned(),
        false => numbers.join(", "),
    };
    format!("the engine declares no numeric parameter {name:?}; declared: {what}")
}

impl Parameter {
    fn check(&self) -> Result<(), String> {
        let Parameter { start, min, max, c_end, r_end, .. } = *self;
        if self.is_integer && (min.fract() != 0.0 || max.fract() != 0.0) {
            return Err(format!("MIN and MAX must be integers, not {min} and {max}"));
        }
        if min >= max {
            return Err(format!("MIN must be less than MAX, but {min} is not less than {max}"));
        }
        if !(min..=max).contains(&start) {
            return Err(format!(
                "START must be from MIN to MAX, but {start} is not in {min}..{max}"
            ));
        }
        if !(c_end > 0.0 && c_end <= max - min) {
            return Err(format!(
                "C_END must be more than 0 and at most the range, {}, not {c_end}",
                max - min
            ));
        }
        if !(r_end > 0.0 && r_end <= 1.0) {
            return Err(format!("R_END must be more than 0 and at most 1, not {r_end}"));
        }
        Ok(())
    }

    fn check_range(&self, declared: DeclaredNumber) -> Result<(), String> {
        let low = declared.min.filter(|&low| self.min < low);
        let high = declared.max.filter(|&high| self.max > high);
        match low.or(high) {
            None => Ok(()),
            Some(_) => Err(format!(
                "the engine accepts values from {} to {}, not from {} to {}",
                declared.min.unwrap_or(f64::NEG_INFINITY),
                declared.max.unwrap_or(f64::INFINITY),
                self.min,
                self.max
            )),
        }
    }

    /// The number of decimals to display: enough to show a hundredth of `c_end`. Games cannot
    /// measure smaller differences.
    pub fn decimals(&self) -> usize {
        (2.0 - self.c_end.log10().floor()).max(0.0) as usize
    }

    /// Formats a value for display, with [`Parameter::decimals`] decimals.
    pub fn label(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals())
    }

    /// Formats a value for the engine: clamped to the range, and rounded if the engine accepts only
    /// integers.
    pub fn text(&self, value: f64) -> String {
        let value = value.clamp(self.min, self.max);
        if self.is_integer { value.round().to_string() } else { value.to_string() }
    }
}

/// Formats the parameter as the user specifies it on the command line.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, start, min, max, c_end, r_end, .. } = self;
        write!(f, "{name}={start},{min},{max},{c_end},{r_end}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<DeclaredParameter> {
        let number = DeclaredNumber {
            is_integer: true,
            value: Some(70.0),
            min: Some(0.0),
            max: Some(150.0),
            step: Some(5.0),
        };
        let bare = DeclaredNumber::default();
        let stepless = DeclaredNumber { step: None, ..number };
        [("slope", Some(number)), ("plain", Some(stepless)), ("bare", Some(bare)), ("book", None)]
            .map(|(name, number)| DeclaredParameter {
                name: name.to_owned(),
                number,
                ..DeclaredParameter::default()
            })
            .into()
    }

    fn resolve(text: &str) -> Result<Parameter, String> {
        let parsed = text.parse::<ParameterText>();
        let resolved = parsed.and_then(|text| text.resolve(&declared(), 20_000));
        resolved.map_err(|error| error.to_string())
    }

    #[test]
    fn takes_missing_numbers_from_the_declaration() {
        for (text, whole) in [
            ("slope", "slope=70,0,150,5,0.0049"),
            ("slope=80.5", "slope=80.5,0,150,5,0.0049"),
            ("slope=,,,8", "slope=70,0,150,8,0.0049"),
            (" slope 80 10 120 4 0.01 ", "slope=80,10,120,4,0.01"),
            ("slope, 80, 10,120,4 ,0.01", "slope=80,10,120,4,0.01"),
            ("slope = 80,10,120,,.01", "slope=80,10,120,5,0.01"),
            ("plain", "plain=70,0,150,7.5,0.0049"),
            ("plain=3,0,8", "plain=3,0,8,1,0.0049"),
            ("bare=0.5,0,1", "bare=0.5,0,1,0.05,0.0049"),
        ] {
            let parameter = resolve(text).unwrap();
            assert_eq!(parameter.to_string(), whole, "{text}");
            assert_eq!(resolve(whole).unwrap(), parameter);
        }
    }

    #[test]
    fn explains_invalid_parameters() {
        for (text, word) in [
            ("", "name is missing"),
            ("=3", "name is missing"),
            ("slope=x", "\"x\" is not a number"),
            ("slope=inf", "not a number"),
            ("slope=1,2,3,4,5,6", "more than five"),
            ("speed", "slope, plain, bare"),
            ("book", "no numeric parameter \"book\""),
            ("bare", "does not declare"),
            ("slope=70,80,75", "less than MAX"),
            ("slope=70,80", "from MIN to MAX"),
            ("slope=70,-1", "from 0 to 150"),
            ("slope=70,0,151", "from 0 to 150"),
            ("slope=70,0.5", "integers"),
            ("slope=70,,,0", "C_END"),
            ("slope=70,,,151", "C_END"),
            ("slope=70,,,,0", "R_END"),
            ("slope=70,,,,2", "R_END"),
        ] {
            let message = resolve(text).unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
        }
    }

    #[test]
    fn formats_values_for_the_engine() {
        let slope = resolve("slope=70,10,90").unwrap();
        assert_eq!(
            [3.0, 70.5, 70.4, 99.0].map(|value| slope.text(value)),
            ["10", "71", "70", "90"]
        );
        let bare = resolve("bare=0.5,0,1").unwrap();
        assert_eq!([0.25, 1.5].map(|value| bare.text(value)), ["0.25", "1"]);
        assert_eq!(bare.label(0.123_456), "0.1235");
    }

    #[test]
    fn the_default_rate_falls_with_the_games() {
        for (games, rate) in [(2000, 0.0157), (20_000, 0.0049), (120_000, 0.002), (0, 0.7)] {
            assert_eq!(default_rate(games), rate);
        }
    }

    #[test]
    fn skips_comments_and_blank_lines() {
        let list = parse_list("# numbers\n\n  slope=70 # as now\r\ndepth 4 1 9\n").unwrap();
        assert_eq!(list.iter().map(ParameterText::name).collect::<Vec<_>>(), ["slope", "depth"]);
        let (line, error) = parse_list("slope\n\ndepth=x\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(error.to_string().contains("\"x\""), "{error}");
    }
}
