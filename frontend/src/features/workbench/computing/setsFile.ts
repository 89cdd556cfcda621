/** A file of sets, looked at before it is sent. */
import type { LineFault } from "./api";

export const LARGEST = 10_000_000;
export const QUOTA = 20_000;
/** Faults shown before sending; the server tells its own afterwards. */
const SHOWN = 20;

export const EXAMPLE = [
  '{"id": "mine-1", "existing": ["DRUGBANK:DB00945"], "serendipity": ["DRUGBANK:DB01050"]}',
  '{"id": "mine-2", "existing": ["DRUGBANK:DB00945", "DRUGBANK:DB01050"], "serendipity": ["DRUGBANK:DB06204"]}',
].join("\n");

export interface Looked {
  name: string;
  size: number;
  sets: number;
  failed: number;
  faults: LineFault[];
}

/** What can be told without a graph: lines that are no object, or name no sets. */
export async function lookInto(file: File): Promise<Looked> {
  const looked: Looked = { name: file.name, size: file.size, sets: 0, failed: 0, faults: [] };
  if (file.size > LARGEST) return looked;
  const lines = (await file.text()).split(/\r\n|\r|\n/);
  lines.forEach((text, at) => {
    if (text.trim() === "") return;
    looked.sets += 1;
    const message = faultOf(text);
    if (message === null) return;
    looked.failed += 1;
    if (looked.faults.length < SHOWN) looked.faults.push({ line: at + 1, id: null, message });
  });
  return looked;
}

function faultOf(line: string): string | null {
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
