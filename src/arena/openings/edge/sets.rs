//! The sets of openings in the program.

use crate::rules::Variant;

use super::super::{Opening, OpeningError};
use super::random_games::RandomGames;

/// The seed of the random games.
const SEED: u64 = 1;

/// Whether there is a set for a variant. There is for the games in which draws are the rule, and in
/// which positions between a win and a draw can be found.
pub fn has_set(variant: Variant) -> bool {
    steps(variant).is_some()
}

/// The numbers of the random games of a set, in ascending order, each as the difference to the one
/// before; 255 adds to the difference that follows. `scripts/edge.sh` makes these files.
fn steps(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::International => &include!("sets/international.txt"),
        Variant::English => &include!("sets/english.txt"),
        Variant::Italian => &include!("sets/italian.txt"),
        Variant::Spanish => &include!("sets/spanish.txt"),
        Variant::German => &include!("sets/german.txt"),
        Variant::Czech => &include!("sets/czech.txt"),
        _ => return None,
    })
}

/// The openings of a set.
///
/// # Errors
///
/// There is no set for the variant.
pub fn openings(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let steps = steps(variant).ok_or_else(|| {
        OpeningError::Input(format!(
            "the program has no edge openings of {variant}; `manoury openings --variant {variant} \
             --out FILE` makes some, to be used as --openings FILE"
        ))
    })?;
    let games = RandomGames::new(variant, SEED);
    let openings = numbers(steps).filter_map(|number| games.get(number)).zip(1..);
    Ok(openings.map(|(game, number)| Opening { name: format!("edge {number}"), game }).collect())
}

/// The numbers that steps lead to.
fn numbers(steps: &[u8]) -> impl Iterator<Item = u64> {
    let mut number = 0;
    steps.iter().filter_map(move |&step| {
        number += u64::from(step);
        (step < u8::MAX).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_steps_take_several_bytes() {
        assert_eq!(numbers(&[0, 3, 255, 0, 255, 255, 7]).collect::<Vec<_>>(), [0, 3, 258, 775]);
    }
}
