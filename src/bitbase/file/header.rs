//! What a file says about itself.

use bytemuck::{Pod, Zeroable};

use crate::bitbase::codec::{Grammar, Packed, Pair};
use crate::bitbase::counts::Counts;
use crate::bitbase::index::Index;
use crate::bitbase::slice::Slice;
use crate::rules::Rules;

use super::Content;
use super::error::Problem;

/// The first bytes of every file; the last of them ends what is text.
const MAGIC: [u8; 8] = *b"Manoury\x1a";
/// The version of the format.
const VERSION: u32 = 1;
/// The name of a game is not longer.
const NAME: usize = 16;

/// The start of a file. Numbers are little-endian; on a machine that reads them otherwise no file
/// has the right version.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    /// Men of the side to move and the opponent, then kings.
    slice: [u8; 4],
    /// The name of the game, filled up with zeros.
    variant: [u8; NAME],
    /// How many positions there are.
    len: u64,
    /// How many bytes of codes.
    codes: u64,
    /// Positions lost, drawn and won: without a capture to make, then with one. Zeros in a file of
    /// distances.
    counts: [[u64; 3]; 2],
    /// How many blocks of codes there are.
    blocks: u32,
    /// How many of the pairs count.
    used: u32,
    /// What the file tells: see [`Content`].
    content: u32,
    /// How many symbols of the grammar are values.
    values: u32,
    /// What the symbols of the grammar stand for, after the values.
    pairs: [Pair; 256],
}

impl Header {
    /// Of a file that is to be written.
    pub(super) fn new<R: Rules>(
        index: &Index<R>,
        content: Content,
        counts: Counts,
        packed: &Packed,
    ) -> Self {
        let Slice { men, kings } = index.slice();
        let used = packed.grammar.pairs();
        let mut pairs = [[0; 2]; 256];
        pairs[..used.len()].copy_from_slice(used);
        Header {
            magic: MAGIC,
            version: VERSION,
            slice: [men[0], men[1], kings[0], kings[1]],
            variant: variant::<R>(),
            len: index.len(),
            codes: packed.codes.len() as u64,
            counts: [counts.quiet, counts.capture],
            blocks: (packed.starts.len() - 1) as u32,
            used: used.len() as u32,
            content: content as u32,
            values: packed.grammar.values() as u32,
            pairs,
        }
    }

    /// Of a file; `None` if that is too short.
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        file.get(..size_of::<Header>()).map(bytemuck::pod_read_unaligned)
    }

    /// What of the file can be told wrong from its start: another kind of file, another version,
    /// another game, another slice, other contents.
    pub(super) fn check<R: Rules>(
        &self,
        index: &Index<R>,
        content: Content,
    ) -> Result<(), Problem> {
        let Slice { men, kings } = index.slice();
        if self.magic != MAGIC {
            return Err(Problem::NoBitbase);
        }
        if self.version != VERSION {
            return Err(Problem::Version(self.version));
        }
        let slice = [men[0], men[1], kings[0], kings[1]];
        let about = (self.variant, self.slice, self.content);
        if about != (variant::<R>(), slice, content as u32) {
            return Err(Problem::OtherSlice);
        }
        if self.len != index.len() || u64::from(self.blocks) != blocks(index.len()) {
            return Err(Problem::Corrupt);
        }
        Ok(())
    }

    /// How many positions have which value.
    pub(super) fn counts(&self) -> Counts {
        let [quiet, capture] = self.counts;
        Counts { quiet, capture }
    }

    /// What the codes stand for; `None` in a corrupt file.
    pub(super) fn grammar(&self) -> Option<Grammar> {
        Grammar::new(self.values as usize, self.pairs.get(..self.used as usize)?)
    }

    /// Where the codes begin.
    #[inline(always)]
    pub(super) fn codes_at(&self) -> usize {
        size_of::<Header>() + (self.blocks as usize + 1) * size_of::<u32>()
    }

    /// The size of the file in bytes, by what it says.
    pub(super) fn file_size(&self) -> Option<u64> {
        self.codes.checked_add((self.codes_at() + size_of::<u32>()) as u64)
    }
}

/// How many blocks so many positions take.
fn blocks(len: u64) -> u64 {
    len.div_ceil(crate::bitbase::codec::BLOCK)
}

/// The name of a game, filled up with zeros.
fn variant<R: Rules>() -> [u8; NAME] {
    let mut name = [0; NAME];
    for (to, &from) in name.iter_mut().zip(R::VARIANT.name().as_bytes()) {
        *to = from;
    }
    name
}
