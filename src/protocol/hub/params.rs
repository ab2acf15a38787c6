//! The parameters that a client can set.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::bitbase::MOST_PIECES;
use crate::engine::{BookOptions, Options};
use crate::eval::Source;
use crate::rules::Variant;
use crate::search;
use crate::tt::{NoRoom, check_room};

use super::format::LineBuilder;
use super::numbers;

/// The values of all parameters. To add one, add a field, its default, and a line in
/// [`Params::table`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Params {
    variant: Variant,
    book: bool,
    book_ply: u32,
    book_margin: u32,
    book_file: String,
    book_seed: u32,
    ponder: bool,
    threads: u32,
    tt_size: u32,
    bb_size: u32,
    bb_dir: String,
    weights: String,
    multipv: u32,
    tuning: Tuning,
    search: search::Params,
}

/// Whether the tunables of the search are parameters too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tuning {
    /// They are what they are: a person need not see them.
    #[default]
    Fixed,
    /// A tuner declares and sets them.
    Open,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            variant: Variant::International,
            book: true,
            book_ply: 4,
            book_margin: 4,
            book_file: String::new(),
            book_seed: 0,
            ponder: false,
            threads: 1,
            tt_size: 24,
            bb_size: MOST_PIECES as u32,
            bb_dir: String::new(),
            weights: String::new(),
            multipv: 1,
            tuning: Tuning::Fixed,
            search: search::Params::default(),
        }
    }
}

/// A parameter's value, with its type and range.
enum Value<'a> {
    Variant(&'a mut Variant),
    Flag(&'a mut bool),
    Number(&'a mut u32, RangeInclusive<u32>),
    Text(&'a mut String),
}

impl Params {
    /// The default values.
    pub fn new(tuning: Tuning) -> Self {
        Params { tuning, ..Params::default() }
    }

    /// Every parameter: name, value, range. Clients look for pondering by this name, so it is declared
    /// although nothing depends on its value: pondering is up to the client.
    fn table(&mut self) -> [(&'static str, Value<'_>); 13] {
        [
            ("variant", Value::Variant(&mut self.variant)),
            ("book", Value::Flag(&mut self.book)),
            ("book-ply", Value::Number(&mut self.book_ply, 0..=20)),
            ("book-margin", Value::Number(&mut self.book_margin, 0..=100)),
            ("book-file", Value::Text(&mut self.book_file)),
            ("book-seed", Value::Number(&mut self.book_seed, 0..=u32::MAX)),
            ("ponder", Value::Flag(&mut self.ponder)),
            ("threads", Value::Number(&mut self.threads, 1..=256)),
            ("tt-size", Value::Number(&mut self.tt_size, 16..=30)),
            ("bb-size", Value::Number(&mut self.bb_size, 0..=MOST_PIECES as u32)),
            ("bb-dir", Value::Text(&mut self.bb_dir)),
            ("weights", Value::Text(&mut self.weights)),
            ("multipv", Value::Number(&mut self.multipv, 1..=32)),
        ]
    }

    /// Sets a parameter. Numbers out of range are clamped; unknown names and values that make no
    /// sense change nothing.
    ///
    /// # Errors
    ///
    /// A table that the machine has no room for; the parameters stay as they are.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), NoRoom> {
        if name == "tt-size"
            && let Some(size) = numbers::parse(text)
        {
            check_room(size as u32)?;
        }
        let entry = self.table().into_iter().find(|(known, _)| *known == name);
        let is_set = match entry {
            Some((_, value)) => value.set(text),
            None => self.set_tunable(name, text),
        };
        if !is_set {
            log::warn!("set-param {name:?} to {text:?} ignored");
        }
        Ok(())
    }

    fn set_tunable(&mut self, name: &str, text: &str) -> bool {
        // The cast saturates.
        let set = |value: f64| self.search.set(name, value as i32);
        self.tuning == Tuning::Open && numbers::parse(text).is_some_and(set)
    }

    /// The lines that declare the parameters with their present values.
    pub fn declarations(&self) -> Vec<LineBuilder> {
        let mut copy = self.clone();
        copy.table()
            .into_iter()
            .map(|(name, value)| value.declare(LineBuilder::new("param").field("name", name)))
            .chain(self.tunable_declarations())
            .collect()
    }

    /// The tunables also tell the step that a tuner should take.
    fn tunable_declarations(&self) -> impl Iterator<Item = LineBuilder> {
        let is_open = self.tuning == Tuning::Open;
        let tunables = if is_open { search::Params::TUNABLES } else { &[] };
        tunables.iter().zip(self.search.values()).map(|(tunable, value)| {
            LineBuilder::new("param")
                .field("name", tunable.name)
                .field("value", value)
                .field("type", "int")
                .field("min", tunable.min)
                .field("max", tunable.max)
                .field("step", tunable.step)
        })
    }

    /// The game to play.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// What the engine is built with.
    pub fn options(&self) -> Options {
        Options {
            threads: self.threads as usize,
            tt_size: self.tt_size,
            multipv: self.multipv,
            bb_size: self.bb_size as usize,
            bb_dir: (!self.bb_dir.is_empty()).then(|| PathBuf::from(&self.bb_dir)),
            weights: Source::from(OsString::from(&self.weights)),
            book: self.book.then(|| self.book_options()),
            params: self.search,
        }
    }

    fn book_options(&self) -> BookOptions {
        BookOptions {
            file: (!self.book_file.is_empty()).then(|| PathBuf::from(&self.book_file)),
            plies: self.book_ply,
            margin: self.book_margin,
            // 0 is for chance.
            seed: (self.book_seed > 0).then_some(self.book_seed.into()),
        }
    }
}

impl Value<'_> {
    /// Sets the value; `false` if the text makes no sense.
    fn set(self, text: &str) -> bool {
        match self {
            Value::Variant(variant) => replace(variant, text.parse().ok()),
            Value::Flag(flag) => replace(flag, parse_flag(text)),
            Value::Number(number, range) => {
                // The cast saturates, so that absurd numbers become the ends of the range.
                let clamp = |value: f64| (value as u32).clamp(*range.start(), *range.end());
                replace(number, numbers::parse(text).map(clamp))
            }
            Value::Text(value) => replace(value, Some(text.to_owned())),
        }
    }

    fn declare(self, reply: LineBuilder) -> LineBuilder {
        match self {
            Value::Variant(variant) => {
                let names: Vec<_> = Variant::ALL.iter().copied().map(variant_name).collect();
                reply
                    .field("value", variant_name(*variant))
                    .field("type", "enum")
                    .field("values", names.join(" "))
            }
            Value::Flag(flag) => reply.field("value", flag).field("type", "bool"),
            Value::Number(number, range) => reply
                .field("value", number)
                .field("type", "int")
                .field("min", range.start())
                .field("max", range.end()),
            Value::Text(value) => reply.field("value", value).field("type", "string"),
        }
    }
}

fn replace<T>(place: &mut T, value: Option<T>) -> bool {
    value.map(|value| *place = value).is_some()
}

fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The protocol's name of a variant: `normal` for international draughts.
pub fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::International => "normal",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declarations(params: &Params) -> Vec<String> {
        params.declarations().iter().map(LineBuilder::to_string).collect()
    }

    #[test]
    fn declares_what_clients_look_for() {
        let lines = declarations(&Params::default());
        assert_eq!(
            lines[0],
            "param name=variant value=normal type=enum values=\"normal killer bt losing frisian \
             frysk brazilian russian english italian spanish german czech pool canadian\""
        );
        assert_eq!(lines[1], "param name=book value=true type=bool");
        assert_eq!(lines[2], "param name=book-ply value=4 type=int min=0 max=20");
        assert_eq!(lines[4], "param name=book-file value=\"\" type=string");
        assert_eq!(lines[5], "param name=book-seed value=0 type=int min=0 max=4294967295");
        assert_eq!(lines[9], "param name=bb-size value=7 type=int min=0 max=7");
        assert_eq!(lines[10], "param name=bb-dir value=\"\" type=string");
        assert_eq!(lines[11], "param name=weights value=\"\" type=string");
        assert_eq!(lines[12], "param name=multipv value=1 type=int min=1 max=32");
    }

    #[test]
    fn clamps_numbers_and_ignores_nonsense() {
        let mut params = Params::default();
        params.set("threads", "0").unwrap();
        params.set("tt-size", "-1").unwrap();
        params.set("book-ply", "-3").unwrap();
        params.set("multipv", "33").unwrap();
        params.set("variant", "Frisian").unwrap();
        params.set("ponder", "true").unwrap();
        let changed = params.clone();
        assert_eq!(
            params.options(),
            Options {
                threads: 1,
                tt_size: 16,
                multipv: 32,
                book: Some(BookOptions { plies: 0, ..BookOptions::default() }),
                ..Options::default()
            }
        );
        assert_eq!(params.variant(), Variant::Frisian);
        assert!(params.ponder);
        for absurd in ["64", "1e9", "99999999999"] {
            assert!(params.set("tt-size", absurd).is_err(), "{absurd}");
            assert_eq!(params, changed);
        }
        for (name, text) in [
            ("threads", "many"),
            ("tt-size", ""),
            ("variant", "chess"),
            ("book", "maybe"),
            ("initial-time", "60"),
        ] {
            params.set(name, text).unwrap();
            assert_eq!(params, changed, "{name}={text}");
        }
    }
}
