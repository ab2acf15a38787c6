/** The board: a picture, covered by squares that can be clicked or reached with the keyboard. */

import { byId, drawn, element } from "./dom.js";
import { settings } from "./settings.js";
import { text } from "./texts.js";

/** The side of a square in the picture. */
const SQUARE = 50;
/** Milliseconds of one step of a moving piece, by setting. */
const STEP_TIMES = { off: 0, fast: 70, normal: 140, slow: 320 };
/** How long a finger must rest on a square to start drawing, in milliseconds. */
const LONG_PRESS = 500;
/** The distance that a pointer must move to start a drag, in pixels. */
const DRAG_DISTANCE = 6;

const PIECES = { w: "white_man", W: "white_king", b: "black_man", B: "black_king" };
/** The steps of the arrow keys pressed with Shift: rows and columns. */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The groups of the picture, from bottom to top. */
const GROUPS = ["ground", "numbers", "marks", "pieces", "arrows", "shapes"];

export class Board {
  #picture = drawn("svg", { id: "picture", "aria-hidden": "true" });
  #handlers;
  /** The board as the engine describes it. */
  #board = null;
  #variant = "";
  #isFlipped = false;
  /** The pieces shown, one letter per square. */
  #pieces = "";
  /** The buttons of the squares by number. */
  #squares = [];
  /** The drawn pieces by square. */
  #drawn = new Map();
  #animation = null;
  /** The number of calls of `show`. */
  #showCount = 0;
  /** The highlighted squares and the arrows, which are redrawn when the board is turned. */
  #marks = {};
  #arrows = [];
  #shapes = [];

  /**
   * @param {object} handlers
   * @param {(from: number, to: number) => void} handlers.onDraw receives the squares of an arrow
   *   drawn with the right button or after a long press; for a circle, the same square twice
   * @param {(square: number) => void} handlers.onChoose receives a square chosen with the keyboard,
   *   0 for none
   * @param {(square: number) => void} handlers.onPress receives the square on which a pointer was
   *   pressed
   * @param {(from: number, to: number) => void} handlers.onRelease receives the pressed square, and
   *   the square on which the pointer was released, 0 if off the board
   */
  constructor(handlers) {
    this.#handlers = handlers;
    this.#picture.append(
      drawn("defs", { id: "drawings" }),
      ...GROUPS.map((id) => drawn("g", { id, class: id })),
    );
    const squares = element("div", { id: "squares", role: "grid", "data-label": "board_grid" });
    byId("board").append(this.#picture, squares);
    byId("squares").addEventListener("keydown", (event) => this.#key(event));
    byId("squares").addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Adds drawings that all boards share, such as those of the pieces. */
  static addDrawings(drawings) {
    byId("drawings").insertAdjacentHTML("beforeend", drawings);
  }

  get isFlipped() {
    return this.#isFlipped;
  }

  /** Shows the board of a variant. */
  set(variant, board) {
    if (!document.getElementById(`board-${variant}`)) Board.addDrawings(board.drawing);
    this.#variant = variant;
    this.#board = board;
    this.#pieces = "";
    this.#marks = {};
    this.#arrows = [];
    this.#shapes = [];
    this.#layOut();
  }

  /** Sets which side is at the bottom. */
  flip(isFlipped) {
    this.#isFlipped = isFlipped;
    if (this.#board) this.#layOut();
  }

  /** The name of a square in the notation of the game. */
  squareName(square) {
    return this.#board.squares[square - 1][2];
  }

  /**
   * Shows pieces, given as a letter or a dot for each square.
   *
   * @param {string} pieces
   * @param {{from: number, way: number[], captured: number[]}} [move] the move to animate, if any
   */
  async show(pieces, move) {
    const count = ++this.#showCount;
    this.#animation?.cancel();
    const stepTime = prefersReducedMotion() ? 0 : STEP_TIMES[settings.get("animation")];
    if (move && this.#drawn.has(move.from) && stepTime > 0) await this.#animate(move, stepTime);
    // A later call has replaced these pieces during the animation.
    if (count !== this.#showCount) return;
    this.#pieces = pieces;
    this.#drawPieces();
    this.#labelSquares();
  }

  /** A small picture of a position, with highlighted squares and arrows as in `showArrows`. */
  small(pieces, highlighted = [], arrows = []) {
    const side = this.#board.size * SQUARE;
    const picture = drawn("svg", { class: "small-board", viewBox: `0 0 ${side} ${side}` });
    const marks = drawn("g", { class: "marks" });
    marks.append(...highlighted.map((square) => this.#mark("last", square)));
    const over = drawn("g", { class: "arrows" });
    over.append(...this.#drawArrows(arrows));
    const discs = this.#discs(pieces).values();
    picture.append(drawn("use", { href: this.#ground() }), marks, ...discs, over);
    return picture;
  }

  /**
   * Highlights squares by class: `last`, `must` for pieces that must capture, `selected`, `target`.
   * Squares of the class `movable` are not drawn; they change only the pointer.
   */
  mark(marks) {
    this.#marks = marks;
    const drawnMarks = Object.entries(marks)
      .filter(([kind]) => kind !== "movable")
      .flatMap(([kind, squares]) => squares.map((square) => this.#mark(kind, square)));
    byId("marks").replaceChildren(...drawnMarks);
    const selected = marks.selected ?? [];
    this.#squares.forEach((button, index) => {
      if (!button) return;
      button.setAttribute("aria-selected", String(selected.includes(index)));
      button.classList.toggle("movable", (marks.movable ?? []).includes(index));
    });
    this.#labelSquares(marks.target);
  }

  /** Draws arrows, each given as two squares and a class. */
  showArrows(arrows) {
    this.#arrows = arrows;
    byId("arrows").replaceChildren(...this.#drawArrows(arrows));
  }

  #drawArrows(arrows) {
    return arrows.flatMap(({ from, to, kind }) =>
      arrow(this.#middle(from), this.#middle(to), kind),
    );
  }

  /**
   * Draws the user's arrows and circles. Those from a file may name squares that this board does
   * not have.
   */
  showShapes(shapes) {
    const has = (square) => this.#board.squares[square - 1] !== undefined;
    this.#shapes = shapes.filter(({ from, to }) => has(from) && has(to));
    byId("shapes").replaceChildren(
      ...this.#shapes.flatMap(({ from, to }) =>
        from === to
          ? [circle(this.#middle(from), "own")]
          : arrow(this.#middle(from), this.#middle(to), "own"),
      ),
    );
  }

  #mark(kind, square) {
    if (kind === "target") {
      const [cx, cy] = this.#middle(square);
      return drawn("circle", { class: kind, cx, cy, r: SQUARE / 5 });
    }
    const [x, y] = this.#corner(square);
    // A frame is drawn inside its square.
    const inset = kind === "must" ? 1.5 : 0;
    const size = SQUARE - 2 * inset;
    return drawn("rect", { class: kind, x: x + inset, y: y + inset, width: size, height: size });
  }

  #ground() {
    return `#board-${this.#variant}${this.#isFlipped ? "-flipped" : ""}`;
  }

  /** Draws the empty board and places the squares over it. */
  #layOut() {
    const { size, squares } = this.#board;
    const side = size * SQUARE;
    this.#picture.setAttribute("viewBox", `0 0 ${side} ${side}`);
    byId("ground").replaceChildren(drawn("use", { href: this.#ground() }));
    const grid = byId("squares");
    grid.style.setProperty("--size", size);
    const places = Array.from({ length: size }, () => Array(size).fill(null));
    squares.forEach(([row, column], index) => {
      const [top, left] = this.#shown(row, column);
      places[top][left] = index + 1;
    });
    this.#squares = [];
    grid.replaceChildren(
      ...places.map((row) =>
        element("div", { role: "row" }, ...row.map((square) => this.#cell(square))),
      ),
    );
    this.#squares[squares.length]?.setAttribute("tabindex", "0");
    this.#drawPieces();
    this.mark(this.#marks);
    this.showArrows(this.#arrows);
    this.showShapes(this.#shapes);
  }

  #cell(square) {
    if (square === null) return element("span", { role: "gridcell", "aria-hidden": "true" });
    const button = element("div", { role: "gridcell", tabindex: "-1", class: "square" });
    button.dataset.square = square;
    button.addEventListener("pointerdown", (event) => this.#press(event, square));
    // Screen readers send clicks without pointer events.
    button.addEventListener(
      "click",
      (event) => event.detail === 0 && this.#handlers.onChoose(square),
    );
    this.#squares[square] = button;
    return button;
  }

  /** Labels the squares for screen readers. */
  #labelSquares(targets = []) {
    this.#squares.forEach((button, square) => {
      const piece = PIECES[this.#pieces[square - 1]];
      const parts = [this.squareName(square), piece ? text(piece) : text("empty")];
      if (targets.includes(square)) parts.push(text("target"));
      button.setAttribute("aria-label", parts.join(", "));
    });
  }

  #drawPieces() {
    this.#drawn = this.#discs(this.#pieces);
    byId("pieces").replaceChildren(...this.#drawn.values());
    const names = this.#board.squares.map(([, , name], index) => {
      const [x, y] = this.#corner(index + 1);
      const isOccupied = this.#drawn.has(index + 1);
      const number = drawn("text", { x: x + 2, y: y + 10, class: isOccupied ? "occupied" : "" });
      number.append(name);
      return number;
    });
    byId("numbers").replaceChildren(...names);
  }

  /** The drawn pieces by square. */
  #discs(pieces) {
    const discs = new Map();
    [...pieces].forEach((letter, index) => {
      if (letter === ".") return;
      const [x, y] = this.#middle(index + 1);
      discs.set(index + 1, drawn("use", { href: `#piece-${letter}`, x, y }));
    });
    return discs;
  }

  /** Moves a piece along its path while the captured pieces fade. */
  async #animate({ from, way, captured }, stepTime) {
    const piece = this.#drawn.get(from);
    const [startX, startY] = this.#middle(from);
    const places = [from, ...way].map((square) => this.#middle(square));
    const frames = places.map(([x, y]) => ({
      transform: `translate(${x - startX}px, ${y - startY}px)`,
    }));
    byId("pieces").append(piece);
    const duration = stepTime * way.length;
    const fades = captured.map((square) =>
      this.#drawn.get(square)?.animate({ opacity: [1, 0.2] }, { duration, fill: "forwards" }),
    );
    const animation = piece.animate(frames, { duration, easing: "ease-in-out", fill: "forwards" });
    this.#animation = { cancel: () => [animation, ...fades].forEach((one) => one?.finish()) };
    await animation.finished.catch(() => {});
    this.#animation = null;
  }

  /** Handles a press on a square: a click, or the start of a drag to a different square. */
  #press(event, square) {
    if (event.button === 2) return this.#draw(event, square);
    if (event.button !== 0) return;
    const { clientX, clientY } = event;
    const piece = this.#drawn.get(square);
    const scale = (this.#board.size * SQUARE) / this.#picture.getBoundingClientRect().width;
    let isDragged = false;
    this.#focus(square);
    this.#handlers.onPress(square);
    const timer = setTimeout(() => {
      if (event.pointerType === "mouse" || isDragged) return;
      stop();
      this.#handlers.onChoose(0);
      this.#draw(event, square);
    }, LONG_PRESS);
    const move = (moved) => {
      const [x, y] = [moved.clientX - clientX, moved.clientY - clientY];
      isDragged ||= Math.hypot(x, y) > DRAG_DISTANCE;
      if (!isDragged || !piece?.isConnected) return;
      byId("pieces").append(piece);
      piece.setAttribute("transform", `translate(${x * scale} ${y * scale})`);
    };
    const stop = () => {
      clearTimeout(timer);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      piece?.removeAttribute("transform");
    };
    const end = (ended) => {
      stop();
      if (ended.type === "pointercancel") return;
      this.#handlers.onRelease(square, isDragged ? squareUnder(ended) : square);
    };
    event.preventDefault();
    event.target.releasePointerCapture?.(event.pointerId);
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Draws an arrow from a square to the one where the pointer is released. */
  #draw(event, from) {
    event.preventDefault();
    const end = (ended) => {
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const to = ended.type === "pointerup" ? squareUnder(ended) : 0;
      if (to) this.#handlers.onDraw(from, to);
    };
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #key(event) {
    const square = Number(event.target.dataset.square);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") this.#handlers.onChoose(square);
    else if (event.key === "Escape") this.#handlers.onChoose(0);
    else if (event.shiftKey && ARROWS[event.key])
      this.#focus(this.#neighbour(square, ARROWS[event.key]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The nearest square in a direction: in the same row for a horizontal step, in the next row for a
   * vertical one. If two squares of the next row are equally near, the step goes left from one row
   * and right from the following one, so that repeated vertical steps zigzag.
   */
  #neighbour(square, [rows, columns]) {
    const places = this.#board.squares.map(([row, column]) => this.#shown(row, column));
    const [row, column] = places[square - 1];
    const targetColumn = column + (row % 2 === 0 ? -0.5 : 0.5);
    let nearest = square;
    let least = Infinity;
    places.forEach(([top, left], index) => {
      const isAhead = rows ? top === row + rows : top === row && (left - column) * columns > 0;
      const distance = Math.abs(left - (rows ? targetColumn : column));
      if (isAhead && distance < least) [nearest, least] = [index + 1, distance];
    });
    return nearest;
  }

  #focus(square) {
    for (const button of this.#squares) button?.setAttribute("tabindex", "-1");
    this.#squares[square].setAttribute("tabindex", "0");
    this.#squares[square].focus({ preventScroll: true });
  }

  /** Converts a row and column counted from White's side to those on the screen. */
  #shown(row, column) {
    const turn = (place) => (this.#isFlipped ? this.#board.size - 1 - place : place);
    return [turn(row), turn(column)];
  }

  #corner(square) {
    const [row, column] = this.#board.squares[square - 1];
    const [top, left] = this.#shown(row, column);
    return [left * SQUARE, top * SQUARE];
  }

  #middle(square) {
    return this.#corner(square).map((place) => place + SQUARE / 2);
  }
}

/** Whether the user wants no animations. */
const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The square under a pointer, 0 if there is none. */
function squareUnder({ clientX, clientY }) {
  /** @type {HTMLElement | null} */
  const square = document.elementFromPoint(clientX, clientY)?.closest(".square");
  return Number(square?.dataset.square ?? 0);
}

/** A circle in a square, given its middle. */
function circle(middle, kind) {
  const [cx, cy] = middle;
  return drawn("circle", { class: `circle ${kind}`, cx, cy, r: SQUARE / 2 - 3 });
}

/** An arrow between two points, which ends short of the second. */
function arrow(start, end, kind) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (length < SQUARE) return [];
  const step = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  const at = (before, aside) =>
    `${end[0] - before * step[0] - aside * step[1]},${end[1] - before * step[1] + aside * step[0]}`;
  return [
    drawn("path", { class: `shaft ${kind}`, d: `M${start} L${at(22, 0)}` }),
    drawn("path", { class: `head ${kind}`, d: `M${at(24, 10)} L${at(24, -10)} L${at(6, 0)}z` }),
  ];
}
