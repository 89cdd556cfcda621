/** The server's side of saving answers, as the contract has it, behind an unreliable network. */
import type { ActivityEntry, CurrentUser, Payload, Response as SavedResponse, ResponseWrite } from "@/api/contract";
import { isSamePayload } from "@/lib/offline";
import type { Ranking } from "@/study-kinds/ranking/board/rankingModel";
import "@/study-kinds/registry";

export const PRIOR: Ranking = [["a"], ["b"], ["c"]];

export type FailureMode = "none" | "down" | "lost" | "cut" | "broken" | "busy" | "restarting" | "late broken";

interface StoredAssignment {
  owner: string;
  kind: string;
  response: SavedResponse;
  revisions: { outcome: string; ranking: Ranking }[];
  entries: ActivityEntry[];
  /** After a conflict of interest there is nothing more to write. */
  isWithdrawn?: boolean;
}

interface ReceivedRequest {
  /** Whose cookie it came with. */
  account: string | null;
  assignment: string;
  key: string;
  body: ResponseWrite;
}

interface ActivityBody {
  interface: string;
  entries: ActivityEntry[];
}

export const rankingPayload = (ranking: Ranking, more: Payload = {}): Payload => ({
  ranking,
  confidence: null,
  reasons: [],
  comment: "",
  unsure_reason: "",
  ...more,
});

export class FakeServer {
  user: string | null = "expert";
  isClosed = false;
  isPaused = false;
  rejects: ((write: ResponseWrite) => boolean) | null = null;
  failureFor: (path: string) => FailureMode = () => "none";
  /** The writes that arrived. */
  readonly attempts: ReceivedRequest[] = [];
  readonly activityRequests: { account: string | null; assignment: string; body: ActivityBody }[] = [];
  readonly #stored = new Map<string, StoredAssignment>();
  readonly #handledKeys = new Map<string, { fingerprint: string; response: SavedResponse }>();
  #generation = 0;
  #signIns = 0;

  constructor() {
    this.signIn("expert");
  }

  signIn(user: string): void {
    this.user = user;
    this.#signIns += 1;
    document.cookie = `csrftoken=token${this.#signIns}`;
  }

  signOut(): void {
    this.user = null;
  }

  /** Requests made before are never answered: their page is gone. */
  forgetPages(): void {
    this.#generation += 1;
  }

  assign(assignment: string, owner = "expert", payload = rankingPayload(PRIOR), kind = "ranking"): void {
    const response: SavedResponse = {
      version: 0,
      status: "untouched",
      outcome: "",
      payload,
      active_ms: 0,
      updated_at: null,
      submitted: null,
    };
    this.#stored.set(assignment, { owner, kind, response, revisions: [], entries: [] });
  }

  of(assignment: string): StoredAssignment {
    const stored = this.#stored.get(assignment);
    if (!stored) throw new Error(`There is no assignment ${assignment}.`);
    return stored;
  }

  ranking(assignment: string): Ranking {
    return this.of(assignment).response.payload.ranking as Ranking;
  }

  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    const generation = this.#generation;
    const failure = this.failureFor(path);
    const cookie = { user: this.user, token: tokenNow() };
    await pause();
    const isLostBefore = failure === "down" || failure === "broken" || failure === "busy" || failure === "restarting";
    const answer = isLostBefore ? null : this.#handle(path, init, cookie);
    await pause();
    if (generation !== this.#generation) return new Promise(() => {});
    return withFailure(failure, answer);
  };

  #handle(path: string, init: RequestInit, cookie: { user: string | null; token: string }): Response {
    if (path === "/api/v1/me") return json(200, { user: cookie.user ? makeUser(cookie.user) : null });
    const [, assignment, resource] = /assignments\/([^/]+)\/(response|activity)$/.exec(path) ?? [];
    if (!assignment) return problem(404, "not_found");
    const headers = new Headers(init.headers);
    const key = headers.get("Idempotency-Key") ?? "";
    const body = JSON.parse(String(init.body)) as ResponseWrite & ActivityBody;
    if (resource === "response") this.attempts.push({ account: cookie.user, assignment, key, body });
    else this.activityRequests.push({ account: cookie.user, assignment, body });
    if (!cookie.user) return problem(401, "sign_in");
    if (headers.get("X-CSRFToken") !== cookie.token) return problem(403, "not_allowed");
    const isActivity = resource === "activity";
    return isActivity ? this.#record(cookie.user, assignment, body) : this.#write(cookie.user, assignment, key, body);
  }

  #record(user: string, assignment: string, { entries }: ActivityBody): Response {
    const stored = this.#stored.get(assignment);
    if (stored?.owner !== user || stored.isWithdrawn) return problem(404, "not_found");
    if (this.isClosed || this.isPaused) return problem(409, this.isClosed ? "study_closed" : "study_paused");
    if (entries.length < 1 || entries.length > 500) return problem(422, "invalid");
    const known = new Set(stored.entries.map(({ id }) => id));
    const added = entries.filter(({ id }) => !known.has(id));
    stored.entries.push(...added);
    const activeMs = added.reduce((sum, entry) => sum + entry.active_ms, 0);
    stored.response = { ...stored.response, active_ms: stored.response.active_ms + activeMs };
    return json(200, { recorded: added.length });
  }

  #write(user: string, assignment: string, key: string, write: ResponseWrite): Response {
    const fingerprint = JSON.stringify([assignment, write]);
    const before = this.#handledKeys.get(`${user} ${key}`);
    if (before) return before.fingerprint === fingerprint ? json(200, before.response) : problem(422, "key_reused");
    const stored = this.#stored.get(assignment);
    if (stored?.owner !== user) return problem(404, "not_found");
    if (this.isClosed || this.isPaused) return problem(409, this.isClosed ? "study_closed" : "study_paused");
    if (stored.response.version !== write.version) {
      return problem(409, "stale_version", { server_version: stored.response, client_version: write });
    }
    if (this.rejects?.(write)) return problem(422, "invalid_payload");
    const response = applyWrite(stored, write);
    if (write.conflict) stored.isWithdrawn = true;
    this.#handledKeys.set(`${user} ${key}`, { fingerprint, response });
    return json(200, response);
  }
}

function applyWrite(stored: StoredAssignment, write: ResponseWrite): SavedResponse {
  const before = stored.response;
  const { action, payload } = write;
  const isSave = action === "save";
  const outcome = action === "skip" ? "skipped" : write.outcome;
  if (!isSave) stored.revisions.push({ outcome, ranking: payload.ranking as Ranking });
  const isUnchanged = isSave && isSamePayload(stored.kind, before.payload, payload);
  const result = { status: action === "skip" ? ("skipped" as const) : ("submitted" as const), outcome };
  stored.response = {
    ...(isUnchanged ? before : isSave ? { status: "draft" as const, outcome: "" } : result),
    payload,
    version: before.version + 1,
    active_ms: before.active_ms + write.active_ms,
    updated_at: "2026-01-01T00:00:00Z",
    submitted: isSave ? before.submitted : { number: stored.revisions.length, outcome, submitted_at: "2026-01-01T00:00:00Z" },
  };
  return stored.response;
}

function withFailure(failure: FailureMode, answer: Response | null): Response {
  if (failure === "down" || failure === "lost") throw new TypeError("Failed to fetch");
  if (failure === "cut") return new Response('{"version": 1, "sta', { status: 200 });
  if (failure === "broken" || failure === "late broken") return problem(500, "internal");
  if (failure === "busy") return problem(503, "busy");
  if (failure === "restarting") return problem(503, "unavailable", {}, { "Retry-After": "1" });
  if (!answer) throw new Error("There is no answer.");
  return answer;
}

export function makeUser(id: string): CurrentUser {
  return {
    id,
    email: `${id}@example.org`,
    name: id,
    is_simulated: false,
    has_password: true,
    mails_results: true,
    roles: { researcher: false, administrator: false, coordinator: false },
    studies: [],
  };
}

const tokenNow = () => /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

function problem(status: number, code: string, extra: object = {}, headers: Record<string, string> = {}): Response {
  return json(status, { status, code, detail: `The server says ${code}.`, errors: [], ...extra }, headers);
}
