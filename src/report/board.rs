//! Boards as SVG pictures.

use crate::board::{Grid, Kind, Piece, Side, SquareSet};
use crate::erased::Position;
use crate::notation::{fen, squares};
use crate::rules::Variant;

/// A position with marks, for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The position.
    pub position: Position,
    /// The side at the bottom.
    pub bottom: Side,
    /// Highlighted squares, such as those of the last move.
    pub marked: SquareSet,
    /// Squares with a dot, such as the targets of moves; only in pictures.
    pub dotted: SquareSet,
    /// Arrows from one square to another; only in pictures.
    pub arrows: Vec<[u8; 2]>,
}

impl Diagram {
    /// A position seen from one side, without marks.
    pub fn new(position: Position, bottom: Side) -> Self {
        let none = SquareSet::EMPTY;
        Diagram { position, bottom, marked: none, dotted: none, arrows: Vec::new() }
    }

    pub(super) fn grid(&self) -> Grid {
        self.position.grid()
    }

    /// The row and column at which a square is shown.
    fn shown_at(&self, square: u8) -> [u8; 2] {
        let rotated_square = self.rotated_square(square);
        [self.grid().row(rotated_square), self.grid().column(rotated_square)]
    }

    /// The given square, rotated by 180 degrees if Black is at the bottom.
    pub(super) fn rotated_square(&self, square: u8) -> u8 {
        match self.bottom {
            Side::White => square,
            Side::Black => self.grid().rotated(square),
        }
    }
}

/// A piece as a letter: `w` and `b` for men, `W` and `B` for kings.
pub fn letter(piece: Piece) -> char {
    match (piece.side, piece.kind) {
        (Side::White, Kind::Man) => 'w',
        (Side::White, Kind::King) => 'W',
        (Side::Black, Kind::Man) => 'b',
        (Side::Black, Kind::King) => 'B',
    }
}

/// The side length of a square in SVG units; the picture scales to its container.
const SQUARE: f64 = 50.0;
/// The radius of a piece, whose diameter is 86 % of the side of a square.
const RADIUS: f64 = 21.5;
/// The vertical offset of a piece's shadow.
const SHADOW_OFFSET: f64 = 1.8;
/// The distance of the tip of an arrow from the centre of its target square.
const ARROW_GAP: f64 = 10.0;

const LIGHT: &str = "#f0dfbf";
const DARK: &str = "#a5733f";
/// The colour of playable light squares.
const PLAYABLE_LIGHT: &str = "#b98a58";
const MARKED: &str = "#7d8f35";
const ARROW: &str = "#1565c0";

/// A position as a complete SVG document, with its FEN as the title.
pub fn svg(diagram: &Diagram) -> String {
    let size = diagram.grid().size;
    let side = f64::from(size) * SQUARE;
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" role=\"img\" \
         font-family=\"sans-serif\">\n<title>{}</title>\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"{LIGHT}\"/>\n",
        fen::format(&diagram.position),
    );
    for square in diagram.grid().playable().numbers() {
        picture += &square_svg(diagram, square);
    }
    for arrow in &diagram.arrows {
        picture += &arrow_svg(diagram, *arrow);
    }
    picture + "</svg>\n"
}

/// SVG definitions of the empty board of a variant: `board-NAME`, and `board-NAME-flipped` with
/// Black at the bottom.
pub fn empty_boards(variant: Variant) -> String {
    let drawing = |bottom, suffix| {
        let diagram = Diagram::new(Position::start(variant), bottom);
        let side = f64::from(diagram.grid().size) * SQUARE;
        let squares = diagram.grid().playable().numbers();
        let squares: String = squares.map(|square| background(&diagram, square)).collect();
        format!(
            "<g id=\"board-{}{suffix}\" font-family=\"sans-serif\">\n\
             <rect class=\"light\" width=\"{side}\" height=\"{side}\" fill=\"{LIGHT}\"/>\n\
             {squares}</g>\n",
            variant.name(),
        )
    };
    drawing(Side::White, "") + &drawing(Side::Black, "-flipped")
}

/// SVG definitions of the pieces, centred on the origin: `piece-w`, `piece-W`, `piece-b`,
/// `piece-B`.
pub fn piece_drawings() -> String {
    let kinds = [Kind::Man, Kind::King];
    let pieces = Side::ALL.into_iter().flat_map(|side| kinds.map(|kind| Piece { side, kind }));
    let drawing = |piece| {
        format!("<g id=\"piece-{}\">\n{}</g>\n", letter(piece), piece_svg(piece, [0.0, 0.0]))
    };
    pieces.map(drawing).collect()
}

/// An empty playable square with its name.
fn background(diagram: &Diagram, square: u8) -> String {
    let [x, y] = corner(diagram, square);
    let [class, background] = match diagram.grid().is_light(square) {
        _ if diagram.marked.has(square) => ["marked", MARKED],
        true => ["playable", PLAYABLE_LIGHT],
        false => ["dark", DARK],
    };
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
         fill=\"{background}\"/>\n\
         <text class=\"square-name\" x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"{LIGHT}\">{}</text>\n",
        x + 2.0,
        y + 10.0,
        squares::pdn_name(diagram.position.variant(), square),
    )
}

/// A playable square with its piece and dot.
fn square_svg(diagram: &Diagram, square: u8) -> String {
    let mut drawn = background(diagram, square);
    if let Some(piece) = diagram.position.piece_on(square) {
        drawn += &piece_svg(piece, center(diagram, square));
    }
    if diagram.dotted.has(square) {
        let [x, y] = center(diagram, square);
        drawn += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{ARROW}\"/>\n");
    }
    drawn
}

/// Draws a man as a disc with a ring, or a king as two stacked discs with a crown.
fn piece_svg(piece: Piece, [x, y]: [f64; 2]) -> String {
    let [fill, line] = match piece.side {
        Side::White => ["#fdfaf2", "#5b4a32"],
        Side::Black => ["#2b2622", "#b8a888"],
    };
    let shadow = |y: f64| {
        let y = y + SHADOW_OFFSET;
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill-opacity=\"0.3\"/>\n")
    };
    let disc = |y: f64| {
        format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"{line}\" \
             stroke-width=\"1.5\"/>\n"
        )
    };
    let ring = |y: f64, radius: f64| {
        format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{line}\" \
             stroke-width=\"1.5\"/>\n"
        )
    };
    match piece.kind {
        Kind::Man => shadow(y) + &disc(y) + &ring(y, 0.7 * RADIUS),
        Kind::King => {
            shadow(y + 1.5) + &disc(y + 1.5) + &disc(y - 2.5) + &crown([x, y - 2.5], line)
        }
    }
}

/// A crown with three points, centred on the given point.
fn crown([x, y]: [f64; 2], colour: &str) -> String {
    format!(
        "<path d=\"M{} {}l4 -13l5 7l3 -9l3 9l5 -7l4 13z\" fill=\"{colour}\"/>\n",
        x - 12.0,
        y + 7.0,
    )
}

/// An arrow from the centre of one square towards the centre of another.
fn arrow_svg(diagram: &Diagram, [from, to]: [u8; 2]) -> String {
    const HEAD: f64 = 14.0;
    let [start, end] = [from, to].map(|square| center(diagram, square));
    let offset = [end[0] - start[0], end[1] - start[1]];
    let length = offset[0].hypot(offset[1]);
    if length < SQUARE {
        // The move is a capture that ends on its start square.
        return String::new();
    }
    let step = offset.map(|part| part / length);
    // The point at distance `before` from the centre of the target square, and at distance `aside`
    // from the line of the arrow.
    let at = |before: f64, aside: f64| {
        let x = end[0] - before * step[0] - aside * step[1];
        let y = end[1] - before * step[1] + aside * step[0];
        format!("{x:.1} {y:.1}")
    };
    let base = ARROW_GAP + HEAD;
    format!(
        "<g opacity=\"0.8\"><path d=\"M{} {}L{}\" stroke=\"{ARROW}\" stroke-width=\"7\"/>\
         <path d=\"M{}L{}L{}z\" fill=\"{ARROW}\"/></g>\n",
        start[0],
        start[1],
        at(base, 0.0),
        at(base, 10.0),
        at(base, -10.0),
        at(ARROW_GAP, 0.0),
    )
}

/// The upper left corner of a square: x and y.
fn corner(diagram: &Diagram, square: u8) -> [f64; 2] {
    let [row, column] = diagram.shown_at(square);
    [column, row].map(|place| f64::from(place) * SQUARE)
}

/// The centre of a square: x and y.
fn center(diagram: &Diagram, square: u8) -> [f64; 2] {
    corner(diagram, square).map(|place| place + SQUARE / 2.0)
}
