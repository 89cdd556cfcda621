/** What the server says about question sets, their questions and RNS, and how it is read. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { address, BASE, graphAddress, type GraphPath, type Where } from "@/lib/graphs/reading";
import type { Options } from "./options";
import type { Part, Weights } from "./simplex";

type Schemas = components["schemas"];

export type QuestionSet = Schemas["QuestionSetBody"];
export type QuestionRow = Schemas["ListedQuestion"];
export type BenchCandidate = Schemas["WorkbenchCandidate"];
export type SplitList = Schemas["SplitsBody"];
export type BenchPartition = Schemas["PartitionBody"];
export type Method = BenchPartition["method"];
export type Comparison = Schemas["ComparisonBody"];
export type Embedding = Schemas["EmbeddingBody"];
export type Auc = Schemas["AucBody"];
export type Parameters = Schemas["ParametersBody"];
export type Calibration = Schemas["CalibrationBody"];
export type Preset = Schemas["PresetBody"];
export type Bench = Schemas["WorkbenchAnswer"];
export type Pair = Omit<Schemas["PairBody"], "paths"> & { paths: GraphPath[] };
export type Explained = Omit<Schemas["ExplanationAnswer"], "pairs"> & { pairs: Pair[] };
export type RnsEntity = Schemas["MemberBody"];
export type RnsBar = Schemas["BarBody"];
export type Rns = Schemas["RnsAnswer"];

/** R, N, its mutual information, and S. */
export type Measured = Record<Part | "mutual_information", number>;

/** Columns of other methods, in the order in which they are shown. */
export function storedOf({ partitions }: Bench): BenchPartition[] {
  return (["llm", "expert"] as const).flatMap((method) => partitions.filter((one) => one.method === method));
}

/** Computed from what never changes: it stays true as long as the page is open. */
const KEPT = { staleTime: Infinity, gcTime: 600_000 };

export const SETS = `${BASE}/question-sets`;

export const questionSetsQuery = queryOptions({
  queryKey: ["question-sets"],
  queryFn: async ({ signal }) => (await call<{ results: QuestionSet[] }>(SETS, { signal })).results,
  staleTime: 60_000,
});

export function questionsAddress(set: string): string {
  return `${SETS}/${encodeURIComponent(set)}/questions`;
}

/** Which version of which graph a question is looked at in; the newest where none is named. */
export interface BenchPlace {
  graph: string | null;
  snapshot: string | null;
}

export interface BenchAsked extends BenchPlace {
  size: string | null;
  options: Partial<Options>;
}

function questionAddress(id: string, rest: string): string {
  return `${BASE}/questions/${encodeURIComponent(id)}/${rest}`;
}

export function benchQuery(id: string, { options, ...asked }: BenchAsked) {
  const path = address(questionAddress(id, "workbench"), { ...asked, ...options });
  return queryOptions({
    queryKey: ["workbench", id, path],
    queryFn: ({ signal }) => call<Bench>(path, { signal }),
    // While other options are computed, what is shown stays; another question begins anew.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    ...KEPT,
  });
}

export function exportAddress(id: string, { options, ...asked }: BenchAsked): string {
  return address(questionAddress(id, "workbench/export"), { ...asked, ...options });
}

export function explainedQuery(id: string, { slug, snapshot }: Where, existing: number[], serendipity: number) {
  const path = address(questionAddress(id, "serendipity-paths"), {
    graph: slug, snapshot, existing: existing.map(String), serendipity: [String(serendipity)],
  });
  return queryOptions({
    queryKey: ["workbench-paths", path],
    queryFn: ({ signal }) => call<Explained>(path, { signal }),
    enabled: existing.length > 0,
    ...KEPT,
  });
}

export interface RnsAsked {
  existing: string[];
  serendipity: string[];
  options: Partial<Options>;
}

export function rnsQuery(where: Where, { options, ...sets }: RnsAsked) {
  return queryOptions({
    queryKey: ["rns", where.slug, where.snapshot, sets, options],
    queryFn: ({ signal }) => askRns(where, { ...sets, ...options }, signal),
    enabled: sets.existing.length > 0 && sets.serendipity.length > 0,
    ...KEPT,
  });
}

/** Where the sets stand among random ones: seconds instead of tenths, so it is asked by itself. */
export function percentileQuery(where: Where, { options, ...sets }: RnsAsked, weights: Weights, enabled: boolean) {
  return queryOptions({
    queryKey: ["rns-percentile", where.slug, where.snapshot, sets, options, weights],
    queryFn: ({ signal }) => askRns(where, { ...sets, ...options, weights, percentile: true }, signal),
    enabled,
    ...KEPT,
  });
}

function askRns(where: Where, json: object, signal: AbortSignal): Promise<Rns> {
  const path = address(graphAddress(where, "/rns"), { snapshot: where.snapshot });
  return call<Rns>(path, { method: "POST", json, signal });
}
