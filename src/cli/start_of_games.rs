//! Where the games of `match` and `tune` start.

use std::path::Path;

use clap::Args;

use crate::arena::openings::{OpeningSource, edge};
use crate::rules::Variant;
use crate::runtime::log;

use super::Error;

/// Where games start.
#[derive(Args, Debug)]
pub struct OpeningArguments {
    /// start; 2-ply, 3-ply or 4-ply: all positions after this many plies without a pending capture;
    /// ballots: what tournaments draw from, or where no list was found, level positions after 3
    /// plies (book/ballots names the source of each game); edge: for a program against itself,
    /// openings in which one side is so far ahead that it wins about half of its games, see `manoury
    /// openings --help`; or a PDN file, or one with a FEN or Hub position a line. No opening is
    /// repeated before all have been played. In international draughts there are 66, 264 and 1054
    /// positions after 2, 3 and 4 plies, 79 ballots and 4000 edge openings [default: edge for `match
    /// --sprt` between engines that give the same name over Hub, whatever their versions, and for
    /// `tune`, if the program has edge openings of the game and there is no --random-plies;
    /// otherwise 4-ply. Work that goes on keeps the openings in its log]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<OpeningSource>,
    /// Take only this many plies of each game of a PDN file, and leave out games that are shorter or
    /// over by then [default: all plies]
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
    /// Random plies after each opening [default: 0]
    #[arg(long, value_name = "N")]
    random_plies: Option<usize>,
}

/// The name of the number of plies among the settings of a log.
pub const OPENING_PLIES: &str = "opening_plies";

/// Level openings, for everything but a test of a program against itself.
const LEVEL: OpeningSource = OpeningSource::Plies(4);

impl OpeningArguments {
    /// The openings given, else those of the log, else edge openings for a test of a program
    /// against itself, which then needs fewer games. Whether it is one is found out only if it
    /// matters.
    ///
    /// # Errors
    ///
    /// Those of finding out.
    pub fn source(
        &self,
        variant: Variant,
        log: Option<&Path>,
        tests_itself: impl FnOnce() -> Result<bool, Error>,
    ) -> Result<OpeningSource, Error> {
        if let Some(source) = self.openings.clone() {
            return Ok(match self.opening_plies {
                Some(plies) => source.shortened(plies)?,
                None => source,
            });
        }
        if let Some(source) = log.and_then(logged) {
            return Ok(source);
        }
        let is_edge = self.random_plies.is_none() && edge::has_set(variant) && tests_itself()?;
        Ok(if is_edge { OpeningSource::Edge } else { LEVEL })
    }

    /// Random plies after each opening.
    pub fn random_plies(&self) -> usize {
        self.random_plies.unwrap_or(0)
    }
}

/// The openings that the log of earlier work names.
fn logged(log: &Path) -> Option<OpeningSource> {
    let settings = log::settings(log)?;
    let source: OpeningSource = settings.get("openings")?.as_str()?.parse().ok()?;
    match settings.get(OPENING_PLIES).and_then(serde_json::Value::as_u64) {
        Some(plies) => source.shortened(plies as usize).ok(),
        None => Some(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(openings: Option<&str>, random_plies: Option<usize>, variant: Variant) -> String {
        let openings = openings.map(|text| text.parse().unwrap());
        let arguments = OpeningArguments { openings, opening_plies: None, random_plies };
        let source = |tests_itself| arguments.source(variant, None, || Ok(tests_itself)).unwrap();
        assert_eq!(source(false), arguments.openings.clone().unwrap_or(LEVEL));
        source(true).to_string()
    }

    #[test]
    fn a_program_that_plays_itself_starts_at_the_edge() {
        assert_eq!(source(None, None, Variant::International), "edge");
        assert_eq!(source(None, None, Variant::Italian), "edge");
        assert_eq!(source(None, None, Variant::Frisian), "4-ply", "there is no set");
    }

    #[test]
    fn what_is_given_counts() {
        assert_eq!(source(Some("3-ply"), None, Variant::International), "3-ply");
        assert_eq!(source(Some("edge"), Some(2), Variant::International), "edge");
        assert_eq!(source(None, Some(2), Variant::International), "4-ply");
        assert_eq!(source(None, Some(0), Variant::International), "4-ply");
    }

    #[test]
    fn engines_are_asked_only_if_it_matters() {
        let asked = || Err(Error::Input("asked".to_owned()));
        let arguments =
            OpeningArguments { openings: None, opening_plies: None, random_plies: None };
        assert!(arguments.source(Variant::English, None, asked).is_err());
        assert_eq!(arguments.source(Variant::Russian, None, asked).unwrap(), LEVEL);
        let arguments = OpeningArguments { random_plies: Some(2), ..arguments };
        assert_eq!(arguments.source(Variant::English, None, asked).unwrap(), LEVEL);
    }
}
