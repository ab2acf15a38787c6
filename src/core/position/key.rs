//! Zobrist keys (A. L. Zobrist, *A new hashing method with application for game playing*, 1970).

use crate::board::{BitMove, Bitboard, Geometry, Kind, Side, Square};
use crate::rules::Rules;

use super::{BitPosition, KingRun};

/// The Zobrist key of a position. Equal positions have equal keys; different positions almost
/// always have different ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key(pub u64);

/// A random number for each side, kind and square.
const PIECES: &[[[u64; 128]; 2]; 2] = &{
    let mut table = [[[0; 128]; 2]; 2];
    let mut seed = 0x6d61_6e6f_7572_7931;
    let mut entry = 0;
    while entry < 512 {
        seed = next_seed(seed);
        table[entry / 256][entry / 128 % 2][entry % 128] = mix(seed);
        entry += 1;
    }
    table
};

/// XORed in when Black is to move.
const BLACK_TO_MOVE: u64 = mix(0x6d61_6e6f_7572_7932);

/// One step of SplitMix64 (Steele, Lea, Flood 2014), implemented here because the generators in
/// crates cannot run at compile time.
const fn next_seed(seed: u64) -> u64 {
    seed.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The output function of SplitMix64.
const fn mix(seed: u64) -> u64 {
    let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Key {
    #[inline(always)]
    fn toggled(self, side: Side, kind: Kind, square: Square) -> Self {
        Key(self.0 ^ PIECES[side.index()][kind.index()][square.index()])
    }

    #[inline(always)]
    fn with_other_side(self) -> Self {
        Key(self.0 ^ BLACK_TO_MOVE)
    }

    /// The key after a change of the three-king-moves counters.
    pub(super) fn with_king_runs(
        self,
        old: [KingRun<Square>; 2],
        new: [KingRun<Square>; 2],
    ) -> Self {
        Side::ALL.into_iter().fold(self, |key, side| {
            key.toggled_run(side, old[side.index()]).toggled_run(side, new[side.index()])
        })
    }

    fn toggled_run(self, side: Side, run: KingRun<Square>) -> Self {
        match run.square() {
            None => self,
            Some(square) => {
                let random = PIECES[side.index()][Kind::King.index()][square.index()];
                Key(self.0 ^ random.rotate_left(16 * u32::from(run.count())))
            }
        }
    }
}

impl<R: Rules> BitPosition<R> {
    /// Computes the key from scratch; [`BitPosition::after`] updates it incrementally.
    pub fn computed_key(&self) -> Key {
        let mut key = Key::default();
        for side in Side::ALL {
            for kind in [Kind::Man, Kind::King] {
                key = self
                    .pieces_of(side, kind)
                    .squares()
                    .fold(key, |key, square| key.toggled(side, kind, square));
            }
        }
        if self.side() == Side::Black {
            key = key.with_other_side();
        }
        key.with_king_runs([KingRun::default(); 2], self.king_runs)
    }

    /// The key after a move, with the three-king-moves counters not yet updated.
    #[inline(always)]
    pub(super) fn key_after(
        &self,
        us: Side,
        mv: BitMove<R::Geometry>,
        was_king: bool,
        is_king: bool,
    ) -> Key {
        let kind = |king| if king { Kind::King } else { Kind::Man };
        let moved = self
            .key
            .toggled(us, kind(was_king), mv.from)
            .toggled(us, kind(is_king), mv.to)
            .with_other_side();
        self.without_captured(moved, us.opponent(), mv.captured)
    }

    #[inline(always)]
    fn without_captured(&self, key: Key, side: Side, captured: Bitboard<R::Geometry>) -> Key {
        captured.squares().fold(key, |key, square| {
            let kind = if self.all_kings().has(square) { Kind::King } else { Kind::Man };
            key.toggled(side, kind, square)
        })
    }
}

/// [`PIECES`] covers every bit index of the largest layout.
const _: () = assert!(<crate::board::Board12 as Geometry>::BITS <= 128);
