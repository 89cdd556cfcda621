/** Question sets, their questions and RNS at the server, and how they are read. */
import { queryOptions } from "@tanstack/react-query";
import { request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { apiUrl, API_BASE, graphApiUrl, IMMUTABLE_QUERY, type GraphRef } from "@/domains/graphs/graphQueries";
import { QUESTION_SETS_URL } from "@/domains/questions/questionSets";
import { readQuery } from "@/lib/readQuery";
import type { Options } from "./options";
import type { ScorePart, Weights } from "@/lib/weights/simplex";

type Schemas = components["schemas"];

export type QuestionSet = Schemas["QuestionSet"];
export type QuestionRow = Schemas["QuestionSummary"];
export type SetStatistics = Schemas["QuestionStatistics"];
export type SizeCount = Schemas["SizeCount"];
export type WorkbenchCandidate = Schemas["WorkbenchCandidate"];
export type WorkbenchPartition = Schemas["Partition"];
export type Method = WorkbenchPartition["method"];
export type Comparison = Schemas["Comparison"];
export type Embedding = Schemas["Embedding"];
export type Auc = Schemas["Auc"];
export type RankSummary = Schemas["RankSummary"];
export type Parameters = Schemas["RnsParameters"];
export type Calibration = Schemas["Calibration"];
export type Preset = Schemas["WeightPreset"];
export type Workbench = Schemas["Workbench"];
export type Pair = Schemas["PairExplanation"];
export type Explanation = Schemas["Explanations"];
export type Rns = Schemas["RnsScores"];

/** R, N, its mutual information, and S. */
export type PartScores = Record<ScorePart | "mutual_information", number>;

/** Columns of other methods, in the order in which they are shown. */
export function storedPartitions({ partitions }: Workbench): WorkbenchPartition[] {
  return (["llm", "expert"] as const).flatMap((method) => partitions.filter((one) => one.method === method));
}

export function questionsUrl(set: string, filter: { text: string | null; order: string | null }): string {
  return apiUrl(`${QUESTION_SETS_URL}/${encodeURIComponent(set)}/questions`, filter);
}

export function setStatisticsQuery(set: string) {
  const path = `${QUESTION_SETS_URL}/${encodeURIComponent(set)}/statistics`;
  return readQuery<SetStatistics>(["question-set-statistics", set], path, { staleTime: 60_000 });
}

/** Which version of which graph a question is looked at in; the newest where none is named. */
interface WorkbenchLocation {
  graph: string | null;
  snapshot: string | null;
}

export interface WorkbenchRequest extends WorkbenchLocation {
  size: string | null;
  options: Partial<Options>;
}

function questionUrl(id: string, rest: string): string {
  return `${API_BASE}/questions/${encodeURIComponent(id)}/${rest}`;
}

export function workbenchQuery(id: string, { options, ...location }: WorkbenchRequest) {
  const path = apiUrl(questionUrl(id, "workbench"), { ...location, ...options });
  return queryOptions({
    queryKey: ["workbench", id, path],
    queryFn: ({ signal }) => request<Workbench>(path, { signal }),
    // While other options are computed, what is shown stays; another question begins anew.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    ...IMMUTABLE_QUERY,
  });
}

export function exportUrl(id: string, { options, ...location }: WorkbenchRequest): string {
  return apiUrl(questionUrl(id, "workbench/export"), { ...location, ...options });
}

/** More than are shown at once: mechanisms are often less probable than a common treatment. */
const PATHS_PER_PAIR = 10;

export function explanationQuery(id: string, { slug, snapshot }: GraphRef, existing: number[], serendipity: number) {
  const path = apiUrl(questionUrl(id, "serendipity-paths"), {
    graph: slug, snapshot, limit: String(PATHS_PER_PAIR), existing: existing.map(String), serendipity: [String(serendipity)],
  });
  return readQuery<Explanation>(["workbench-paths", path], path, { enabled: existing.length > 0, ...IMMUTABLE_QUERY });
}

export interface RnsRequest {
  existing: string[];
  serendipity: string[];
  options: Partial<Options>;
}

export function rnsQuery(where: GraphRef, { options, ...sets }: RnsRequest) {
  return queryOptions({
    queryKey: ["rns", where.slug, where.snapshot, sets, options],
    queryFn: ({ signal }) => fetchRns(where, { ...sets, ...options }, signal),
    enabled: sets.existing.length > 0 && sets.serendipity.length > 0,
    ...IMMUTABLE_QUERY,
  });
}

/** Where the sets stand among random ones: seconds instead of tenths, so it is requested by itself. */
export function percentileQuery(where: GraphRef, { options, ...sets }: RnsRequest, weights: Weights, enabled: boolean) {
  return queryOptions({
    queryKey: ["rns-percentile", where.slug, where.snapshot, sets, options, weights],
    queryFn: ({ signal }) => fetchRns(where, { ...sets, ...options, weights, percentile: true }, signal),
    enabled,
    ...IMMUTABLE_QUERY,
  });
}

function fetchRns(where: GraphRef, json: object, signal: AbortSignal): Promise<Rns> {
  const path = apiUrl(graphApiUrl(where, "/rns"), { snapshot: where.snapshot });
  return request<Rns>(path, { method: "POST", json, signal });
}
