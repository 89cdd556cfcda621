/**
 * The line to the server on which a board hears that something changed. It is opened again with
 * growing pauses; what was missed meanwhile is read when it opens.
 */
export type LineState = "connecting" | "live" | "reconnecting" | "checking";

export interface News {
  what: string;
  version: number;
}

interface Events {
  onState: (state: LineState) => void;
  /** The line opened: anything may have changed while nothing was heard. */
  onOpened: () => void;
  /** The server closed it for good: not signed in, or not a coordinator of this study. */
  onRefused: () => void;
  onNews: (news: News) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After this many failures in a row the board is said to be checked, not about to be live. */
const PATIENCE = 3;
/** The server accepts before it refuses: an open line is believed once it has lasted this long. */
const SETTLED_MS = 250;
const REFUSALS = [4401, 4403];
/** What a browser calls a line that ended without a word. */
const GONE = 1006;
/** Signing in again or being made a coordinator may mend it, so it is asked now and then. */
const REFUSED_FAILURES = 6;

export class Line {
  #socket: WebSocket | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly address: string,
    private readonly events: Events,
    private readonly random: () => number = Math.random,
  ) {}

  open(): void {
    this.#wait(undefined);
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => this.#wait(setTimeout(() => this.#settled(), SETTLED_MS));
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const news = readNews(data);
      if (news) this.events.onNews(news);
    };
    socket.onclose = ({ code }) => this.#lost(code);
  }

  /** At once instead of after the pause: the network is back, or somebody looks again. */
  hurry(): void {
    if (this.#socket === null) this.open();
  }

  /** The network is gone: a line that is not told so would seem open for minutes. */
  drop(): void {
    if (this.#socket === null) return;
    this.#silence(this.#socket);
    this.#lost(GONE);
  }

  close(): void {
    this.#wait(undefined);
    if (this.#socket) this.#silence(this.#socket);
  }

  #silence(socket: WebSocket): void {
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #wait(timer: ReturnType<typeof setTimeout> | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = timer;
  }

  #settled(): void {
    this.#failures = 0;
    this.events.onState("live");
    this.events.onOpened();
  }

  #lost(code: number): void {
    this.#socket = null;
    const refused = REFUSALS.includes(code);
    if (refused) this.events.onRefused();
    this.#failures = refused ? REFUSED_FAILURES : this.#failures + 1;
    this.events.onState(this.#failures > PATIENCE ? "checking" : "reconnecting");
    this.#wait(setTimeout(() => this.open(), pause(this.#failures, this.random())));
  }
}

/** Doubles up to half a minute; spread, so that a restarted server is not met by all at once. */
export function pause(failures: number, chance: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return longest * (0.5 + chance / 2);
}

/** A message of the known shape; anything else is no news. */
export function readNews(data: unknown): News | null {
  if (typeof data !== "string") return null;
  let read: unknown;
  try {
    read = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof read !== "object" || read === null) return null;
  const { type, what, version } = read as Record<string, unknown>;
  if (type !== "changed" || typeof what !== "string" || typeof version !== "number") return null;
  return { what, version };
}

/**
 * Runs a task at once, and again once if it was asked for meanwhile: twenty answers in a second
 * are read together, and none of them waits for a quiet moment.
 */
export function folded(task: () => Promise<unknown>, gapMs: number): () => void {
  let busy = false;
  let again = false;
  const run = async () => {
    busy = true;
    do {
      again = false;
      await Promise.all([task(), new Promise((done) => setTimeout(done, gapMs))]);
    } while (again);
    busy = false;
  };
  return () => {
    again = true;
    if (!busy) void run();
  };
}
