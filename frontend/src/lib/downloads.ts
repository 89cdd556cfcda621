/** Files that a page hands over. */
import { csrfToken, Problem, Unreachable, type ProblemBody } from "@/api/client";

export interface FileRequest {
  address: string;
  /** What is asked for, where it is too long for an address. */
  json?: unknown;
}

const READ: RequestInit = { credentials: "same-origin" };

function sent(json: unknown): RequestInit {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
  return { ...READ, method: "POST", headers, body: JSON.stringify(json) };
}

/** A file of the server's; a refusal is an error with the server's sentence, not a saved page of JSON. */
export async function fetchFile({ address, json }: FileRequest): Promise<Blob> {
  try {
    const response = await fetch(address, json === undefined ? READ : sent(json));
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
    throw new Unreachable("The server did not answer.", { cause: error });
  }
}

/** Lets the browser keep a file under a name. */
export function keepFile(content: Blob, name: string): void {
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
export function keepTable(csv: string, name: string): void {
  keepFile(new Blob([csv], { type: "text/csv;charset=utf-8" }), name);
}
