/** The sounds of moves, which the browser makes itself. They are off unless people choose them. */

import { settings } from "./settings.js";

/** The volume, and the seconds of a sound. */
const [VOLUME, LENGTH] = [0.25, 0.09];
/** The pitches in hertz, one after the other. */
const PITCHES = { move: [330], capture: [330, 220], end: [330, 415, 494] };

let context = null;

/** Plays a sound. @param {"move" | "capture" | "end"} name */
export function playSound(name) {
  if (settings.get("sound") !== "on") return;
  context ??= new AudioContext();
  context.resume();
  PITCHES[name].forEach((pitch, index) => tone(pitch, context.currentTime + index * LENGTH));
}

/** A knock: a tone that fades at once. */
function tone(pitch, start) {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(pitch, start);
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + LENGTH);
}
