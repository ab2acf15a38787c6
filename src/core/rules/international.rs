//! International draughts on 10x10, and variants derived from it.

use super::{DrawRules, Ending, Goal, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board10, Board12, Side};

/// International draughts on 10x10.
///
/// FMJD, *Official rules of international draughts*, Annex 1, November 2015 (the lidraughts sources
/// include a copy). The numbers below are its articles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct International;

impl Rules for International {
    type Geometry = Board10; // 2.1, 2.4
    const MEN_CAPTURE_BACKWARD: bool = true; // 4.1
    const FLYING_KINGS: bool = true; // 3.9

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::Pieces // 4.13, 4.14
    }
}

/// A variant on 10x10 with the international moves and captures but a different goal or a different
/// rule for kings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InternationalVariation {
    goal: Goal,
    halts_behind_king: bool,
}

impl Rules for InternationalVariation {
    type Geometry = Board10;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        International.precedence()
    }

    #[inline(always)]
    fn halts_behind_king(self) -> bool {
        self.halts_behind_king
    }

    #[inline(always)]
    fn goal(self) -> Goal {
        self.goal
    }
}

pub(super) static INTERNATIONAL: VariantSetup = VariantSetup {
    start_rows: 0..4, // 2.8
    first: Side::White,
    draws: INTERNATIONAL_DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(20),
};

/// The limits of article 6 of Annex 1, in plies. The counts of 6.3 and 6.4 continue through man
/// moves and captures.
const INTERNATIONAL_DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 6.1
    king_moves: 50, // 6.2
    endings: &[
        Ending {
            article: "6.3",
            plies: 32,
            restarts: false,
            applies: |material| material.is_lone_king_against(3, 3, 1),
        },
        Ending {
            article: "6.4",
            plies: 10,
            restarts: false,
            applies: |material| material.is_lone_king_against(1, 2, 1),
        },
    ],
};

impl InternationalVariation {
    /// Killer draughts: a king that ends a capture by taking another king must stop directly behind
    /// it.
    ///
    /// Christian Freeling's rules (mindsports.nl, "Killer draughts"); otherwise as in international
    /// draughts. The rules do not mention draws. Two kings win against one, so the move limits of
    /// articles 6.3 and 6.4 would be pointless; here the only draw is by repetition, as in Hub and
    /// Scan.
    pub const KILLER: Self = InternationalVariation { goal: Goal::Block, halts_behind_king: true };
}

pub(super) static KILLER: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: None,
};

impl InternationalVariation {
    /// Breakthrough draughts: the first side to get a king wins.
    ///
    /// Rules as on lidraughts (lidraughts.org/variant/breakthrough); otherwise as in international
    /// draughts. A draw is impossible.
    pub const BREAKTHROUGH: Self =
        InternationalVariation { goal: Goal::King, halts_behind_king: false };
}

pub(super) static BREAKTHROUGH: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::NONE,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(96),
};

impl InternationalVariation {
    /// Losing draughts, or antidraughts: the side that cannot move wins.
    ///
    /// Rules as on lidraughts (lidraughts.org/variant/antidraughts); otherwise as in international
    /// draughts. The only draw is by repetition; no federation publishes other rules.
    pub const LOSING: Self = InternationalVariation { goal: Goal::Lose, halts_behind_king: false };
}

pub(super) static LOSING: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(98),
};

/// Canadian draughts: the international rules on 12x12.
///
/// Association québécoise des joueurs de dames, *Règlements* (dames.quebecjeux.org/reglements): the
/// same as international draughts except for the board size. A game is drawn by repetition and
/// after 25 consecutive king moves by each side. The source does not say whether the limits for
/// endings with few kings, designed for the smaller board, also apply; here they do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Canadian;

impl Rules for Canadian {
    type Geometry = Board12;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        International.precedence()
    }
}

pub(super) static CANADIAN: VariantSetup = VariantSetup {
    start_rows: 0..5,
    first: Side::White,
    draws: DrawRules { repetition: 3, king_moves: 50, endings: &[] },
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(27),
};
