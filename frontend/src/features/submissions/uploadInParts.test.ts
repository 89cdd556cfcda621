import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deleteUpload, PART_BYTES, uploadInParts } from "./uploadInParts";

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

/** A server that stores parts. `fails` names the parts, from 1, of which it loses the request or its answer. */
function openServer(fails: Record<number, "request" | "answer">) {
  const stored: Blob[] = [];
  const offset = () => stored.reduce((sum, { size }) => sum + size, 0);
  const log: string[] = [];
  let parts = 0;
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    const upload = { id: "u1", name: "p.jsonl", size: 0, offset: offset(), expires_at: "" };
    if (init.method !== "PATCH") {
      log.push(`${init.method} ${path}`);
      return Promise.resolve(json(upload, init.method === "POST" ? 201 : 200));
    }
    const at = Number(new Headers(init.headers).get("Upload-Offset"));
    log.push(`PATCH ${at}`);
    const failure = fails[++parts];
    if (failure === "request") return Promise.reject(new TypeError("Failed to fetch"));
    if (at !== offset()) return Promise.resolve(json({ code: "wrong_offset" }, 409));
    stored.push(init.body as Blob);
    return failure === "answer" ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(new Response(null, { status: 204 }));
  });
  return { log, offset };
}

describe("a file that is sent in parts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const size = 2 * PART_BYTES + 10;
  const file = () => new File([new Uint8Array(size)], "p.jsonl");

  it.each([
    ["request", [`PATCH ${PART_BYTES}`, "GET /api/v1/uploads/u1", `PATCH ${PART_BYTES}`, `PATCH ${2 * PART_BYTES}`]],
    ["answer", [`PATCH ${PART_BYTES}`, "GET /api/v1/uploads/u1", `PATCH ${2 * PART_BYTES}`]],
  ] as const)("goes on by itself where the server has stored it, after a lost %s", async (lost, rest) => {
    const server = openServer({ 2: lost });
    const shares: number[] = [];
    const sent = uploadInParts(file(), { onProgress: (share) => shares.push(share) });
    await vi.runAllTimersAsync();
    expect(await sent).toBe("u1");
    expect(server.log).toEqual(["POST /api/v1/uploads", "PATCH 0", ...rest]);
    expect(server.offset()).toBe(size);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it("is sent once, to be checked and to be submitted", async () => {
    const server = openServer({});
    const chosen = file();
    await uploadInParts(chosen, { onProgress: () => undefined });
    await uploadInParts(chosen, { onProgress: () => undefined });
    expect(server.log).toEqual(["POST /api/v1/uploads", "PATCH 0", `PATCH ${PART_BYTES}`, `PATCH ${2 * PART_BYTES}`, "GET /api/v1/uploads/u1"]);
  });

  it("is deleted once it is of no use, and sent anew where it is chosen again", async () => {
    const server = openServer({});
    const [chosen, other] = [file(), file()];
    await uploadInParts(chosen, { onProgress: () => undefined });
    await deleteUpload(other);
    await deleteUpload(chosen);
    await deleteUpload(chosen);
    expect(server.log.filter((one) => !one.startsWith("PATCH"))).toEqual(["POST /api/v1/uploads", "DELETE /api/v1/uploads/u1"]);
    await uploadInParts(chosen, { onProgress: () => undefined });
    expect(server.log.at(-1)).toBe("POST /api/v1/uploads");
  });

  it("leaves no upload behind that nobody knows, where another file was chosen as it began", async () => {
    const server = openServer({});
    const current = new AbortController();
    const sent = uploadInParts(file(), { onProgress: () => undefined, signal: current.signal });
    current.abort();
    await expect(sent).rejects.toThrow("aborted");
    expect(server.log).toEqual(["POST /api/v1/uploads", "DELETE /api/v1/uploads/u1"]);
  });

  it("begins the same upload again where the answer to its beginning was lost", async () => {
    const server = openServer({});
    const answering = globalThis.fetch;
    const keys: (string | null)[] = [];
    vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
      const answer = await answering(path, init);
      if (init.method !== "POST") return answer;
      keys.push(new Headers(init.headers).get("Idempotency-Key"));
      if (keys.length === 1) throw new TypeError("Failed to fetch");
      return answer;
    });
    const chosen = file();
    await expect(uploadInParts(chosen, { onProgress: () => undefined })).rejects.toThrow("did not answer");
    await uploadInParts(chosen, { onProgress: () => undefined });
    await deleteUpload(chosen);
    await uploadInParts(chosen, { onProgress: () => undefined });
    expect(keys).toEqual([expect.any(String), keys[0], expect.any(String)]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(server.offset()).toBeGreaterThan(0);
  });

  it("ends at once where the disk of the server is full", async () => {
    openServer({});
    const answering = globalThis.fetch;
    let parts = 0;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (init.method !== "PATCH") return answering(path, init);
      parts += 1;
      return Promise.resolve(json({ code: "no_space", detail: "The disk is full." }, 507));
    });
    await expect(uploadInParts(file(), { onProgress: () => undefined })).rejects.toThrow("disk is full");
    expect(parts).toBe(1);
  });

  it("is not resumed where another file was chosen", async () => {
    const server = openServer({ 1: "request" });
    const current = new AbortController();
    const sent = uploadInParts(file(), { onProgress: () => undefined, signal: current.signal });
    const ended = expect(sent).rejects.toThrow("aborted");
    await vi.advanceTimersByTimeAsync(1);
    current.abort();
    await ended;
    await vi.runAllTimersAsync();
    expect(server.log).toEqual(["POST /api/v1/uploads", "PATCH 0"]);
  });
});
