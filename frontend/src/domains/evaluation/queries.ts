import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type Release = Schemas["Release"];
export type Board = Schemas["Board"];
export type BoardRow = Schemas["BoardRow"];
export type BoardMetric = Schemas["BoardMetric"];
export type BoardPoints = Schemas["BoardPoints"];
export type PointAxis = "cost" | "parameters";
export type JudgedBoard = Schemas["JudgedBoard"];
export type Result = Schemas["BoardResult"];
export type ModelResults = Schemas["ModelResults"];
export type ModelMatrix = Schemas["ModelMatrix"];
export type EntryComparison = Schemas["EntryComparison"];
export type StrategyTable = Schemas["StrategyTable"];
export type Strategy = Schemas["Strategy"];
export type SliceCorrelations = Schemas["SliceCorrelations"];
export type Model = Schemas["Model"];
export type Submission = Schemas["Submission"];
export type Validation = Schemas["Validation"];
export type QueryUse = Schemas["QueryUse"];
export type EvaluatedTrack = Schemas["EvaluatedTrack"];
export type TrackPage = Schemas["TrackPage"];
export type Prompt = Schemas["Prompt"];
export type PromptSummary = Schemas["PromptSummary"];
export type Split = Submission["split"];

export const tracksQuery = readListQuery<EvaluatedTrack>(["tracks"], "/api/v1/tracks");
export const trackQuery = (slug: string) => readQuery<TrackPage>(["tracks", slug], `/api/v1/tracks/${slug}`);
export const promptsQuery = readListQuery<PromptSummary>(["prompts"], "/api/v1/prompts");
export const promptQuery = (name: string) => readQuery<Prompt>(["prompts", name], `/api/v1/prompts/${name}`);
export const releasesQuery = readListQuery<Release>(["releases"], "/api/v1/releases?limit=200");
export const modelsQuery = readListQuery<Model>(["models", "own"], "/api/v1/models?own=true&limit=200");
export const submissionsQuery = readListQuery<Submission>(["submissions"], "/api/v1/submissions?limit=50");

export const boardKey = (release: string) => ["boards", release];

/** A page of a board; `query` is that of the API. */
export const boardQuery = (release: string, query: string) =>
  readQuery<Board>([...boardKey(release), query], `/api/v1/boards/${release}?${query}`);

/** The main metric of all entries against an axis; `query` is that of the filter. */
export const boardPointsQuery = (release: string, axis: PointAxis, query: string) =>
  readQuery<BoardPoints>([...boardKey(release), "points", axis, query], `/api/v1/boards/${release}/points?x=${axis}&${query}`);

/** judged@k of the entries that stand, and bounds of the main metric. */
export const judgedQuery = (release: string, split: string) =>
  readQuery<JudgedBoard>([...boardKey(release), "judged", split], `/api/v1/boards/${release}/judged?split=${split}`);

/** The same of the entries of a board. */
export const boardCorrelationsQuery = (release: string, query: string) =>
  readQuery<SliceCorrelations>([...boardKey(release), "correlations", query], `/api/v1/boards/${release}/correlations?${query}`);

export const resultQuery = (id: string) => readQuery<Result>(["results", id], `/api/v1/results/${id}`);

export const modelResultsQuery = (slug: string) => readQuery<ModelResults>(["models", slug, "results"], `/api/v1/models/${slug}/results`);

export const modelMatrixQuery = (text: string, offset: number) =>
  readQuery<ModelMatrix>(["models", "matrix", text, offset], `/api/v1/model-matrix?${new URLSearchParams({ text, offset: String(offset) })}`);

export const comparisonQuery = (release: string, first: string, second: string, metric: string) =>
  readQuery<EntryComparison>(
    [...boardKey(release), "comparison", first, second, metric],
    `/api/v1/boards/${release}/comparison?${new URLSearchParams({ first, second, metric })}`,
  );

/** Runs by model and setting with the baselines; an empty reference is the server's choice. */
export const strategiesQuery = (release: string, split: string, metric: string, reference: string) =>
  readQuery<StrategyTable>(
    [...boardKey(release), "strategies", split, metric, reference],
    `/api/v1/boards/${release}/strategies?${new URLSearchParams({ split, metric, ...(reference && { reference }) })}`,
  );

export const submissionQuery = (id: string) => readQuery<Submission>(["submissions", id], `/api/v1/submissions/${id}`);

export const queryReportQuery = (id: string) =>
  readQuery<Schemas["QueryReport"]>(["submissions", id, "query-report"], `/api/v1/submissions/${id}/query-report`);

export const queryUseQuery = (release: string) =>
  readQuery<QueryUse>(["releases", release, "queries"], `/api/v1/releases/${release}/queries`);

export const releaseUrl = (slug: string) => `/api/v1/releases/${encodeURIComponent(slug)}`;

export const releaseQuery = (slug: string) => readQuery<Release>(["releases", slug], releaseUrl(slug));
