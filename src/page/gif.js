/** Animated pictures in GIF, which every program can show. */

/** The maximum number of colours. The last index of the table stands for an unchanged pixel. */
const MAX_COLOURS = 255;
const UNCHANGED = 255;
/** The maximum number of codes before the encoder starts with a new table. */
const MAX_CODES = 4096;

/**
 * A table of the most frequent colours of some pictures. Other colours are replaced by the nearest
 * in the table.
 */
export class Palette {
  /** @type {number[][]} */
  colours;
  /**
   * The indices of the colours looked up so far. The colours are reduced to five bits per channel.
   */
  #indices = new Map();

  /** @param {Uint8ClampedArray[]} pictures red, green, blue and alpha of each pixel */
  constructor(pictures) {
    const sums = new Map();
    for (const pixels of pictures) {
      for (let at = 0; at < pixels.length; at += 4) {
        const key = reduced(pixels, at);
        let sum = sums.get(key);
        if (!sum) sums.set(key, (sum = [0, 0, 0, 0]));
        for (let channel = 0; channel < 3; channel++) sum[channel] += pixels[at + channel];
        sum[3]++;
      }
    }
    this.colours = [...sums.values()]
      .sort((one, other) => other[3] - one[3])
      .slice(0, MAX_COLOURS)
      .map(([red, green, blue, count]) => [red, green, blue].map((sum) => Math.round(sum / count)));
  }

  /** The index of the colour of a pixel. */
  index(pixels, at) {
    const key = reduced(pixels, at);
    let index = this.#indices.get(key);
    if (index === undefined) this.#indices.set(key, (index = this.#nearest(pixels, at)));
    return index;
  }

  #nearest(pixels, at) {
    let [nearest, least] = [0, Infinity];
    this.colours.forEach(([red, green, blue], index) => {
      const distance =
        (red - pixels[at]) ** 2 + (green - pixels[at + 1]) ** 2 + (blue - pixels[at + 2]) ** 2;
      if (distance < least) [nearest, least] = [index, distance];
    });
    return nearest;
  }
}

const reduced = (pixels, at) =>
  ((pixels[at] >> 3) << 10) | ((pixels[at + 1] >> 3) << 5) | (pixels[at + 2] >> 3);

/** Writes an animated picture, frame by frame. The animation repeats for ever. */
export class GifWriter {
  #width;
  #height;
  #palette;
  #parts = [];
  /** The last frame, as indices of colours. */
  #last = null;

  /**
   * @param {number} width
   * @param {number} height
   * @param {Palette} palette
   */
  constructor(width, height, palette) {
    [this.#width, this.#height, this.#palette] = [width, height, palette];
    const table = palette.colours.flat();
    const filled = [...table, ...Array(3 * 256 - table.length).fill(0)];
    this.#parts.push(
      ascii("GIF89a"),
      // A table of 256 colours.
      [...word(width), ...word(height), 0xf7, 0, 0],
      filled,
      [0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0],
    );
  }

  /**
   * Adds a frame.
   *
   * @param {Uint8ClampedArray} pixels red, green, blue and alpha of each pixel
   * @param {number} time how long it is shown, in milliseconds
   */
  add(pixels, time) {
    const frame = new Uint8Array(this.#width * this.#height);
    for (let at = 0; at < frame.length; at++) frame[at] = this.#palette.index(pixels, 4 * at);
    const box = this.#changedBox(frame);
    const shown = new Uint8Array(box.width * box.height);
    for (let row = 0; row < box.height; row++) {
      for (let column = 0; column < box.width; column++) {
        const at = (box.top + row) * this.#width + box.left + column;
        const isKnown = this.#last && this.#last[at] === frame[at];
        shown[row * box.width + column] = isKnown ? UNCHANGED : frame[at];
      }
    }
    this.#last = frame;
    this.#parts.push(
      // Keep this frame below the next one; the last colour is transparent.
      [0x21, 0xf9, 4, 0x05, ...word(Math.round(time / 10)), UNCHANGED, 0],
      [0x2c, ...word(box.left), ...word(box.top), ...word(box.width), ...word(box.height), 0],
      compressed(shown),
    );
  }

  /** The smallest box around the pixels that differ from the last frame. */
  #changedBox(frame) {
    const [width, height] = [this.#width, this.#height];
    if (!this.#last) return { left: 0, top: 0, width, height };
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let at = 0; at < frame.length; at++) {
      if (frame[at] === this.#last[at]) continue;
      const [row, column] = [Math.floor(at / width), at % width];
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
    if (left > right) return { left: 0, top: 0, width: 1, height: 1 };
    return { left, top, width: right - left + 1, height: bottom - top + 1 };
  }

  /** The file, as parts of bytes. */
  finish() {
    this.#parts.push([0x3b]);
    return this.#parts.map((part) => Uint8Array.from(part));
  }
}

const ascii = (text) => Array.from(text, (letter) => letter.charCodeAt(0));
const word = (value) => [value & 255, value >> 8];

/** Indices of colours, compressed by LZW with codes of 9 to 12 bits, in blocks of up to 255 bytes. */
function compressed(indices) {
  const [clear, end] = [256, 257];
  const bytes = [];
  let [held, bits] = [0, 0];
  let [size, next] = [9, end + 1];
  // The code of each string followed by an index; 0 if there is none.
  const codes = new Uint16Array(MAX_CODES * 256);
  const write = (code) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  write(clear);
  let code = indices[0];
  for (let at = 1; at < indices.length; at++) {
    const key = code * 256 + indices[at];
    if (codes[key]) {
      code = codes[key];
      continue;
    }
    write(code);
    if (next === MAX_CODES) {
      write(clear);
      codes.fill(0);
      [size, next] = [9, end + 1];
    } else {
      // The decoder learns each code one step later.
      if (next === 1 << size) size++;
      codes[key] = next++;
    }
    code = indices[at];
  }
  write(code);
  write(end);
  if (bits > 0) bytes.push(held & 255);
  const blocks = [8];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  blocks.push(0);
  return blocks;
}
