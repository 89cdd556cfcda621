/** Sends a large file in parts (tus 1.0), so that a lost connection costs one part at most. */
import { NetworkError, Problem, request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { uuid } from "@/lib/uuid";

type Upload = components["schemas"]["PredictionUpload"];

export const IN_PARTS_BYTES = 16 * 2 ** 20;
export const PART_BYTES = 4 * 2 ** 20;
const PART_TIMEOUT_MS = 300_000;
const LONGEST_DELAY_MS = 30_000;
/** In a row, which is about ten minutes; sending the file again goes on from there. */
const MOST_FAILURES = 24;
const TUS = { "Tus-Resumable": "1.0.0" };

interface Options {
  onProgress: (share: number) => void;
  signal?: AbortSignal;
}

/** What was sent to be checked is not sent again to be submitted. */
const started = new WeakMap<File, string>();

/** Of files whose upload may have begun though its answer was lost: it is the same one again. */
const startKeys = new WeakMap<File, string>();

/** Removes what was sent of a file. Where this fails, the server removes it a day later. */
export async function deleteUpload(file: File): Promise<void> {
  const id = started.get(file);
  started.delete(file);
  if (id !== undefined) await remove(id);
}

/** The id of the upload, once all of the file is stored. */
export async function uploadInParts(file: File, { onProgress, signal }: Options): Promise<string> {
  const options = signal ? { signal } : {};
  const upload = (await findStarted(file, options)) ?? (await start(file, signal));
  let { offset } = upload;
  let failures = 0;
  while (offset < file.size) {
    try {
      if (failures > 0) ({ offset } = await read(upload.id, options));
      onProgress(offset / file.size);
      const part = file.slice(offset, offset + PART_BYTES);
      await sendPart(upload.id, offset, part, options);
      offset += part.size;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (signal?.aborted || !mayResume(error) || failures > MOST_FAILURES) throw error;
      await wait(Math.min(500 * 2 ** failures, LONGEST_DELAY_MS), signal);
    }
  }
  onProgress(1);
  return upload.id;
}

const address = (id: string) => `/api/v1/uploads/${id}`;

const read = (id: string, options: { signal?: AbortSignal }) => request<Upload>(address(id), { headers: TUS, ...options });

async function findStarted(file: File, options: { signal?: AbortSignal }): Promise<Upload | null> {
  const id = started.get(file);
  if (id === undefined) return null;
  try {
    return await read(id, options);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** Not aborted meanwhile, for the upload would stay without anybody to know its id. */
async function start(file: File, signal?: AbortSignal): Promise<Upload> {
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
  const headers = { ...TUS, "Upload-Length": String(file.size), "Upload-Metadata": `filename ${name}` };
  const idempotencyKey = startKeys.get(file) ?? uuid();
  startKeys.set(file, idempotencyKey);
  const upload = await request<Upload>("/api/v1/uploads", { method: "POST", headers, idempotencyKey }).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) startKeys.delete(file); // It has expired.
    throw error;
  });
  startKeys.delete(file);
  if (signal?.aborted) {
    void remove(upload.id);
    throw aborted();
  }
  started.set(file, upload.id);
  return upload;
}

function remove(id: string): Promise<void> {
  return request<undefined>(address(id), { method: "DELETE", headers: TUS, keepalive: true }).catch(() => undefined);
}

const aborted = () => new DOMException("The upload was aborted.", "AbortError");

function sendPart(id: string, offset: number, part: Blob, options: { signal?: AbortSignal }): Promise<void> {
  const headers = { ...TUS, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
  return request(address(id), { method: "PATCH", part, headers, timeoutMs: PART_TIMEOUT_MS, ...options });
}

/** Also where the part had arrived, and only its answer was lost. A full disk (507) stays full. */
function mayResume(error: unknown): boolean {
  if (!(error instanceof Problem)) return error instanceof NetworkError;
  return error.code === "wrong_offset" || error.status === 429 || (error.status >= 502 && error.status !== 507);
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(aborted());
    }, { once: true });
  });
}
