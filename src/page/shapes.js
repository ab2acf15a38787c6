/**
 * The user's arrows and circles in comments, in the format of lidraughts: `[%csl G19][%cal G3228]`.
 */

/**
 * @typedef {object} Shape
 * @property {number} from
 * @property {number} to the same square for a circle
 * @property {string} [colour] its letter in PDN
 */

const COLOUR = "G";
const COMMANDS = /\[%c[sa]l [^\]]*\]/g;

/**
 * Takes the arrows and circles out of comments.
 *
 * @param {string[]} comments
 * @returns {{comments: string[], shapes: Shape[]}}
 */
export function takeShapes(comments) {
  const shapes = comments
    .flatMap((comment) => comment.match(COMMANDS) ?? [])
    .flatMap((command) => [...command.matchAll(/([A-Z])(\d\d?)(\d\d)?(?=[,\]])/g)])
    .map(([, colour, from, to = from]) => ({ from: Number(from), to: Number(to), colour }));
  if (shapes.length === 0) return { comments, shapes };
  const others = comments.map((comment) => comment.replace(COMMANDS, "").trim());
  return { comments: others.filter((comment) => comment), shapes };
}

/**
 * Arrows and circles as a comment.
 *
 * @param {Shape[]} shapes
 * @returns {string[]} empty if there are no shapes
 */
export function shapeComments(shapes = []) {
  const name = (square) => String(square).padStart(2, "0");
  const circles = shapes.filter(({ from, to }) => from === to);
  const arrows = shapes.filter(({ from, to }) => from !== to);
  const list = (command, names) => (names.length > 0 ? [`[%${command} ${names.join(",")}]`] : []);
  const commands = [
    ...list(
      "csl",
      circles.map(({ from, colour = COLOUR }) => colour + name(from)),
    ),
    ...list(
      "cal",
      arrows.map(({ from, to, colour = COLOUR }) => colour + name(from) + name(to)),
    ),
  ];
  return commands.length > 0 ? [commands.join("")] : [];
}
