/** Files that a page hands over. */
import { csrfToken, Problem, NetworkError, type ProblemBody } from "@/api/client";

interface FileRequest {
  url: string;
  /** The request, where it is too long for an address. */
  json?: unknown;
}

const READ_OPTIONS: RequestInit = { credentials: "same-origin" };

function requestInit(json: unknown): RequestInit {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
  return { ...READ_OPTIONS, method: "POST", headers, body: JSON.stringify(json) };
}

/** A file of the server's; a refusal is an error with the server's sentence, not a saved page of JSON. */
export async function fetchFile({ url, json }: FileRequest): Promise<Blob> {
  try {
    const response = await fetch(url, json === undefined ? READ_OPTIONS : requestInit(json));
    if (response.ok) return await response.blob();
    const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
    throw new Problem({
      errors: [],
      code: `http_${response.status}`,
      detail: "The server could not make this file.",
      ...body,
      status: response.status,
    });
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new NetworkError("The server did not answer.", { cause: error });
  }
}

export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Not at once: some browsers begin to read a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The same of a table, as `csvText` writes it. */
export function saveCsv(csv: string, name: string): void {
  saveFile(new Blob([csv], { type: "text/csv;charset=utf-8" }), name);
}
