//! The run-time choice of a game.

use std::fmt;
use std::str::FromStr;

use super::Rules;

/// Code to run with the rules of a variant that is only known at run time.
///
/// [`Variant::visit`] calls it once with the right type; from there on everything is generic.
pub trait VariantVisitor {
    /// What the code returns.
    type Output;

    /// Runs the code.
    fn visit<R: Rules>(self) -> Self::Output;
}

macro_rules! variants {
    ($($name:ident $names:expr, $doc:literal;)*) => {
        /// A game of the draughts family.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $(#[doc = $doc] $name,)*
        }

        impl Variant {
            /// Every variant.
            pub const ALL: &'static [Variant] = &[$(Variant::$name,)*];

            /// The names of the variant, as arguments and protocols spell them: the first is its
            /// own, the others are aliases.
            pub const fn names(self) -> &'static [&'static str] {
                match self {
                    $(Variant::$name => &$names,)*
                }
            }

            /// Runs code with the rules of the variant.
            pub fn visit<V: VariantVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Variant::$name => visitor.visit::<super::$name>(),)*
                }
            }
        }
    };
}

variants! {
    International ["international", "normal", "standard"], "International draughts, 10x10.";
    Killer ["killer"], "Killer draughts, 10x10.";
    Breakthrough ["bt", "breakthrough"], "Breakthrough: the first king wins, 10x10.";
    Losing ["losing", "antidraughts"], "Losing draughts: no move left wins, 10x10.";
    Frisian ["frisian"], "Frisian draughts, 10x10.";
    Frysk ["frysk"], "Frysk!: Frisian with five men each.";
    Brazilian ["brazilian"], "Brazilian draughts, 8x8.";
    Russian ["russian"], "Russian draughts, 8x8.";
    English ["english", "checkers"], "English draughts or American checkers, 8x8.";
    Italian ["italian"], "Italian draughts, 8x8.";
    Spanish ["spanish"], "Spanish draughts, 8x8.";
    German ["german"], "German draughts, 8x8.";
    Czech ["czech"], "Czech draughts, 8x8.";
    Pool ["pool"], "American pool checkers, 8x8.";
    Canadian ["canadian"], "Canadian draughts, 12x12.";
}

impl Variant {
    /// The variant's own name.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no variant has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariant(pub String);

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        write!(f, "unknown variant {:?}; known are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownVariant {}

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
