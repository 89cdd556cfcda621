import { JOB_STATE_LABELS } from "@/domains/jobs/JobProgress";
import { formatCount, formatPlural } from "@/lib/format";
import type { GraphImport, ImportState } from "./api";

/** What a table's columns are called here; others' names for them can be given. */
export const COLUMN_NAMES = {
  edges: ["source", "relation", "target", "score", "evidence", "level", "p_value", "publications"],
  entities: ["id", "name", "type", "synonyms", "document", "xrefs"],
};

export const IMPORT_STATE_LABELS: Record<ImportState, string> = { ...JOB_STATE_LABELS, done: "Done", refused: "Refused" };

export function outcomeText({ dry_run: isDryRun, state, report, error, name }: GraphImport): string {
  if (state === "refused") return error?.detail ?? "The files were refused, and nothing was imported.";
  if (state === "cancelled") return `${error?.detail ?? "Cancelled."} Nothing was imported.`;
  if (state === "failed") return error?.detail ?? "The import failed. Nothing was imported.";
  const { rows, entities = rows?.entities ?? 0, edges = rows?.edges ?? 0 } = report;
  const contents = `${formatPlural(entities, "entity", "entities")} and ${formatPlural(edges, "edge")}`;
  return isDryRun ? `The files contain ${contents}. Nothing was imported yet.` : `${name} now has a version with ${contents}.`;
}

/** Why rows are dropped, by the server's stable words; a new one is shown as it is. */
const DROP_REASON_LABELS: Record<string, string> = {
  columns: "with too many or too few cells",
  quotes: "with a quotation mark out of place",
  encoding: "not in UTF-8",
  nul: "with a NUL character",
  too_long: "too long",
  missing: "with an empty cell that must be filled",
  number: "with a number that cannot be read",
  identifier: "with an identifier of another form",
  relation: "with a relation that the format does not have",
  json: "that are not the format's JSON",
  literal: "with a list that cannot be read",
  "no-identifier": "without an identifier",
  "no-relation": "without a relation",
  "bad-number": "with a number that a graph cannot hold",
  "bad-text": "with text that a graph cannot hold",
  "unknown-source": "from an unknown entity",
  "unknown-target": "to an unknown entity",
  "unknown-source-and-target": "between unknown entities",
};

export function droppedRowsLabel(dropped: Record<string, number> = {}): number {
  return Object.values(dropped).reduce((sum, one) => sum + one, 0);
}

/** What did not become part of it, and why; each with its line follows in the table. */
export function droppedTotal(dropped: Record<string, number> = {}): string {
  const total = droppedRowsLabel(dropped);
  const [only, ...others] = Object.keys(dropped);
  if (only === undefined || total === 0) return "No row";
  return others.length === 0 ? `${formatPlural(total, "row")} ${dropReasonLabel(only)}` : `${formatPlural(total, "row")}: ${dropReasonsText(dropped)}`;
}

const dropReasonLabel = (reason: string) => DROP_REASON_LABELS[reason] ?? reason.replaceAll("-", " ");

function dropReasonsText(dropped: Record<string, number>): string {
  return Object.entries(dropped).toSorted(([, a], [, b]) => b - a)
    .map(([reason, times]) => `${formatCount(times)} ${dropReasonLabel(reason)}`)
    .join(", ");
}
