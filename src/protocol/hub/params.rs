//! The parameters that the client can set.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::bitbase::MAX_PIECES;
use crate::engine::memory::{TableTooLarge, check_table_size};
use crate::engine::{BookOptions, EngineOptions, Level, MAX_MULTIPV, MAX_THREADS, TT_SIZES};
use crate::rules::Variant;
use crate::search;
use crate::weights::WeightsSource;

use super::format::LineBuilder;
use super::numbers;

/// The values of all parameters. A new parameter needs a field, a default and a line in
/// [`HubParams::table`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubParams {
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
    level: u32,
    eval: usize,
    tuning: Tunables,
    search: search::Params,
}

/// Whether the tunables of the search are also parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tunables {
    /// They have fixed values and are hidden from users.
    #[default]
    Hidden,
    /// They are declared, and a tuner can set them.
    Exposed,
}

/// The levels of strength.
const LEVELS: RangeInclusive<u32> = Level::MIN.number() as u32..=Level::FULL.number() as u32;

/// The evaluations of the parameter `eval`, the default first.
const EVALUATIONS: [&str; 2] = ["pattern", PLAIN];
const PLAIN: &str = "pst";

impl Default for HubParams {
    fn default() -> Self {
        HubParams {
            variant: Variant::International,
            book: true,
            book_ply: 4,
            book_margin: 4,
            book_file: String::new(),
            book_seed: 0,
            ponder: false,
            threads: 1,
            tt_size: 24,
            bb_size: MAX_PIECES as u32,
            bb_dir: String::new(),
            weights: String::new(),
            multipv: 1,
            level: Level::FULL.number().into(),
            eval: 0,
            tuning: Tunables::Hidden,
            search: search::Params::default(),
        }
    }
}

/// A parameter's value, with its type and range.
enum ParamValue<'a> {
    Variant(&'a mut Variant),
    Flag(&'a mut bool),
    Number(&'a mut u32, RangeInclusive<u32>),
    /// The index of a word in a list.
    Choice(&'a mut usize, &'static [&'static str]),
    Text(&'a mut String),
}

impl HubParams {
    /// The default values.
    pub fn new(tuning: Tunables) -> Self {
        HubParams { tuning, ..HubParams::default() }
    }

    /// All parameters: name, value, range. `ponder` has no effect, as the client decides when to
    /// ponder; it is declared because clients look for it. `eval` is a parameter of lidraughts' move
    /// server: `pst` is the plain evaluation of its weaker levels.
    fn table(&mut self) -> [(&'static str, ParamValue<'_>); 15] {
        [
            ("variant", ParamValue::Variant(&mut self.variant)),
            ("book", ParamValue::Flag(&mut self.book)),
            ("book-ply", ParamValue::Number(&mut self.book_ply, 0..=20)),
            ("book-margin", ParamValue::Number(&mut self.book_margin, 0..=100)),
            ("book-file", ParamValue::Text(&mut self.book_file)),
            ("book-seed", ParamValue::Number(&mut self.book_seed, 0..=u32::MAX)),
            ("ponder", ParamValue::Flag(&mut self.ponder)),
            ("threads", ParamValue::Number(&mut self.threads, 1..=MAX_THREADS)),
            ("tt-size", ParamValue::Number(&mut self.tt_size, TT_SIZES)),
            ("bb-size", ParamValue::Number(&mut self.bb_size, 0..=MAX_PIECES as u32)),
            ("bb-dir", ParamValue::Text(&mut self.bb_dir)),
            ("weights", ParamValue::Text(&mut self.weights)),
            ("multipv", ParamValue::Number(&mut self.multipv, 1..=MAX_MULTIPV)),
            ("level", ParamValue::Number(&mut self.level, LEVELS)),
            ("eval", ParamValue::Choice(&mut self.eval, &EVALUATIONS)),
        ]
    }

    /// Sets a parameter. Numbers out of range are clamped; unknown names and invalid values are
    /// ignored.
    ///
    /// # Errors
    ///
    /// The transposition table would not fit in memory; the parameters are unchanged.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), TableTooLarge> {
        if name == "tt-size"
            && let Some(size) = numbers::parse(text)
        {
            check_table_size(size as u32)?;
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
        self.tuning == Tunables::Exposed && numbers::parse(text).is_some_and(set)
    }

    /// The lines that declare the parameters with their current values.
    pub fn declarations(&self) -> Vec<LineBuilder> {
        let mut copy = self.clone();
        copy.table()
            .into_iter()
            .map(|(name, value)| value.declare(LineBuilder::new("param").field("name", name)))
            .chain(self.tunable_declarations())
            .collect()
    }

    /// The declarations of the tunables, with the recommended step for a tuner.
    fn tunable_declarations(&self) -> impl Iterator<Item = LineBuilder> {
        let is_open = self.tuning == Tunables::Exposed;
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

    /// The variant to play.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The engine options.
    pub fn options(&self) -> EngineOptions {
        EngineOptions {
            threads: self.threads as usize,
            tt_size: self.tt_size,
            multipv: self.multipv,
            bb_size: self.bb_size as usize,
            bb_dir: (!self.bb_dir.is_empty()).then(|| PathBuf::from(&self.bb_dir)),
            weights: match EVALUATIONS[self.eval] {
                PLAIN => WeightsSource::Hand,
                _ => WeightsSource::from(OsString::from(&self.weights)),
            },
            book: self.book.then(|| self.book_options()),
            level: Level::new(self.level as u8).unwrap_or_default(),
            // 0 selects a random seed.
            seed: (self.book_seed > 0).then_some(self.book_seed.into()),
            params: self.search,
        }
    }

    fn book_options(&self) -> BookOptions {
        BookOptions {
            file: (!self.book_file.is_empty()).then(|| PathBuf::from(&self.book_file)),
            plies: self.book_ply,
            margin: self.book_margin,
        }
    }
}

impl ParamValue<'_> {
    /// Sets the value; returns `false` if the text is invalid.
    fn set(self, text: &str) -> bool {
        match self {
            ParamValue::Variant(variant) => replace(variant, text.parse().ok()),
            ParamValue::Flag(flag) => replace(flag, parse_flag(text)),
            ParamValue::Number(number, range) => {
                // The cast saturates: absurd numbers become the ends of the range.
                let clamp = |value: f64| (value as u32).clamp(*range.start(), *range.end());
                replace(number, numbers::parse(text).map(clamp))
            }
            ParamValue::Choice(index, words) => {
                replace(index, words.iter().position(|word| *word == text))
            }
            ParamValue::Text(value) => replace(value, Some(text.to_owned())),
        }
    }

    fn declare(self, reply: LineBuilder) -> LineBuilder {
        match self {
            ParamValue::Variant(variant) => {
                let names: Vec<_> = Variant::ALL.iter().copied().map(variant_name).collect();
                reply
                    .field("value", variant_name(*variant))
                    .field("type", "enum")
                    .field("values", names.join(" "))
            }
            ParamValue::Flag(flag) => reply.field("value", flag).field("type", "bool"),
            ParamValue::Number(number, range) => reply
                .field("value", number)
                .field("type", "int")
                .field("min", range.start())
                .field("max", range.end()),
            ParamValue::Choice(index, words) => reply
                .field("value", words[*index])
                .field("type", "enum")
                .field("values", words.join(" ")),
            ParamValue::Text(value) => reply.field("value", value).field("type", "string"),
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

    fn declarations(params: &HubParams) -> Vec<String> {
        params.declarations().iter().map(LineBuilder::to_string).collect()
    }

    #[test]
    fn declares_what_clients_look_for() {
        let lines = declarations(&HubParams::default());
        assert_eq!(
            lines[0],
            "param name=variant value=normal type=enum values=\"normal killer bt losing frisian \
             frysk brazilian russian english italian spanish german czech pool canadian turkish\""
        );
        assert_eq!(lines[1], "param name=book value=true type=bool");
        assert_eq!(lines[2], "param name=book-ply value=4 type=int min=0 max=20");
        assert_eq!(lines[4], "param name=book-file value=\"\" type=string");
        assert_eq!(lines[5], "param name=book-seed value=0 type=int min=0 max=4294967295");
        assert_eq!(lines[9], "param name=bb-size value=7 type=int min=0 max=7");
        assert_eq!(lines[10], "param name=bb-dir value=\"\" type=string");
        assert_eq!(lines[11], "param name=weights value=\"\" type=string");
        assert_eq!(lines[12], "param name=multipv value=1 type=int min=1 max=128");
        assert_eq!(lines[13], "param name=level value=10 type=int min=1 max=10");
        assert_eq!(lines[14], "param name=eval value=pattern type=enum values=\"pattern pst\"");
    }

    #[test]
    fn clamps_numbers_and_ignores_nonsense() {
        let mut params = HubParams::default();
        params.set("threads", "0").unwrap();
        params.set("tt-size", "-1").unwrap();
        params.set("book-ply", "-3").unwrap();
        params.set("multipv", "129").unwrap();
        params.set("level", "0").unwrap();
        params.set("eval", "pst").unwrap();
        params.set("variant", "Frisian").unwrap();
        params.set("ponder", "true").unwrap();
        let changed = params.clone();
        assert_eq!(
            params.options(),
            EngineOptions {
                threads: 1,
                tt_size: 16,
                multipv: 128,
                level: Level::MIN,
                weights: WeightsSource::Hand,
                book: Some(BookOptions { plies: 0, ..BookOptions::default() }),
                ..EngineOptions::default()
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
            ("eval", "network"),
            ("initial-time", "60"),
        ] {
            params.set(name, text).unwrap();
            assert_eq!(params, changed, "{name}={text}");
        }
    }
}
