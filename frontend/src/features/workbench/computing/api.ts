/** Computations: what is asked for, and what the server says of it while it works and afterwards. */
import { queryOptions } from "@tanstack/react-query";
import { call, callWithStatus } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { address, BASE, graphAddress, type Where } from "@/lib/graphs/reading";
import type { Embedding } from "../api";
import type { Options } from "../options";

type Schemas = components["schemas"];

export type Kind = Schemas["NewComputationKindEnum"];

/** A line of a file that could not be scored. */
export interface LineFault {
  line: number;
  id: string | number | null;
  message: string;
}

/** Free in the schema: each kind tells its own, once it is done. */
export interface Result extends Partial<Embedding> {
  error?: number;
  products?: number;
  questions?: number;
  new?: number;
  how?: Record<string, number>;
  left_out?: Record<string, string>;
  left_out_total?: number;
  sets?: number;
  failed?: number;
  faults?: LineFault[];
}

export interface Computation extends Omit<Schemas["ComputationBody"], "result"> {
  result: Result;
}

export interface Wanted extends Partial<Options> {
  kind: Kind;
  /** 'slug@number' */
  graph: string;
  question_set?: string;
  size?: number;
}

const PATH = `${BASE}/computations`;
/** Asked again so often while something is under way: at leisure where the server tells by itself. */
const ASK_AGAIN_MS = 2_000;
const ASK_SELDOM_MS = 20_000;

export function hasEnded({ state }: Computation): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

export function computationsQuery(isLive: boolean, enabled = true) {
  return queryOptions({
    queryKey: ["computations"],
    queryFn: async ({ signal }) => (await call<{ results: Computation[] }>(PATH, { signal })).results,
    refetchInterval: ({ state }) => {
      if (state.data?.every(hasEnded)) return false;
      return isLive ? ASK_SELDOM_MS : ASK_AGAIN_MS;
    },
    enabled,
  });
}

/** What was asked for; new, unless the same is under way or done already. */
export interface Asked {
  computation: Computation;
  isNew: boolean;
}

export async function requestComputation(wanted: Wanted): Promise<Asked> {
  const { status, body } = await callWithStatus<Computation>(PATH, { method: "POST", json: wanted });
  return { computation: body, isNew: status === 202 };
}

export function cancelComputation(id: string): Promise<Computation> {
  return call<Computation>(`${PATH}/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

export function scoresAddress(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}/file`;
}

/** A file of sets, one JSON object a line, to be scored in the background. */
export function sendSets({ slug, snapshot }: Where, file: File, options: Partial<Options>): Promise<Computation> {
  const form = new FormData();
  form.set("file", file);
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  return call<Computation>(address(graphAddress({ slug, snapshot }, "/rns-files"), { snapshot }), { method: "POST", form });
}
