/** Pictures of the board as files: SVG, PNG, and animated GIF of a game. */

import { drawn } from "./dom.js";
import { GifWriter, Palette } from "./gif.js";

/** The properties of a drawing that the style sheet may set. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "font-family",
  "font-size",
];
/** The side of a picture in pixels: of a single position, and of a frame of an animation. */
const [PIXELS, FRAME_PIXELS] = [1000, 400];
/** How long a frame is shown, and how long the last one, in milliseconds. */
const [MOVE_TIME, LAST_TIME] = [1000, 3000];

/**
 * A drawing of the page as a separate document, with its styles and without references.
 *
 * @param {SVGSVGElement} picture
 */
export function standalone(picture) {
  const isShown = picture.isConnected;
  // Only elements of the document have computed styles.
  if (!isShown) document.body.append(picture);
  const copy = styled(picture);
  if (!isShown) picture.remove();
  const [, , width, height] = picture.getAttribute("viewBox").split(" ");
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // Without an explicit size, Chromium draws an SVG 150 pixels high.
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** A copy of an element with its styles as attributes. */
function styled(element) {
  const style = getComputedStyle(element);
  const copy = drawn(element.localName);
  const isGroup = element.children.length > 0;
  for (const { name, value } of element.attributes)
    if (!["id", "class", "style", "href"].includes(name)) copy.setAttribute(name, value);
  if (style.opacity !== "1") copy.setAttribute("opacity", style.opacity);
  if (!isGroup)
    for (const name of PROPERTIES) copy.setAttribute(name, style.getPropertyValue(name));
  const children = [...element.childNodes].map((child) =>
    child.nodeType === Node.TEXT_NODE ? child.cloneNode() : isDrawn(child) && styledChild(child),
  );
  copy.append(...children.filter((child) => child));
  return copy;
}

const isDrawn = (element) =>
  element.localName !== "defs" && getComputedStyle(element).display !== "none";

/** A copy of an element. A reference is replaced by a copy of what it refers to. */
function styledChild(element) {
  if (element.localName !== "use") return styled(element);
  const group = drawn("g");
  const [x, y] = ["x", "y"].map((name) => element.getAttribute(name) ?? 0);
  group.setAttribute("transform", `translate(${x} ${y})`);
  group.append(styled(document.querySelector(element.getAttribute("href"))));
  return group;
}

const FLAT = "2d";
const context = (canvas) => canvas.getContext(FLAT, { willReadFrequently: true });

/** A canvas with a picture, `pixels` wide and high. An existing canvas is drawn over. */
async function painted(svg, pixels, canvas = document.createElement("canvas")) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    [canvas.width, canvas.height] = [pixels, pixels];
    context(canvas).drawImage(image, 0, 0, pixels, pixels);
    return canvas;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A picture of the page as an SVG file. */
export const svgFile = (picture) => new Blob([standalone(picture)], { type: "image/svg+xml" });

/** A picture of the page as a PNG file. */
export async function pngFile(picture) {
  const canvas = await painted(standalone(picture), PIXELS);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * An animated picture.
 *
 * @param {SVGSVGElement[]} pictures the positions
 * @param {(share: number) => boolean} onProgress receives the share done so far, 0 to 1; returns
 *   whether to continue
 * @returns {Promise<Blob | null>} `null` if it was stopped
 */
export async function gifFile(pictures, onProgress) {
  const canvas = document.createElement("canvas");
  const pixelsOf = async (picture) => {
    await painted(standalone(picture), FRAME_PIXELS, canvas);
    return context(canvas).getImageData(0, 0, FRAME_PIXELS, FRAME_PIXELS).data;
  };
  const sample = [0, pictures.length >> 1, pictures.length - 1];
  const samples = [];
  for (const index of new Set(sample)) samples.push(await pixelsOf(pictures[index]));
  const writer = new GifWriter(FRAME_PIXELS, FRAME_PIXELS, new Palette(samples));
  for (const [index, picture] of pictures.entries()) {
    if (!onProgress(index / pictures.length)) return null;
    writer.add(await pixelsOf(picture), index === pictures.length - 1 ? LAST_TIME : MOVE_TIME);
  }
  return new Blob(writer.finish(), { type: "image/gif" });
}
