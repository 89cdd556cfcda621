/** What the server says about question sets, their questions and RNS, and how it is read. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "@/api/client";
import { address, BASE, graphAddress, type EntityBrief, type GraphPath, type Where } from "@/lib/graphs/reading";
import type { Options } from "./options";
import type { Part, Weights } from "./simplex";

export type Method = "llm" | "expert" | "rns";
export type Measured = Record<Part | "mutual_information", number>;

export interface QuestionSet {
  id: string;
  name: string;
  is_demo: boolean;
  questions: number;
  public: boolean;
  graphs: { slug: string; name: string; snapshot: string; number: number }[];
  methods: Record<Method, number>;
}

export interface QuestionRow {
  id: string;
  file_id: number;
  number: number;
  text: string;
  category: string;
  pattern_type: string;
  candidates: number;
  public: boolean;
  methods: Method[];
}

export interface BenchCandidate {
  position: number;
  name: string;
  prior_rank: number | null;
  entity: EntityBrief | null;
  embedded: boolean;
  bar: Measured | null;
}

export interface SplitList {
  exact: boolean;
  count: number;
  order: number[];
  sets: number[][];
  relevance: number[];
  novelty: number[];
  mutual_information: number[];
  surprise: number[];
  error: number;
  gain: number;
}

export interface BenchPartition {
  method: Method;
  number: number;
  source: string;
  serendipity: number[];
  existing: number[];
  created_at: string;
}

export interface Comparison {
  one: Method;
  other: Method;
  candidates: number;
  overlap: number;
  chance: number;
  tau_b: number | null;
  differ: number[];
}

interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface Auc {
  negatives: "uniform" | "same_type" | "degree_matched";
  n: number;
  left_out: number;
  embedding: Interval;
  degree_product: Interval;
}

export interface Embedding {
  method: "propagation" | "gcn";
  dimensions: number;
  aucs: Auc[];
}

export interface Parameters extends Options {
  hops: number;
  damping: number;
  weighted: boolean;
  precision: string;
}

export interface Calibration {
  weights: Weights;
  n: number;
  agreement: Interval;
  chance: number;
  weights_matter: Record<Part, boolean>;
}

export interface Preset {
  name: "equal" | Part | "calibrated";
  weights: Weights;
}

export interface Bench {
  snapshot: string;
  graph: { slug: string; name: string; number: number };
  public: boolean;
  question: {
    id: string;
    file_id: number;
    number: number;
    of: number;
    previous: string | null;
    next: string | null;
    text: string;
    category: string;
    pattern_type: string;
    set: { id: string; name: string };
  };
  candidates: BenchCandidate[];
  left_out: number[];
  size: number | null;
  splits: SplitList | null;
  partitions: BenchPartition[];
  comparisons: Comparison[];
  presets: Preset[];
  calibration: Calibration | null;
  parameters: Parameters;
  embedding: Embedding | null;
}

export interface Pair {
  existing: EntityBrief;
  serendipity: EntityBrief;
  found: number;
  shown: number;
  capped: boolean;
  summary: string;
  paths: GraphPath[];
}

export interface Explained {
  snapshot: string;
  order: "probability" | "degree";
  formula: string;
  pairs: Pair[];
}

export interface RnsEntity extends EntityBrief {
  set: "existing" | "serendipity";
  embedded: boolean;
  marginal: number;
}

export interface Rns extends Measured {
  snapshot: string;
  surprise_error: number;
  total: number;
  weights: Weights;
  entities: RnsEntity[];
  p3: number[][];
  bars: (Measured & { id: string; total: number })[];
  marginal_error: number;
  parameters: Parameters;
  embedding: Embedding | null;
  percentile: (Record<Part, number> & { total: number; draws: number }) | null;
}

/** Computed from what never changes: it stays true as long as the page is open. */
const KEPT = { staleTime: Infinity, gcTime: 600_000 };

export const SETS = `${BASE}/question-sets`;

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
