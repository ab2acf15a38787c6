//! Variants as run-time values, and the part of a variant that is data: start position, draw rules
//! and notation. Move generation does not depend on this data, so it is not part of the type.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::board::Side;

use super::DrawRules;

macro_rules! variants {
    ($($name:ident $file:ident $setup:ident $names:expr, $doc:literal;)*) => {
        /// A variant of draughts.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $(#[doc = $doc] $name,)*
        }

        impl Variant {
            /// All variants.
            pub const ALL: &'static [Variant] = &[$(Variant::$name,)*];

            /// The names of the variant in arguments and protocols: its main name first, then its
            /// aliases.
            pub const fn names(self) -> &'static [&'static str] {
                match self {
                    $(Variant::$name => &$names,)*
                }
            }

            /// The start position, draw rules and notation of the variant.
            pub fn setup(self) -> &'static VariantSetup {
                match self {
                    $(Variant::$name => &super::$file::$setup,)*
                }
            }
        }
    };
}

variants! {
    International international INTERNATIONAL ["international", "normal", "standard"], "International draughts, 10x10.";
    Killer international KILLER ["killer"], "Killer draughts, 10x10.";
    Breakthrough international BREAKTHROUGH ["bt", "breakthrough"], "Breakthrough: the first king wins, 10x10.";
    Losing international LOSING ["losing", "antidraughts"], "Losing draughts: having no legal move wins, 10x10.";
    Frisian frisian FRISIAN ["frisian"], "Frisian draughts, 10x10.";
    Frysk frisian FRYSK ["frysk", "frysk!"], "Frysk!: Frisian with five men each.";
    Brazilian russian BRAZILIAN ["brazilian"], "Brazilian draughts, 8x8.";
    Russian russian RUSSIAN ["russian"], "Russian draughts, 8x8.";
    English english ENGLISH ["english", "checkers"], "English draughts or American checkers, 8x8.";
    Italian italian ITALIAN ["italian"], "Italian draughts, 8x8.";
    Spanish italian SPANISH ["spanish"], "Spanish draughts, 8x8.";
    German german GERMAN ["german"], "German draughts, 8x8.";
    Czech german CZECH ["czech"], "Czech draughts, 8x8.";
    Pool english POOL ["pool"], "American pool checkers, 8x8.";
    Canadian international CANADIAN ["canadian"], "Canadian draughts, 12x12.";
    Turkish turkish TURKISH ["turkish"], "Turkish draughts, 8x8 with pieces on all squares.";
}

/// The start position, draw rules and notation of a variant.
#[derive(Clone, Debug)]
pub struct VariantSetup {
    /// The rows filled with men at the start, counted from each side's edge of the board.
    pub start_rows: Range<usize>,
    /// The side that moves first.
    pub first: Side,
    /// The draw rules.
    pub draws: DrawRules,
    /// How PDN files name squares.
    pub pdn_squares: PdnSquares,
    /// The number of the variant in the `GameType` tag of PDN; `None` if PDN defines none.
    pub pdn_game_type: Option<u8>,
}

/// How PDN files name squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdnSquares {
    /// By number, 1 at the top left.
    Numbers,
    /// By number, 1 at the bottom right.
    NumbersFromBelow,
    /// By file and rank, a1 at the bottom left.
    Algebraic,
}

impl Variant {
    /// The main name of the variant.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown variant name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant {0:?}; expected one of {known}", known = known_names())]
pub struct UnknownVariant(pub String);

/// The names of all variants.
fn known_names() -> String {
    let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    names.join(", ")
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Variant::ALL
            .iter()
            .copied()
            .find(|variant| variant.names().iter().any(|known| known.eq_ignore_ascii_case(name)))
            .ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}
