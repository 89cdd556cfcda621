/**
 * A WebSocket on which the server announces changes. After a loss it reconnects with growing delays;
 * the caller reads what it missed when the socket opens.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "checking";

/** What changed, and its version after the change. */
export interface ChangeNotification {
  topic: string;
  /** Where the topic has several objects, the one that changed. */
  id: string | null;
  version: number;
}

export interface SocketEvents {
  onStateChange: (state: ConnectionState) => void;
  /** Called at every opening: notifications may have been missed before it. */
  onOpened: () => void;
  /** The server closed the socket because the user is signed out or not allowed. */
  onRefused: () => void;
  onMessage: (message: ChangeNotification) => void;
}

const INITIAL_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** After more failures in a row the state is "checking": the page polls. */
const MAX_FAILURES_BEFORE_POLLING = 3;
/** The server accepts a connection before it refuses it, so an open socket counts as live only after this. */
const STABLE_AFTER_MS = 250;
const REFUSED_CLOSE_CODES = [4401, 4403];
/** The close code of a connection that was lost. */
const ABNORMAL_CLOSE_CODE = 1006;
/** Signing in again may help, so a refused socket is retried at the longest delay. */
const FAILURES_AFTER_REFUSAL = 6;

export class ReconnectingSocket {
  #socket: WebSocket | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly events: SocketEvents,
    private readonly random: () => number = Math.random,
  ) {}

  open(): void {
    this.#setTimer(undefined);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => this.#setTimer(setTimeout(() => this.#handleStable(), STABLE_AFTER_MS));
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseNotification(data);
      if (message) this.events.onMessage(message);
    };
    socket.onclose = ({ code }) => this.#handleClose(code);
  }

  /** Skips the delay: the network is back, or the page is visible again. */
  reconnectNow(): void {
    if (this.#socket === null) this.open();
  }

  /** The network is gone: without this the socket would seem open for minutes. */
  disconnect(): void {
    if (this.#socket === null) return;
    this.#detach(this.#socket);
    this.#handleClose(ABNORMAL_CLOSE_CODE);
  }

  close(): void {
    this.#setTimer(undefined);
    if (this.#socket) this.#detach(this.#socket);
  }

  #detach(socket: WebSocket): void {
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #setTimer(timer: ReturnType<typeof setTimeout> | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = timer;
  }

  #handleStable(): void {
    this.#failures = 0;
    this.events.onStateChange("live");
    this.events.onOpened();
  }

  #handleClose(code: number): void {
    this.#socket = null;
    const refused = REFUSED_CLOSE_CODES.includes(code);
    if (refused) this.events.onRefused();
    this.#failures = refused ? FAILURES_AFTER_REFUSAL : this.#failures + 1;
    this.events.onStateChange(this.#failures > MAX_FAILURES_BEFORE_POLLING ? "checking" : "reconnecting");
    this.#setTimer(setTimeout(() => this.open(), reconnectDelay(this.#failures, this.random())));
  }
}

/** Doubles up to 30 s, with jitter so that not all clients return to a restarted server at once. */
export function reconnectDelay(failures: number, chance: number): number {
  const longest = Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** (failures - 1));
  return longest * (0.5 + chance / 2);
}

/** Null for any message of another shape. */
export function parseNotification(data: unknown): ChangeNotification | null {
  if (typeof data !== "string") return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null) return null;
  const { type, what, id, version } = parsed as Record<string, unknown>;
  if (type !== "changed" || typeof what !== "string" || typeof version !== "number") return null;
  return { topic: what, id: typeof id === "string" ? id : null, version };
}
