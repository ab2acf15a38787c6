/**
 * The channel to the engine: lines in both directions, to a worker of this page or, if a program
 * serves the page, to that.
 */

/**
 * Opens the channel.
 *
 * @param {(line: string) => void} hear takes the lines of the engine
 * @param {(why: string) => void} lose is told once the engine is gone, and why if that is known
 * @returns {(line: string) => void} sends a line; those sent before the channel is open wait
 */
export function openChannel(hear, lose) {
  const kind = document.querySelector("meta[name=engine]").content;
  return kind === "socket" ? openSocket(hear, lose) : openWorker(hear, lose);
}

function openWorker(hear, lose) {
  const worker = new Worker("worker.js");
  worker.onmessage = (event) => hear(event.data);
  worker.onerror = () => lose("");
  return (line) => worker.postMessage(line);
}

function openSocket(hear, lose) {
  const address = new URL("engine", location.href.replace(/^http/, "ws"));
  address.hash = "";
  address.search = new URLSearchParams({ token: token() });
  const socket = new WebSocket(address);
  const waiting = [];
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    waiting.splice(0).forEach((line) => socket.send(line));
  };
  socket.onmessage = (event) => hear(event.data);
  socket.onclose = async () => lose(wasOpen ? "" : await refusal(address));
  return (line) =>
    socket.readyState === WebSocket.CONNECTING ? waiting.push(line) : socket.send(line);
}

/** Why there is no socket: a browser does not say, but the same address asked as a file does. */
async function refusal({ search }) {
  try {
    const response = await fetch(`engine${search}`);
    return await response.text();
  } catch {
    return "";
  }
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
