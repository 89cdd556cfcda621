import type { components } from "@/api/generated/schema";
import { readListQuery, readQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type ModelTask = Schemas["ModelTask"];
export type Run = Schemas["Run"];
export type RunSummary = Schemas["RunSummary"];
export type RunState = Run["state"];
export type RunAnswer = Schemas["RunAnswer"];
export type Outcome = RunAnswer["outcome"];
export type Exploration = Schemas["Exploration"];
export type Trajectory = Schemas["Trajectory"];
export type ExplorationLevel = Schemas["ExplorationLevel"];
export type ExploredPath = Schemas["ExploredPath"];
export type NewRun = Schemas["NewRunRequest"];

const POLL_MS = 1_500;
export const ANSWERS_OF_A_PAGE = 20;

export const isActive = (state: RunState) => state === "estimating" || state === "running";

export const tasksQuery = (release: string) =>
  readListQuery<ModelTask>(["releases", release, "model-tasks"], `/api/v1/releases/${release}/model-tasks`);

export const runsQuery = readListQuery<RunSummary>(["runs"], "/api/v1/runs?limit=50");

export const runKey = (id: string) => ["runs", id];

/** It makes calls, or its predictions wait for their score. */
const isUnderWay = ({ state, submissions }: Run) => isActive(state) || submissions.some((one) => one.state === "queued");

/** Read again while it is under way. */
export const runQuery = (id: string) => ({
  ...readQuery<Run>(runKey(id), `/api/v1/runs/${id}`),
  refetchInterval: ({ state }: { state: { data: Run | undefined } }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
});

/** Read again when more items have ended. */
export const answersKey = (run: Run, outcome: Outcome | "") => [...runKey(run.id), "answers", outcome, run.progress.done];

export const answersPath = (run: Run, outcome: Outcome | "") =>
  `/api/v1/runs/${run.id}/answers?${new URLSearchParams({ ...(outcome && { outcome }), limit: String(ANSWERS_OF_A_PAGE) })}`;

export const explorationsKey = (run: string) => [...runKey(run), "explorations"];

export const explorationsQuery = (run: Run, offset: number) =>
  readQuery<Schemas["ExplorationPage"]>(
    [...explorationsKey(run.id), offset, run.progress.done],
    `/api/v1/runs/${run.id}/explorations?${new URLSearchParams({ limit: String(ANSWERS_OF_A_PAGE), ...(offset > 0 && { cursor: String(offset) }) })}`,
  );

export const trajectoryQuery = (run: string, split: string, position: string) =>
  readQuery<Trajectory>([...explorationsKey(run), split, position], `/api/v1/runs/${run}/explorations/${encodeURIComponent(split)}/${encodeURIComponent(position)}`);
