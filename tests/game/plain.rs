//! A plain move generator to check the real one against: it works on rows and columns, follows one
//! route at a time, and applies the rules of precedence only once it has all routes.

use std::collections::BTreeSet;

use manoury::board::{Kind, Piece, Side};
use manoury::erased::Position;
use manoury::rules::Variant;

/// A move by its squares: from, to, and the captured ones in ascending order.
pub type Numbers = (u8, u8, Vec<u8>);

/// The rules of a game, stated independently of the engine.
pub struct PlainRules {
    men_capture_backward: bool,
    men_capture_kings: bool,
    flying_kings: bool,
    orthogonal_captures: bool,
    /// Whether pieces stand on all squares, and move along rows and columns only, men also
    /// sideways.
    orthogonal_moves: bool,
    /// Whether captured pieces leave the board at once. Then a piece must not turn back.
    captured_at_once: bool,
    /// Whether a king must stop directly behind a king that it captures last.
    halt_behind_king: bool,
    /// Whether a man that reaches the far row within a capture continues as a king.
    pub promotion_in_passing: bool,
    /// Whether a side may move the same king only a few times in a row. The plain generator does
    /// not know this rule.
    pub limits_king_moves: bool,
    /// Whether the first king wins the game.
    first_king_wins: bool,
    /// What a legal capture must maximise, most important first.
    precedence: fn(&Route) -> Vec<usize>,
}

const INTERNATIONAL: PlainRules = PlainRules {
    men_capture_backward: true,
    men_capture_kings: true,
    flying_kings: true,
    orthogonal_captures: false,
    orthogonal_moves: false,
    captured_at_once: false,
    halt_behind_king: false,
    promotion_in_passing: false,
    limits_king_moves: false,
    first_king_wins: false,
    precedence: |route| vec![route.pieces()],
};

impl PlainRules {
    /// The rules of a variant.
    pub fn of(variant: Variant) -> Self {
        match variant {
            Variant::International | Variant::Losing | Variant::Brazilian | Variant::Canadian => {
                INTERNATIONAL
            }
            Variant::Killer => PlainRules { halt_behind_king: true, ..INTERNATIONAL },
            Variant::Breakthrough => PlainRules { first_king_wins: true, ..INTERNATIONAL },
            Variant::Frisian | Variant::Frysk => PlainRules {
                orthogonal_captures: true,
                limits_king_moves: true,
                // A king is worth 1.99 men.
                precedence: |route| {
                    let men = route.pieces() - route.kings();
                    vec![men * 100 + route.kings() * 199, route.by_king.into()]
                },
                ..INTERNATIONAL
            },
            Variant::Russian => {
                PlainRules { promotion_in_passing: true, precedence: |_| vec![], ..INTERNATIONAL }
            }
            Variant::Pool => PlainRules { precedence: |_| vec![], ..INTERNATIONAL },
            Variant::English => PlainRules {
                men_capture_backward: false,
                flying_kings: false,
                precedence: |_| vec![],
                ..INTERNATIONAL
            },
            Variant::Italian => PlainRules {
                men_capture_backward: false,
                men_capture_kings: false,
                flying_kings: false,
                // Last of all, kings as early as possible.
                precedence: |route| {
                    let mut rank = vec![route.pieces(), route.by_king.into(), route.kings()];
                    rank.extend(route.kinds.iter().map(|&kind| usize::from(kind == Kind::King)));
                    rank
                },
                ..INTERNATIONAL
            },
            Variant::Spanish => PlainRules {
                men_capture_backward: false,
                precedence: |route| vec![route.pieces(), route.kings()],
                ..INTERNATIONAL
            },
            Variant::German => {
                PlainRules { men_capture_backward: false, precedence: |_| vec![], ..INTERNATIONAL }
            }
            Variant::Czech => PlainRules {
                men_capture_backward: false,
                precedence: |route| vec![route.by_king.into()],
                ..INTERNATIONAL
            },
            Variant::Turkish => PlainRules {
                men_capture_backward: false,
                orthogonal_moves: true,
                captured_at_once: true,
                ..INTERNATIONAL
            },
        }
    }
}

/// A complete route of a capture.
struct Route {
    numbers: Numbers,
    /// The captured pieces in order.
    kinds: Vec<Kind>,
    by_king: bool,
}

impl Route {
    fn pieces(&self) -> usize {
        self.kinds.len()
    }

    fn kings(&self) -> usize {
        self.kinds.iter().filter(|&&kind| kind == Kind::King).count()
    }
}

/// A row and a column. Outside the board one of them is a large number.
type Cell = (usize, usize);

/// A jump: its victim, the cells on which it may land, and its direction.
struct Jump {
    victim: Cell,
    landings: Vec<Cell>,
    direction: (isize, isize),
}

/// A capture in progress.
#[derive(Clone)]
struct Capture {
    start: Cell,
    by_king: bool,
    kind: Kind,
    at: Cell,
    /// The direction of the last jump.
    came: Option<(isize, isize)>,
    taken: Vec<Cell>,
}

/// All routes of the captures in a position.
struct Routes<'a> {
    position: &'a Position,
    rules: PlainRules,
    routes: Vec<Route>,
}

impl Routes<'_> {
    fn square(&self, (row, column): Cell) -> Option<u8> {
        let small = |number| u8::try_from(number).ok();
        self.position.grid().at(small(row)?, small(column)?)
    }

    fn number(&self, cell: Cell) -> u8 {
        self.square(cell).unwrap()
    }

    /// The piece on a cell, unless it has left it.
    fn piece(&self, cell: Cell, left: &[Cell]) -> Option<Piece> {
        if left.contains(&cell) { None } else { self.position.piece_on(self.square(cell)?) }
    }

    fn is_free(&self, cell: Cell, left: &[Cell]) -> bool {
        self.square(cell).is_some() && self.piece(cell, left).is_none()
    }

    fn forward(&self) -> isize {
        if self.position.side() == Side::White { -1 } else { 1 }
    }

    /// The directions of moves; a man does not move backward.
    fn directions(&self, kind: Kind) -> Vec<(isize, isize)> {
        let mut directions = match self.rules.orthogonal_moves {
            true => vec![(-1, 0), (1, 0), (0, -1), (0, 1)],
            false => vec![(-1, -1), (-1, 1), (1, -1), (1, 1)],
        };
        if kind == Kind::Man {
            directions.retain(|direction| direction.0 != -self.forward());
        }
        directions
    }

    fn capture_directions(&self, kind: Kind) -> Vec<(isize, isize)> {
        let is_backward = self.rules.men_capture_backward;
        let mut directions = self.directions(if is_backward { Kind::King } else { kind });
        if self.rules.orthogonal_captures {
            directions.extend([(-2, 0), (2, 0), (0, -2), (0, 2)]);
        }
        directions
    }

    /// The next jumps of a capture.
    fn jumps(&self, capture: &Capture) -> Vec<Jump> {
        let Capture { kind, ref taken, .. } = *capture;
        let is_flying = kind == Kind::King && self.rules.flying_kings;
        // The cells that pieces have left.
        let mut left = vec![capture.start];
        let mut directions = self.capture_directions(kind);
        if self.rules.captured_at_once {
            left.extend(taken);
            directions.retain(|&(rows, columns)| capture.came != Some((-rows, -columns)));
        }
        let mut jumps = Vec::new();
        for direction in directions {
            let mut cell = step(capture.at, direction);
            while is_flying && self.is_free(cell, &left) {
                cell = step(cell, direction);
            }
            let Some(victim) = self.square(cell).and_then(|_| self.piece(cell, &left)) else {
                continue;
            };
            let is_immune =
                kind == Kind::Man && victim.kind == Kind::King && !self.rules.men_capture_kings;
            if victim.side == self.position.side() || taken.contains(&cell) || is_immune {
                continue;
            }
            let victim = cell;
            let mut landings = Vec::new();
            cell = step(cell, direction);
            while self.is_free(cell, &left) {
                landings.push(cell);
                cell = step(cell, direction);
                if !is_flying {
                    break;
                }
            }
            if !landings.is_empty() {
                jumps.push(Jump { victim, landings, direction });
            }
        }
        jumps
    }

    /// Extends a capture in every way; returns whether it could be extended.
    fn follow(&mut self, capture: &Capture) -> bool {
        let jumps = self.jumps(capture);
        for Jump { victim, landings, direction } in &jumps {
            let mut next = Capture { came: Some(*direction), ..capture.clone() };
            next.taken.push(*victim);
            let mut goes_on = false;
            for &landing in landings {
                let is_far = landing.0 == far_row(self.position);
                let promoted = self.rules.promotion_in_passing && is_far;
                next.at = landing;
                next.kind = if promoted { Kind::King } else { capture.kind };
                goes_on |= self.follow(&next);
            }
            if !goes_on {
                let last = self.position.piece_on(self.number(*victim)).unwrap();
                let is_last_king = last.kind == Kind::King;
                let halts = self.rules.halt_behind_king && capture.by_king && is_last_king;
                let ends = if halts { &landings[..1] } else { &landings[..] };
                for &end in ends {
                    self.end(end, &next);
                }
            }
        }
        !jumps.is_empty()
    }

    fn end(&mut self, end: Cell, capture: &Capture) {
        let mut captured: Vec<_> = capture.taken.iter().map(|&cell| self.number(cell)).collect();
        let kind = |&square: &u8| self.position.piece_on(square).unwrap().kind;
        let kinds = captured.iter().map(kind).collect();
        captured.sort_unstable();
        let numbers = (self.number(capture.start), self.number(end), captured);
        self.routes.push(Route { numbers, kinds, by_king: capture.by_king });
    }

    fn quiets(&self, at: Cell, kind: Kind) -> Vec<Numbers> {
        let mut moves = Vec::new();
        for direction in self.directions(kind) {
            let mut cell = step(at, direction);
            while self.is_free(cell, &[at]) {
                moves.push((self.number(at), self.number(cell), Vec::new()));
                if kind == Kind::Man || !self.rules.flying_kings {
                    break;
                }
                cell = step(cell, direction);
            }
        }
        moves
    }
}

fn step((row, column): Cell, direction: (isize, isize)) -> Cell {
    (row.wrapping_add_signed(direction.0), column.wrapping_add_signed(direction.1))
}

/// The row where the men of the side to move become kings.
pub fn far_row(position: &Position) -> usize {
    match position.side() {
        Side::White => 0,
        Side::Black => usize::from(position.grid().size) - 1,
    }
}

/// The legal moves, by the plain generator.
pub fn legal_moves(position: &Position) -> BTreeSet<Numbers> {
    let side = position.side();
    let rules = PlainRules::of(position.variant());
    if rules.first_king_wins && position.kings(side.opponent()).is_some() {
        return BTreeSet::new();
    }
    let mut search = Routes { position, rules, routes: Vec::new() };
    let mut quiets = BTreeSet::new();
    let size = usize::from(position.grid().size);
    for at in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        let Some(piece) = search.square(at).and_then(|square| position.piece_on(square)) else {
            continue;
        };
        if piece.side == side {
            let by_king = piece.kind == Kind::King;
            let (came, taken) = (None, Vec::new());
            search.follow(&Capture { start: at, by_king, kind: piece.kind, at, came, taken });
            quiets.extend(search.quiets(at, piece.kind));
        }
    }
    let rank = search.rules.precedence;
    let Some(best) = search.routes.iter().map(rank).max() else {
        return quiets;
    };
    let best = search.routes.into_iter().filter(|route| rank(route) == best);
    best.map(|route| route.numbers).collect()
}
