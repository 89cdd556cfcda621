/** Files that the explorer hands over. */
import { Problem, Unreachable, type ProblemBody } from "@/api/client";

/** A file of the server's; a refusal is an error with the server's sentence, not a saved page of JSON. */
export async function fetchFile(address: string): Promise<Blob> {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
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
