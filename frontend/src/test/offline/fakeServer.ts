/** The server's side of writing answers, as the contract has it, with a bad network in front of it. */
import type { Action, Me, Ranking, Response as Told, ResponseEvent, ResponseWrite } from "@/api/contract";
import { sameAnswer } from "@/lib/offline/answer";

export const PRIOR: Ranking = [["a"], ["b"], ["c"]];

export type Fault = "none" | "down" | "lost" | "cut" | "broken" | "busy" | "late broken";

interface Stored {
  owner: string;
  told: Told;
  revisions: { action: Action; ranking: Ranking }[];
  events: ResponseEvent[];
}

interface Attempt {
  /** Whose cookie it came with. */
  as: string | null;
  assignment: string;
  key: string;
  write: ResponseWrite;
}

const SUBMITTED = { agree: "confirmed", submit: "changed", not_sure: "not_sure", skip: "skipped" } as const;

export class FakeServer {
  user: string | null = "her";
  isClosed = false;
  refuses: ((write: ResponseWrite) => boolean) | null = null;
  fault: (path: string) => Fault = () => "none";
  readonly attempts: Attempt[] = [];
  readonly #stored = new Map<string, Stored>();
  readonly #answered = new Map<string, { fingerprint: string; told: Told }>();
  #generation = 0;
  #signIns = 0;

  constructor() {
    this.signIn("her");
  }

  signIn(user: string): void {
    this.user = user;
    this.#signIns += 1;
    document.cookie = `csrftoken=token${this.#signIns}`;
  }

  signOut(): void {
    this.user = null;
  }

  /** Whatever was asked before is never answered: its page is gone. */
  forgetPages(): void {
    this.#generation += 1;
  }

  assign(assignment: string, owner = "her"): void {
    const told: Told = {
      version: 0,
      state: "untouched",
      ranking: PRIOR,
      confidence: null,
      reasons: [],
      comment: "",
      unsure_reason: "",
      active_ms: 0,
      updated_at: null,
      submitted: null,
    };
    this.#stored.set(assignment, { owner, told, revisions: [], events: [] });
  }

  of(assignment: string): Stored {
    const found = this.#stored.get(assignment);
    if (!found) throw new Error(`Nobody has ${assignment}.`);
    return found;
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    const generation = this.#generation;
    const fault = this.fault(path);
    const cookie = { user: this.user, token: tokenNow() };
    await pause();
    const answer = fault === "down" || fault === "broken" || fault === "busy" ? null : this.#answer(path, init, cookie);
    await pause();
    if (generation !== this.#generation) return new Promise(() => {});
    return disturbed(fault, answer);
  };

  #answer(path: string, init: RequestInit, cookie: { user: string | null; token: string }): Response {
    if (path === "/api/v1/me") return json(200, { user: cookie.user ? person(cookie.user) : null });
    const assignment = /assignments\/([^/]+)\/(?:response|looks)$/.exec(path)?.[1];
    if (!assignment) return problem(404, "not_found");
    const headers = new Headers(init.headers);
    const key = headers.get("Idempotency-Key") ?? "";
    const write = JSON.parse(String(init.body)) as ResponseWrite;
    this.attempts.push({ as: cookie.user, assignment, key, write });
    if (!cookie.user) return problem(401, "sign_in");
    if (headers.get("X-CSRFToken") !== cookie.token) return problem(403, "not_allowed");
    return this.#write(cookie.user, assignment, key, write, path.endsWith("/looks"));
  }

  #write(user: string, assignment: string, key: string, write: ResponseWrite, looks: boolean): Response {
    const fingerprint = JSON.stringify([assignment, write]);
    const before = this.#answered.get(`${user} ${key}`);
    if (before) return before.fingerprint === fingerprint ? json(200, before.told) : problem(422, "key_reused");
    const stored = this.#stored.get(assignment);
    if (stored?.owner !== user) return problem(404, "not_found");
    if (this.isClosed) return problem(409, "study_closed");
    if (looks) {
      stored.told = look(stored, write);
      this.#answered.set(`${user} ${key}`, { fingerprint, told: stored.told });
      return json(200, stored.told);
    }
    if (stored.told.version !== write.version) return problem(409, "stale_version", { current: stored.told });
    if (this.refuses?.(write) || write.events.length > 500) return problem(422, "invalid");
    const told = apply(stored, write);
    this.#answered.set(`${user} ${key}`, { fingerprint, told });
    return json(200, told);
  }
}

function look(stored: Stored, { events, active_ms }: Pick<ResponseWrite, "events" | "active_ms">): Told {
  addEvents(stored, events);
  return { ...stored.told, active_ms: stored.told.active_ms + active_ms };
}

function addEvents(stored: Stored, events: ResponseEvent[]): void {
  const known = new Set(stored.events.map(({ id }) => id));
  stored.events.push(...events.filter(({ id }) => !known.has(id)));
}

function apply(stored: Stored, write: ResponseWrite): Told {
  const before = stored.told;
  const { ranking, confidence, reasons, comment, action } = write;
  const unsure = action === "save" || action === "not_sure" ? write.unsure_reason : "";
  const state = action === "save" ? (sameAnswer(before, write) ? before.state : "draft") : SUBMITTED[action];
  const submits = action !== "save";
  if (submits) stored.revisions.push({ action, ranking });
  addEvents(stored, write.events);
  stored.told = {
    state,
    ranking,
    confidence,
    reasons,
    comment,
    unsure_reason: unsure,
    version: before.version + 1,
    active_ms: before.active_ms + write.active_ms,
    updated_at: "2026-01-01T00:00:00Z",
    submitted: submits
      ? { number: stored.revisions.length, state, submitted_at: "2026-01-01T00:00:00Z" }
      : before.submitted,
  };
  return stored.told;
}

function disturbed(fault: Fault, answer: Response | null): Response {
  if (fault === "down" || fault === "lost") throw new TypeError("Failed to fetch");
  if (fault === "cut") return new Response('{"version": 1, "sta', { status: 200 });
  if (fault === "broken" || fault === "late broken") return problem(500, "internal");
  if (fault === "busy") return problem(503, "busy");
  if (!answer) throw new Error("Nothing was answered.");
  return answer;
}

export function person(id: string): Me {
  return {
    id,
    email: `${id}@example.org`,
    name: id,
    is_simulated: false,
    has_password: true,
    roles: { researcher: false, administrator: false },
    studies: [],
  };
}

const tokenNow = () => /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function problem(status: number, code: string, extra: object = {}): Response {
  return json(status, { status, code, detail: `The server says ${code}.`, errors: [], ...extra });
}
