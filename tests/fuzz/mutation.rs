//! Random mutations of inputs.

use std::path::PathBuf;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

/// The longest input, in bytes.
const LONGEST: usize = 1 << 16;

/// Texts with a meaning in one of the formats.
const WORDS: [&[u8]; 24] = [
    b" ",
    b"\n",
    b"\0",
    b":",
    b"x",
    b"-",
    b"=",
    b"\"",
    b"(",
    b"{",
    b"}",
    b",",
    b"W",
    b"B",
    b"K",
    b"0",
    b"50",
    b"99999999999",
    b"-1",
    b"1e999",
    b"nan",
    b"\xff\xfe",
    b"\xf0\x9f\x98\x80",
    b"moves",
];

/// A seed with one to four mutations.
pub fn mutate(seeds: &[(PathBuf, Vec<u8>)], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut seed = || seeds.choose(random).map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    let (mut bytes, other) = (seed(), seed());
    for _ in 0..random.random_range(1..=4) {
        change(&mut bytes, &other, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Xoshiro256PlusPlus) {
    let start = random.random_range(0..=bytes.len());
    let end = random.random_range(start..=bytes.len().min(start + 8));
    match random.random_range(0..6) {
        // Flip a bit.
        0 if start < bytes.len() => bytes[start] ^= 1 << random.random_range(0..8),
        // Replace a byte.
        1 if start < bytes.len() => bytes[start] = random.random(),
        // Cut the end off.
        2 => bytes.truncate(start),
        // Duplicate a part.
        3 => {
            let part = bytes[start..end].to_vec();
            bytes.splice(start..start, part);
        }
        // Replace a part by a word.
        4 => drop(
            bytes.splice(start..end, WORDS.choose(random).copied().unwrap_or_default().to_vec()),
        ),
        // Replace a part by one of another seed.
        _ => {
            let from = random.random_range(0..=other.len());
            let to = random.random_range(from..=other.len().min(from + 64));
            bytes.splice(start..end, other[from..to].to_vec());
        }
    }
}
