import { count, plural } from "@/lib/format";
import type { Importing, ImportState } from "./api";

export const FORMATS: { value: string; label: string; files: string }[] = [
  { value: "", label: "Recognise it from the files", files: "Each file is told by its header." },
  { value: "csv", label: "Tables (CSV or TSV)", files: "Entities with id, name, type; edges with source, relation, target." },
  { value: "hetionet", label: "Hetionet", files: "nodes.tsv with edges.sif, or its JSON." },
  { value: "primekg", label: "PrimeKG", files: "kg.csv, with drug_features.csv and disease_features.csv where you have them." },
  { value: "ckg", label: "Clinical Knowledge Graph", files: "Its import files, each with its own name." },
  { value: "pubtator", label: "PubTator 3 as in TruthHypo", files: "nodes.tsv with edges_train.tsv or relation2pubtator3." },
  { value: "stark", label: "STaRK's knowledge base", files: "The JSON lines that the converter writes; never a pickle." },
  { value: "kgx", label: "KGX (Biolink)", files: "Nodes and edges, as TSV or JSON lines." },
  { value: "json", label: "JSON as networkx writes it", files: "One object with nodes and edges." },
];

/** What a table's columns are called here; others' names for them can be given. */
export const COLUMNS = {
  edges: ["source", "relation", "target", "score", "evidence", "level", "p_value", "publications"],
  entities: ["id", "name", "type", "synonyms", "document", "xrefs"],
};

export const STATES: Record<ImportState, string> = {
  queued: "Waiting for a worker",
  reading: "Reading the files",
  building: "Building the snapshot",
  indexing: "Making it searchable",
  done: "Done",
  refused: "Refused",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** What became of it, in one line. */
export function outcome({ dry_run: isDryRun, state, report, name }: Importing): string {
  if (state === "refused") return report.error?.detail ?? "The files were refused, and nothing was imported.";
  if (state === "cancelled") return report.error?.detail ?? "Cancelled. Nothing was imported.";
  if (state === "failed") return report.error?.detail ?? "It could not be finished here, and nothing was imported.";
  const { rows, entities = rows?.entities ?? 0, edges = rows?.edges ?? 0 } = report;
  const held = `${plural(entities, "entity", "entities")} and ${plural(edges, "edge")}`;
  return isDryRun
    ? `The files hold ${held}, as understood below. Nothing was imported yet.`
    : `${name} now has a version with ${held}.`;
}

/** Why rows are dropped, by the server's stable words; a new one is shown as it is. */
const REASONS: Record<string, string> = {
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

export function droppedCount(dropped: Record<string, number> = {}): number {
  return Object.values(dropped).reduce((sum, one) => sum + one, 0);
}

/** What did not become part of it, and why; each with its line follows in the table. */
export function droppedTotal(dropped: Record<string, number> = {}): string {
  const total = droppedCount(dropped);
  const [only, ...others] = Object.keys(dropped);
  if (only === undefined || total === 0) return "No row";
  return others.length === 0 ? `${plural(total, "row")} ${why(only)}` : `${plural(total, "row")}: ${reasons(dropped)}`;
}

export function firstOf(listed: number, total: number): string {
  return listed < total ? `Dropped rows, the first ${count(listed)} of ${count(total)}` : "Dropped rows";
}

const why = (reason: string) => REASONS[reason] ?? reason.replaceAll("-", " ");

function reasons(dropped: Record<string, number>): string {
  return Object.entries(dropped)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, times]) => `${count(times)} ${why(reason)}`)
    .join(", ");
}
