//! The parameters that the client can set. One list provides their declarations, values and help.

use std::ffi::OsString;
use std::fmt::{Display, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::engine::limits::{
    MAX_BITBASE_PIECES, MAX_BOOK_MARGIN, MAX_BOOK_PLIES, MAX_ELO, MAX_LEVEL, MAX_MULTIPV,
    MAX_THREADS, MAX_TT_SIZE, MIN_ELO, MIN_LEVEL, MIN_TT_SIZE,
};
use crate::engine::{BookOptions, EngineOptions, Level, Strength, TableTooLarge, check_table_size};
use crate::rules::Variant;
use crate::search;
use crate::weights::WeightsSource;

use super::line::{LineBuilder, parse_number};

/// Whether the tunable constants of the search are also parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tunables {
    /// The constants have fixed values and are hidden from users.
    #[default]
    Hidden,
    /// The constants are declared as parameters, and a tuner can set them.
    Exposed,
}

/// Bounds on the parameters that clients of a web server may set. In this module's functions,
/// `None` means no bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamBounds {
    /// The initial and maximum number of search threads.
    pub threads: u32,
    /// The base-2 logarithm of the initial and maximum number of entries in the transposition
    /// table.
    pub tt_size: u32,
    /// The folder of bitbases, which clients cannot change; `None` for the default one.
    pub bitbases: Option<PathBuf>,
}

/// The reason a parameter was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetError {
    /// The transposition table would not fit in memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// Clients of a web server must not choose files.
    #[error("clients of a server cannot set {0}")]
    Refused(&'static str),
}

/// A parameter.
struct Param {
    name: &'static str,
    /// A description of the parameter, as a sentence without a full stop.
    help: &'static str,
    kind: ParamKind,
}

/// The type and range of a parameter, and the accessor for its value.
enum ParamKind {
    Variant(fn(&mut HubParams) -> &mut Variant),
    Flag(fn(&mut HubParams) -> &mut bool),
    Number(fn(&mut HubParams) -> &mut u32, RangeInclusive<u32>),
    /// The index of a word in a list.
    Choice(fn(&mut HubParams) -> &mut usize, &'static [&'static str]),
    Text(fn(&mut HubParams) -> &mut String),
}

/// The values of the `eval` parameter, the default first.
const EVALUATIONS: [&str; 2] = ["pattern", HAND_CRAFTED];
const HAND_CRAFTED: &str = "pst";

macro_rules! params {
    ($($name:literal $field:ident: $type:ty = $default:expr, $kind:ident $(($range:expr))?, $help:literal;)*) => {
        /// The values of all parameters.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct HubParams {
            $($field: $type,)*
            tunables: Tunables,
            search: search::Params,
            bounds: Option<ParamBounds>,
        }

        impl Default for HubParams {
            fn default() -> Self {
                let (tunables, search, bounds) = Default::default();
                HubParams { $($field: $default,)* tunables, search, bounds }
            }
        }

        /// All parameters, in the order of their declarations.
        const PARAMS: &[Param] = &[$(Param {
            name: $name,
            help: $help,
            kind: ParamKind::$kind(|params| &mut params.$field $(, $range)?),
        }),*];
    };
}

params! {
    "variant" variant: Variant = Variant::International, Variant,
        "The variant of draughts";
    "book" book: bool = true, Flag,
        "Whether to play from an opening book; go analyze and multipv above 1 ignore it";
    "book-ply" book_ply: u32 = 4, Number(0..=MAX_BOOK_PLIES),
        "Number of plies during which book moves are chosen at random among the good ones";
    "book-margin" book_margin: u32 = 4, Number(0..=MAX_BOOK_MARGIN),
        "Maximum difference of such a move from the best book move, in hundredths of a man";
    "book-file" book_file: String = String::new(), Text,
        "The opening book; empty for the built-in one";
    "book-seed" book_seed: u32 = 0, Number(0..=u32::MAX),
        "Random seed for book moves and for choices below full strength; 0 for a different one each time";
    "ponder" ponder: bool = false, Flag,
        "No effect, since the client decides when to ponder; declared because clients expect it";
    "threads" threads: u32 = 1, Number(1..=MAX_THREADS),
        "Number of search threads; with one, searches are reproducible";
    "tt-size" tt_size: u32 = 24, Number(MIN_TT_SIZE..=MAX_TT_SIZE),
        "Base-2 logarithm of the number of entries of the transposition table, of 16 bytes each: \
         24 is 256 MiB, allocated at init";
    "bb-size" bb_size: u32 = MAX_BITBASE_PIECES, Number(0..=MAX_BITBASE_PIECES),
        "Maximum number of pieces to look up in bitbases; 0 for none. Bitbases of up to 4 pieces are built in";
    "bb-dir" bb_dir: String = String::new(), Text,
        "Folder of larger bitbases (see manoury help bitbase)";
    "weights" weights: String = String::new(), Text,
        "A weights file made by manoury train, or hand for the hand-crafted evaluation; empty for \
         the built-in one";
    "multipv" multipv: u32 = 1, Number(1..=MAX_MULTIPV),
        "Number of lines, each with a different first move; above 1, every info line ends with \
         multipv= and the rank of its line";
    "level" level: u32 = MAX_LEVEL, Number(MIN_LEVEL..=MAX_LEVEL),
        "Strength, from 1 for beginners to 14 for full strength; go analyze always has full strength";
    "elo" elo: u32 = 0, Number(0..=MAX_ELO),
        "Strength in Elo, 500 (level 1) to 2860 (full strength), on a scale specific to this program \
         (see manoury help play); takes precedence over level; 0: use level; 1 to 499 count as 500";
    "eval" eval: usize = 0, Choice(&EVALUATIONS),
        "pst for the hand-crafted evaluation, which lidraughts' move server selects for its weaker levels";
}

/// A description of all parameters, with their ranges and defaults, for the program's help.
pub fn parameter_help() -> String {
    let mut defaults = HubParams::default();
    let mut text = "Parameters (set-param name=NAME value=VALUE):\n".to_owned();
    for Param { name, help, kind } in PARAMS {
        let value = kind.get(&mut defaults);
        let values = match kind {
            ParamKind::Variant(_) => variant_names(),
            ParamKind::Flag(_) => "true or false".to_owned(),
            ParamKind::Number(_, range) => format!("{} to {}", range.start(), range.end()),
            ParamKind::Choice(_, words) => words.join(" or "),
            ParamKind::Text(_) => "text".to_owned(),
        };
        let value = if value.is_empty() { "empty" } else { &value };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {name}: {values} [default: {value}]\n          {help}\n");
    }
    text
}

impl HubParams {
    /// The default values.
    pub fn new(tunables: Tunables) -> Self {
        HubParams { tunables, ..HubParams::default() }
    }

    /// The initial values for a session with a web-server client, whose parameters are limited to
    /// `bounds`.
    pub fn bounded(bounds: ParamBounds) -> Self {
        HubParams {
            threads: bounds.threads,
            tt_size: bounds.tt_size,
            bounds: Some(bounds),
            ..HubParams::default()
        }
    }

    /// Sets a parameter. Numbers out of range are clamped; unknown names and invalid values are
    /// ignored.
    ///
    /// # Errors
    ///
    /// The transposition table would not fit in memory, or the client may not set the parameter;
    /// the parameters are unchanged.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SetError> {
        let param = PARAMS.iter().find(|param| param.name == name);
        if let Some(Param { name, kind: ParamKind::Text(_), .. }) = param
            && self.bounds.is_some()
        {
            return Err(SetError::Refused(name));
        }
        if name == "tt-size"
            && let Some(size) = parse_number(text)
        {
            check_table_size((size as u32).min(self.max("tt-size", u32::MAX)))?;
        }
        let is_set = match param {
            Some(param) => param.set(self, text).is_some(),
            None => self.set_tunable(name, text),
        };
        if !is_set {
            log::warn!("set-param {name:?} to {text:?} ignored");
        }
        Ok(())
    }

    /// The maximum value of a parameter in this session, `max` unless a bound is lower.
    fn max(&self, name: &str, max: u32) -> u32 {
        match (&self.bounds, name) {
            (Some(bounds), "threads") => max.min(bounds.threads),
            (Some(bounds), "tt-size") => max.min(bounds.tt_size),
            _ => max,
        }
    }

    fn set_tunable(&mut self, name: &str, text: &str) -> bool {
        // The cast saturates.
        let set = |value: f64| self.search.set(name, value as i32);
        self.tunables == Tunables::Exposed && parse_number(text).is_some_and(set)
    }

    /// The lines that declare the parameters with their current values.
    pub fn declarations(&self) -> Vec<LineBuilder> {
        let mut values = self.clone();
        let declare = |param: &Param| {
            let line = LineBuilder::new("param").field("name", param.name);
            param.declare(line.field("value", param.kind.get(&mut values)), self)
        };
        let is_settable =
            |param: &&Param| self.bounds.is_none() || !matches!(param.kind, ParamKind::Text(_));
        PARAMS.iter().filter(is_settable).map(declare).chain(self.tunable_declarations()).collect()
    }

    /// The declarations of the tunables, with the recommended step for a tuner.
    fn tunable_declarations(&self) -> impl Iterator<Item = LineBuilder> {
        let is_exposed = self.tunables == Tunables::Exposed;
        let tunables = if is_exposed { search::Params::TUNABLES } else { &[] };
        tunables.iter().zip(self.search.values()).map(|(tunable, value)| {
            let line = LineBuilder::new("param").field("name", tunable.name).field("value", value);
            declare_int(line, &(tunable.min..=tunable.max)).field("step", tunable.step)
        })
    }

    /// The variant to play.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The playing strength, by Elo or else by level.
    fn strength(&self) -> Strength {
        match self.elo {
            0 => Level::new(self.level as u8).map(Strength::from).unwrap_or_default(),
            elo => Strength::new(elo.max(MIN_ELO) as u16).unwrap_or_default(),
        }
    }

    /// The engine options.
    pub fn options(&self) -> EngineOptions {
        let path = |text: &str| (!text.is_empty()).then(|| PathBuf::from(text));
        EngineOptions {
            threads: self.threads as usize,
            tt_size: self.tt_size,
            multipv: self.multipv,
            bb_size: self.bb_size as usize,
            bb_dir: match &self.bounds {
                Some(bounds) => bounds.bitbases.clone(),
                None => path(&self.bb_dir),
            },
            weights: match EVALUATIONS[self.eval] {
                HAND_CRAFTED => WeightsSource::HandCrafted,
                _ => WeightsSource::from(OsString::from(&self.weights)),
            },
            book: self.book.then(|| BookOptions {
                file: path(&self.book_file),
                plies: self.book_ply,
                margin: self.book_margin,
            }),
            strength: self.strength(),
            // 0 selects a random seed.
            seed: (self.book_seed > 0).then_some(self.book_seed.into()),
            params: self.search,
        }
    }
}

impl Param {
    /// Sets the value; returns `None` if the text is invalid.
    fn set(&self, params: &mut HubParams, text: &str) -> Option<()> {
        match &self.kind {
            ParamKind::Variant(variant) => *variant(params) = text.parse().ok()?,
            ParamKind::Flag(flag) => *flag(params) = parse_flag(text)?,
            ParamKind::Number(number, range) => {
                // The cast saturates, and the value is clamped to the range.
                let value = parse_number(text)? as u32;
                let max = params.max(self.name, *range.end());
                *number(params) = value.clamp(*range.start(), max);
            }
            ParamKind::Choice(index, words) => {
                *index(params) = words.iter().position(|word| *word == text)?;
            }
            ParamKind::Text(value) => text.clone_into(value(params)),
        }
        Some(())
    }

    /// Adds type and range to a declaration.
    fn declare(&self, line: LineBuilder, params: &HubParams) -> LineBuilder {
        let with_type = |name| line.clone().field("type", name);
        match &self.kind {
            ParamKind::Variant(_) => with_type("enum").field("values", variant_names()),
            ParamKind::Flag(_) => with_type("bool"),
            ParamKind::Number(_, range) => {
                declare_int(line, &(*range.start()..=params.max(self.name, *range.end())))
            }
            ParamKind::Choice(_, words) => with_type("enum").field("values", words.join(" ")),
            ParamKind::Text(_) => with_type("string"),
        }
    }
}

impl ParamKind {
    /// The value as text.
    fn get(&self, params: &mut HubParams) -> String {
        match self {
            ParamKind::Variant(variant) => variant_name(*variant(params)).to_owned(),
            ParamKind::Flag(flag) => flag(params).to_string(),
            ParamKind::Number(number, _) => number(params).to_string(),
            ParamKind::Choice(index, words) => words[*index(params)].to_owned(),
            ParamKind::Text(text) => text(params).clone(),
        }
    }
}

fn declare_int<T: Display>(line: LineBuilder, range: &RangeInclusive<T>) -> LineBuilder {
    line.field("type", "int").field("min", range.start()).field("max", range.end())
}

fn parse_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The name of a variant in the protocol: `normal` for international draughts.
pub fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::International => "normal",
        other => other.name(),
    }
}

fn variant_names() -> String {
    let names: Vec<_> = Variant::ALL.iter().copied().map(variant_name).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declarations(params: &HubParams) -> Vec<String> {
        params.declarations().iter().map(LineBuilder::to_string).collect()
    }

    #[test]
    fn declares_parameters_as_clients_expect() {
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
        assert_eq!(lines[13], "param name=level value=14 type=int min=1 max=14");
        assert_eq!(lines[14], "param name=elo value=0 type=int min=0 max=2860");
        assert_eq!(lines[15], "param name=eval value=pattern type=enum values=\"pattern pst\"");
    }

    #[test]
    fn clients_of_a_server_stay_within_its_bounds() {
        let bitbases = Some(PathBuf::from("/bitbases"));
        let mut params = HubParams::bounded(ParamBounds { threads: 2, tt_size: 16, bitbases });
        for (name, value) in [("threads", "64"), ("tt-size", "28"), ("multipv", "5")] {
            params.set(name, value).unwrap();
        }
        for name in ["weights", "book-file", "bb-dir"] {
            assert_eq!(params.set(name, "/etc/passwd"), Err(SetError::Refused(name)));
        }
        let options = params.options();
        assert_eq!((options.threads, options.tt_size, options.multipv), (2, 16, 5));
        assert_eq!(options.bb_dir, Some(PathBuf::from("/bitbases")));
        let declared = declarations(&params);
        assert!(declared.contains(&"param name=threads value=2 type=int min=1 max=2".to_owned()));
        assert!(declared.iter().all(|line| !line.contains("type=string")));
    }

    #[test]
    fn elo_takes_precedence_over_the_level() {
        let mut params = HubParams::default();
        let mut strength = |name, value| {
            params.set(name, value).unwrap();
            params.options().strength
        };
        assert_eq!(strength("level", "3"), Level::new(3).unwrap().into());
        assert_eq!(strength("elo", "1234").elo(), 1234);
        assert_eq!(strength("elo", "1"), Strength::MIN);
        assert_eq!(strength("elo", "9999"), Strength::FULL);
        assert_eq!(strength("elo", "0"), Level::new(3).unwrap().into());
    }

    #[test]
    fn clamps_numbers_and_ignores_invalid_values() {
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
                strength: Strength::MIN,
                weights: WeightsSource::HandCrafted,
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

    #[test]
    fn help_lists_every_parameter_with_range_and_default() {
        let help = parameter_help();
        for Param { name, .. } in PARAMS {
            assert!(help.contains(&format!("\n  {name}: ")), "{name}");
        }
        assert!(help.contains("threads: 1 to 256 [default: 1]"), "{help}");
        assert!(help.contains("book-file: text [default: empty]"), "{help}");
    }
}
