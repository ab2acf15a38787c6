//! Russian and Brazilian draughts on 8x8, with the draw rules of FMJD-64.

use super::{DrawRules, Ending, Material, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board8, Side};

/// A variant on 8x8 with flying kings and men that also capture backward.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MenBackward8 {
    pub(super) precedence: Precedence,
    pub(super) promotes_in_passing: bool,
}

impl Rules for MenBackward8 {
    type Geometry = Board8;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const FLYING_KINGS: bool = true;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        self.precedence
    }

    #[inline(always)]
    fn promotes_in_passing(self) -> bool {
        self.promotes_in_passing
    }
}

impl MenBackward8 {
    /// Russian draughts on 8x8: free choice of capture, promotion in passing. Men capture backward
    /// (1.5.3), and kings fly (1.4.5).
    ///
    /// *Codex of Russian draughts* 2004 (shashist.ru); the numbers below are its articles. Draw
    /// rules: FMJD-64, *Official rules*, chapter 7 (fmjd64.org/rules-of-the-game), as quoted on
    /// lidraughts.
    ///
    /// The rules leave some points open. The thirty and sixty moves of 7.2.6 are counted for each
    /// player, as on lidraughts. Article 7.2.7 covers three men against a king on the main road in
    /// the rules of the Russian federation but not in those of FMJD-64; here that ending is
    /// included. A capture or a promotion restarts every count, as in the rules of the Russian
    /// federation; on lidraughts the count of 7.2.8 continues.
    pub const RUSSIAN: Self = MenBackward8 {
        precedence: Precedence::Free,
        promotes_in_passing: true, // 1.5.15
    };
}

pub(super) static RUSSIAN: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: RUSSIAN_DRAWS,
    pdn_squares: PdnSquares::Algebraic,
    pdn_game_type: Some(25),
};

/// The limits of articles 7.2.3 to 7.2.8 of the FMJD-64 rules, in plies.
const RUSSIAN_DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 7.2.3
    king_moves: 30, // 7.2.5
    endings: &[
        THREE_KINGS,
        FEWER_PIECES,
        MORE_PIECES,
        Ending {
            article: "7.2.7",
            plies: 10,
            restarts: true,
            applies: |material| {
                material.is_lone_king_against(3, 3, 0) && material.is_lone_king_on_main_road()
            },
        },
        TWO_PIECES,
    ],
};

/// Three or more kings have fifteen moves to win against one king.
const THREE_KINGS: Ending = Ending {
    article: "7.2.4",
    plies: 30,
    restarts: true,
    applies: |material| material.is_lone_king_against(3, 12, 3),
};

/// A limit of thirty moves when both sides have kings and there are four or five pieces in all.
const FEWER_PIECES: Ending = Ending {
    article: "7.2.6, 4-5 pieces",
    plies: 60,
    restarts: true,
    applies: |material| has_kings_on_both_sides(material, 4, 5),
};

/// A limit of sixty moves when both sides have kings and there are six or seven pieces in all.
const MORE_PIECES: Ending = Ending {
    article: "7.2.6, 6-7 pieces",
    plies: 120,
    restarts: true,
    applies: |material| has_kings_on_both_sides(material, 6, 7),
};

/// Two kings, a king and a man, or one king have five moves to win against a king. There is no
/// limit for men alone.
const TWO_PIECES: Ending = Ending {
    article: "7.2.8",
    plies: 10,
    restarts: true,
    applies: |material| material.is_lone_king_against(1, 2, 1),
};

/// Whether each side has a king and the total number of pieces is between `least` and `most`.
fn has_kings_on_both_sides(material: Material, least: u8, most: u8) -> bool {
    let pieces = material.pieces(Side::White) + material.pieces(Side::Black);
    material.kings.iter().all(|&kings| kings > 0) && (least..=most).contains(&pieces)
}

impl MenBackward8 {
    /// Brazilian draughts: the international rules on 8x8.
    ///
    /// FMJD-64, *Official rules* (fmjd64.org/rules-of-the-game); the numbers below are its
    /// articles.
    ///
    /// The Brazilian confederation's own *Regras oficiais do jogo de damas* differ: twenty moves by
    /// each side with kings only (article 97b) instead of fifteen, and five moves also for two
    /// kings against two, and for one or two kings against a king and a man (99). The FMJD-64 rules
    /// are used in title tournaments and on lidraughts.
    pub const BRAZILIAN: Self =
        MenBackward8 { precedence: Precedence::Pieces, promotes_in_passing: false };
}

pub(super) static BRAZILIAN: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: BRAZILIAN_DRAWS,
    pdn_squares: PdnSquares::Algebraic,
    pdn_game_type: Some(26),
};

/// The limits of articles 7.2.3 to 7.2.8, in plies. In 7.2.7 one of the three pieces must be a
/// king, as in article 100 of the Brazilian confederation.
const BRAZILIAN_DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 7.2.3
    king_moves: 30, // 7.2.5
    endings: &[
        THREE_KINGS,
        FEWER_PIECES,
        MORE_PIECES,
        Ending {
            article: "7.2.7",
            plies: 10,
            restarts: true,
            applies: |material| {
                material.is_lone_king_against(3, 3, 1) && material.is_lone_king_on_main_road()
            },
        },
        TWO_PIECES,
    ],
};
