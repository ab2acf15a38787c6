/** Questions about the rules, which the engine's side of the channel answers. */

export class Desk {
  #send;
  #last = 0;
  /** What to do with the answers, by number. */
  #open = new Map();

  /** @param {(line: string) => void} send sends a line to the engine */
  constructor(send) {
    this.#send = send;
  }

  /** Asks; the promise fails with the engine's words if it cannot answer. */
  ask(kind, fields = {}) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#send(JSON.stringify({ id, ask: kind, ...fields }));
    });
  }

  /** Takes a line from the engine. Returns whether it was an answer. */
  hear(line) {
    if (!line.startsWith("{")) return false;
    const { id, answer, error } = JSON.parse(line);
    const { resolve, reject } = this.#open.get(id) ?? {};
    this.#open.delete(id);
    if (error === undefined) resolve?.(answer);
    else reject?.(new Error(error));
    return true;
  }
}
