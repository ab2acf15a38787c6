/**
 * The channel to the engine: lines in both directions, to a worker of this page or, if a program
 * serves the page, to that.
 */

/**
 * Opens the channel.
 *
 * @param {(line: string) => void} hear takes the lines of the engine
 * @param {() => void} lose is told once the engine is gone
 * @returns {(line: string) => void} sends a line; those sent before the channel is open wait
 */
export function openChannel(hear, lose) {
  const kind = document.querySelector("meta[name=engine]").content;
  return kind === "socket" ? openSocket(hear, lose) : openWorker(hear, lose);
}

function openWorker(hear, lose) {
  const worker = new Worker("worker.js");
  worker.onmessage = (event) => hear(event.data);
  worker.onerror = lose;
  return (line) => worker.postMessage(line);
}

function openSocket(hear, lose) {
  const address = new URL("engine", location.href.replace(/^http/, "ws"));
  address.hash = "";
  address.search = new URLSearchParams({ token: token() });
  const socket = new WebSocket(address);
  const waiting = [];
  socket.onopen = () => waiting.splice(0).forEach((line) => socket.send(line));
  socket.onmessage = (event) => hear(event.data);
  socket.onclose = lose;
  return (line) =>
    socket.readyState === WebSocket.CONNECTING ? waiting.push(line) : socket.send(line);
}

/** The token in the address of the page, which does not stay there: people pass on addresses. */
function token() {
  const KEPT = "manoury.token";
  const address = new URL(location);
  const given = address.searchParams.get("token");
  if (given) {
    sessionStorage.setItem(KEPT, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return sessionStorage.getItem(KEPT) ?? "";
}
