/** Imports of graphs: what is sent, and what the server says of it while it works and afterwards. */
import { queryOptions } from "@tanstack/react-query";
import { call, type Fault } from "@/api/client";
import type { components } from "@/api/generated/schema";

type Schemas = components["schemas"];

export type ImportState = Schemas["ImportStateEnum"];
export type Visibility = Schemas["VisibilityEnum"];

export interface RowFault {
  file: string;
  line: number;
  reason: string;
  message: string;
  detail: string;
}

export interface FirstEntity {
  id: string;
  name: string;
  type: string;
  synonyms: string[];
  xrefs: string[];
  sections: string[];
}

export interface FirstEdge {
  source: string;
  relation: string;
  phrase: string;
  target: string;
  score: number | null;
  evidence: string;
  level: string;
  p_value: number | null;
  publications: string[];
}

/** Free in the schema, for it grows while the import works; what is not known yet is absent. */
export interface Report {
  format?: string;
  files?: Record<string, string>;
  ignored?: string[];
  first?: { entities: FirstEntity[]; edges: FirstEdge[] };
  rows?: { entities: number; edges: number };
  dropped?: Record<string, number>;
  repeated?: number;
  conflicts?: Record<string, number>;
  folded?: number;
  faults?: RowFault[];
  entities?: number;
  edges?: number;
  error?: { code: string; detail: string; errors: Fault[] };
}

export interface Importing extends Omit<Schemas["Import"], "report" | "state"> {
  state: ImportState;
  report: Report;
}

export interface Wish {
  name: string;
  format: string;
  files: File[];
  mapping: Record<string, string>;
  description: string;
  licence: string;
  citation: string;
  visibility: Visibility;
  isDryRun: boolean;
}

const PATH = "/api/v1/graph-imports";
const ASK_AGAIN_MS = 1000;

export function sendImport(wish: Wish): Promise<Importing> {
  const form = new FormData();
  form.set("name", wish.name);
  if (wish.format) form.set("format", wish.format);
  if (Object.keys(wish.mapping).length > 0) form.set("mapping", JSON.stringify(wish.mapping));
  form.set("dry_run", String(wish.isDryRun));
  form.set("visibility", wish.visibility);
  for (const name of ["description", "licence", "citation"] as const) if (wish[name]) form.set(name, wish[name]);
  for (const file of wish.files) form.append("files", file);
  return call<Importing>(PATH, { method: "POST", form });
}

export function cancelImport(id: string): Promise<Importing> {
  return call<Importing>(`${PATH}/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

export function hasEnded(state: ImportState): boolean {
  return ["done", "refused", "failed", "cancelled"].includes(state);
}

export function importQuery(id: string | null) {
  return queryOptions({
    queryKey: ["graph-imports", id],
    queryFn: ({ signal }) => call<Importing>(`${PATH}/${encodeURIComponent(id ?? "")}`, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.state) ? false : ASK_AGAIN_MS),
  });
}

export const importsQuery = queryOptions({
  queryKey: ["graph-imports"],
  queryFn: async ({ signal }) => (await call<{ results: Importing[] }>(PATH, { signal })).results,
});
