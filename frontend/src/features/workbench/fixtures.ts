/** Data for tests: a question with five candidates, and numbers to try things with. */
import type { Workbench, Explanation, QuestionRow, QuestionSet, Rns } from "./api";
import { cornerOf, EQUAL_WEIGHTS, SCORE_PARTS } from "@/lib/weights/simplex";

const NAMES = ["Suzetrigine", "Tapentadol", "Ibuprofen", "Oxycodone", "Ketamine"];
/** By place: the second wins where relevance counts, the first where surprise does. */
const RELEVANCE = [-0.6, -0.2, -0.5, -0.4, -0.5];
const SURPRISE = [0.7, 0.1, 0.2, 0.15, 0.3];
const MI = [2e-5, 1e-5, -1e-5, 3e-5, 1e-5];

const parameters: Workbench["parameters"] = {
  direction: "both", dangling: "self", support: "all", novelty: "printed", method: "propagation", weighted: false,
  hops: 3, damping: 0.85, precision: "float64",
};

export function makeWorkbench(change: Partial<Workbench> = {}): Workbench {
  return {
    snapshot: "abc",
    graph: { slug: "demo", name: "Demo graph", number: 2 },
    public: true,
    question: {
      id: "q7", file_id: "7007", batch_number: 0, number: 7, set_size: 60, previous: "q6", next: "q8", text: "Which drugs treat severe acute pain?",
      category: "pain", pattern_type: "1.2", set: { id: "s1", name: "SerenQA demo" }, pattern: null,
    },
    candidates: NAMES.map((name, position) => ({
      position,
      name,
      prior_rank: position + 1,
      entity: { id: `D:${position}`, name, type: "Drug", degree: 3 },
      embedded: position !== 4,
      bar: makeBar(position),
    })),
    left_out: [],
    size: 1,
    splits: {
      exact: true,
      count: 5,
      order: [0, 1, 2, 3, 4],
      sets: [[0], [1], [2], [3], [4]],
      relevance: RELEVANCE,
      novelty: MI.map((mi) => 1 - mi),
      mutual_information: MI,
      surprise: SURPRISE,
      error: 0,
      gain: 1e-12,
    },
    partitions: [makePartition("llm", [0]), makePartition("expert", [1])],
    comparisons: [{ one: "llm", other: "expert", candidates: 5, overlap: 0, chance: 0.2, tau_b: -0.25, differ: [0, 1] }],
    presets: [{ name: "equal", weights: EQUAL_WEIGHTS }, ...SCORE_PARTS.map((name) => ({ name, weights: cornerOf(name) }))],
    calibration: null,
    parameters,
    embedding: null,
    ...change,
  };
}

export function makeBar(place: number) {
  const mi = MI[place] as number;
  return { relevance: RELEVANCE[place] as number, novelty: 1 - mi, mutual_information: mi, surprise: SURPRISE[place] as number };
}

export function makePartition(method: "llm" | "expert" | "rns", serendipity: number[]): Workbench["partitions"][number] {
  const existing = [0, 1, 2, 3, 4].filter((position) => !serendipity.includes(position));
  return { method, number: 1, source: "", parameters: {}, serendipity, existing, created_at: "2026-11-01T10:00:00Z" };
}

export function makeExplanation(existing: string[], serendipity: string): Explanation {
  const brief = (name: string) => ({ id: `D:${name}`, name, type: "Drug", degree: 3 });
  const edge = { edge: 1, relation: "treats", symmetric: false, evidence: null };
  return {
    snapshot: "abc",
    order: "probability",
    formula: "the product of 1 / links",
    pairs: existing.map((name) => ({
      existing: brief(name),
      serendipity: brief(serendipity),
      total: 12,
      shown: 1,
      capped: false,
      summary: "",
      paths: [{
        rank: 1,
        weight: 0.1,
        metapath: "",
        notation: "",
        steps: [
          { entity: brief(name) },
          { ...edge, forward: true, phrase: "treats" },
          { entity: { id: "X:1", name: "Pain", type: "Disease", degree: 9 } },
          { ...edge, forward: false, phrase: "is treated by" },
          { entity: brief(serendipity) },
        ],
      }],
    })),
  };
}

export function makeQuestionSet(change: Partial<QuestionSet> = {}): QuestionSet {
  return {
    id: "s1", name: "SerenQA demo", is_demo: true, questions: 60, public: true, is_manager: true, is_owner: true,
    graphs: [{ slug: "demo", name: "Demo graph", snapshot: "abc", number: 2 }], methods: { rns: 60, llm: 4 }, ...change,
  };
}

export function makeQuestionRow(number: number): QuestionRow {
  return {
    id: `q${number}`, file_id: String(7000 + number), batch_number: 0, number, text: `Question number ${number}`, category: "", pattern_type: "1.2",
    candidates: 5, public: true, methods: ["rns"],
    result: { rns_choice: ["Suzetrigine"], weight_share: 0.62, methods_differ: null },
  };
}

export function makeRns(change: Partial<Rns> = {}): Rns {
  return {
    snapshot: "abc", relevance: -0.63, novelty: 1, mutual_information: 8e-6, surprise: 0.61, surprise_error: 0, total: 0.33,
    weights: EQUAL_WEIGHTS,
    entities: [
      { id: "D:1", name: "Aspirin", type: "Drug", degree: 2, set: "existing", embedded: true, marginal: 0.003 },
      { id: "D:2", name: "Tapentadol", type: "Drug", degree: 2, set: "serendipity", embedded: false, marginal: 0.002 },
    ],
    p3: [[0.5, 0.01], [0.02, 0.4]],
    bars: ["D:1", "D:2"].map((id) => ({ id, relevance: -0.63, novelty: 1, mutual_information: 8e-6, surprise: 0.61, total: 0.33 })),
    marginal: [0.003, 0.002],
    marginal_error: 1e-10,
    parameters,
    embedding: {
      method: "propagation", dimensions: 64, without_vector: 0,
      aucs: [{
        negatives: "uniform", n: 140, left_out: 0,
        embedding: { value: 0.89, low: 0.85, high: 0.93 }, degree_product: { value: 0.69, low: 0.64, high: 0.73 },
      }],
      ranks: {
        embedding: { n: 140, mrr: 0.21, low: 0.21, high: 0.21, hit1: 0.11, hit3: 0.24, hit10: 0.4, adjusted_mean_rank: 0.78 },
        degree_product: { n: 140, mrr: 0.06, low: 0.05, high: 0.08, hit1: 0.02, hit3: 0.05, hit10: 0.13, adjusted_mean_rank: 0.38 },
      },
    },
    percentile: null,
    ...change,
  };
}
