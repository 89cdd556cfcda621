/** Computations of RNS: background jobs of the kinds "rns-…". */
import { request, requestWithStatus } from "@/api/client";
import { apiUrl, graphApiUrl, type GraphRef } from "@/domains/graphs/graphQueries";
import { JOBS_URL, type Job } from "@/domains/jobs/jobs";
import type { Embedding } from "../api";
import type { Options } from "../options";

export type Kind = "transition" | "embedding" | "partition";

export interface LineError {
  line: number;
  id: string | number | null;
  message: string;
}

/** Free in the schema: the members depend on the kind, and are present once the job is done. */
export interface ComputationResult extends Partial<Embedding> {
  error?: number;
  products?: number;
  questions?: number;
  new?: number;
  how?: Record<string, number>;
  left_out?: Record<string, string>;
  left_out_total?: number;
  sets?: number;
  failed?: number;
  faults?: LineError[];
}

export type ComputationJob = Job<{ options?: Record<string, unknown> }, ComputationResult>;

/** A job of one of the kinds that compute RNS, with what it is about. */
export type Computation = ReturnType<typeof toComputation>;

const KIND_PREFIX = "rns-";

function toComputation(job: ComputationJob) {
  const { graph, snapshot, question_set: questionSet } = job.details as Record<string, string | null | undefined>;
  const kind = job.kind.slice(KIND_PREFIX.length) as Kind | "scoring";
  return { job, kind, graph: graph ?? "", snapshot: snapshot ?? "", questionSet: questionSet ?? null, options: job.parameters.options ?? {} };
}

export function toComputations(jobs: ComputationJob[] = []): Computation[] {
  return jobs.filter(({ kind }) => kind.startsWith(KIND_PREFIX)).map(toComputation);
}

export interface ComputationRequest extends Partial<Options> {
  kind: Kind;
  /** 'slug@number' */
  graph: string;
  question_set?: string;
  size?: number;
}

/** Starts a computation; not new where the same one is running or done. */
export async function requestComputation({ kind, ...parameters }: ComputationRequest): Promise<{ job: ComputationJob; isNew: boolean }> {
  const json = { kind: `${KIND_PREFIX}${kind}`, parameters };
  const { status, body } = await requestWithStatus<ComputationJob>(JOBS_URL, { method: "POST", json });
  return { job: body, isNew: status === 202 };
}

export function scoresUrl(id: string): string {
  return `${JOBS_URL}/${encodeURIComponent(id)}/scores`;
}

/** Uploads a file of sets, one JSON object a line, to be scored in the background. */
export function uploadSetsFile({ slug, snapshot }: GraphRef, file: File, options: Partial<Options>): Promise<ComputationJob> {
  const form = new FormData();
  form.set("file", file);
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  const url = apiUrl(graphApiUrl({ slug, snapshot }, "/rns-batches"), { snapshot });
  return request<ComputationJob>(url, { method: "POST", form });
}
