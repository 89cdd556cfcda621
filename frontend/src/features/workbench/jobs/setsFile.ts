/** A file of sets, checked before it is sent. */
import type { LineError } from "./api";

export const MAX_FILE_BYTES = 10_000_000;
export const DAILY_SET_QUOTA = 20_000;
/** Faults shown before sending; the server reports its own afterwards. */
const MAX_ERRORS_SHOWN = 20;

export const EXAMPLE_FILE = [
  '{"id": "mine-1", "existing": ["DRUGBANK:DB00945"], "serendipity": ["DRUGBANK:DB01050"]}',
  '{"id": "mine-2", "existing": ["DRUGBANK:DB00945", "DRUGBANK:DB01050"], "serendipity": ["DRUGBANK:DB06204"]}',
].join("\n");

interface SetsFilePreview {
  sets: number;
  failed: number;
  errors: LineError[];
}

/** What can be checked without a graph: lines that are no object, or name no sets. */
export async function inspectSetsFile(file: File): Promise<SetsFilePreview> {
  const preview: SetsFilePreview = { sets: 0, failed: 0, errors: [] };
  if (file.size > MAX_FILE_BYTES) return preview;
  const lines = (await file.text()).split(/\r\n|\r|\n/);
  lines.forEach((text, at) => {
    if (text.trim() === "") return;
    preview.sets += 1;
    const message = lineError(text);
    if (message === null) return;
    preview.failed += 1;
    if (preview.errors.length < MAX_ERRORS_SHOWN) preview.errors.push({ line: at + 1, id: null, message });
  });
  return preview;
}

function lineError(line: string): string | null {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return "This line is not a JSON object.";
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) return "This line is not a JSON object.";
  const sets = read as Record<string, unknown>;
  for (const name of ["existing", "serendipity"] as const) {
    const ids = sets[name];
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) return `'${name}' must be a list of entity ids.`;
    if (ids.length === 0) return `'${name}' is empty.`;
  }
  return null;
}
