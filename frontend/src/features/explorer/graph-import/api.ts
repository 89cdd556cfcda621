/** Imports of graphs: what is sent, and what the server reports while it works and afterwards. */
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import type { Job, JobState } from "@/domains/jobs/jobs";
import { readListQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];

export type ImportState = Exclude<JobState, "succeeded"> | "done" | "refused";
export type Visibility = Schemas["GraphVisibility"];

interface RowError {
  file: string;
  line: number;
  reason: string;
  message: string;
  detail: string;
}

interface EntityPreview {
  id: string;
  name: string;
  type: string;
  synonyms: string[];
  xrefs: string[];
  sections: string[];
}

interface EdgePreview {
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
export interface GraphImportReport {
  format?: string;
  files?: Record<string, string>;
  ignored?: string[];
  first?: { entities: EntityPreview[]; edges: EdgePreview[] };
  rows?: { entities: number; edges: number };
  dropped?: Record<string, number>;
  repeated?: number;
  conflicts?: Record<string, number>;
  folded?: number;
  faults?: RowError[];
  entities?: number;
  edges?: number;
}

interface ImportParameters {
  name: string;
  files: string[];
  dry_run: boolean;
}

export type ImportJob = Job<ImportParameters, GraphImportReport & { graph?: string }>;

/** An import as its page shows it: refused means failed because of its files. */
export type GraphImport = ReturnType<typeof toGraphImport>;

export function toGraphImport(job: ImportJob) {
  const { id, parameters, result, error, created_at } = job;
  return { job, id, name: parameters.name, dry_run: parameters.dry_run, state: importState(job), report: result, error, graph: result.graph ?? null, created_at };
}

function importState({ state, error }: ImportJob): ImportState {
  if (state === "succeeded") return "done";
  if (state === "failed" && error?.code.startsWith("USER_")) return "refused";
  return state;
}

export interface GraphImportRequest {
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

const IMPORTS_URL = "/api/v1/graph-imports";
export const IMPORT_KIND = "graph-import";

export function createImport(wish: GraphImportRequest): Promise<ImportJob> {
  const form = new FormData();
  form.set("name", wish.name);
  if (wish.format) form.set("format", wish.format);
  if (Object.keys(wish.mapping).length > 0) form.set("mapping", JSON.stringify(wish.mapping));
  form.set("dry_run", String(wish.isDryRun));
  form.set("visibility", wish.visibility);
  for (const name of ["description", "licence", "citation"] as const) if (wish[name]) form.set(name, wish[name]);
  for (const file of wish.files) form.append("files", file);
  return request<ImportJob>(IMPORTS_URL, { method: "POST", form });
}

const FORMATS_URL = "/api/v1/graph-formats";

export const formatsQuery = readListQuery<Schemas["GraphFormat"]>(["graph-formats"], FORMATS_URL, { staleTime: Infinity });
