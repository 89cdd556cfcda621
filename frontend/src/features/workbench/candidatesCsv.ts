/** The candidates as a table for a spreadsheet: every figure as it came, with all it depends on. */
import { csvText } from "@/lib/csv";
import type { Bench } from "./api";
import { totalOfBar } from "./Bar";
import { PARTS, type Weights } from "./simplex";

const HEADS = [
  "question", "position", "candidate", "entity", "type", "prior rank", "relevance", "novelty", "mutual information (bits)",
  "surprise", "RNS", "by RNS", "by models", "by experts", "graph", "version", "snapshot", "size",
];

export function candidatesCsv(bench: Bench, weights: Weights, chosen: ReadonlySet<number>): string {
  const { question, graph, snapshot, candidates, parameters, size, splits } = bench;
  const options = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
  const whole = [graph.slug, String(graph.number), snapshot, size === null ? "" : String(size), splits ? searched(splits.exact) : ""];
  const rows = candidates.map(({ position, name, entity, prior_rank: prior, bar }) => [
    question.file_id, String(position), name, entity?.id ?? "", entity?.type ?? "", prior === null ? "" : String(prior),
    ...[bar?.relevance, bar?.novelty, bar?.mutual_information, bar?.surprise, bar && totalOfBar(bar, weights)].map(figure),
    splits && bar ? side(chosen.has(position)) : "", storedSide(bench, "llm", position), storedSide(bench, "expert", position),
    ...whole, ...PARTS.map((part) => figure(weights[part])), ...options.map(([, value]) => value),
  ]);
  const heads = [...HEADS, "search", ...PARTS.map((part) => `weight of ${part}`), ...options.map(([name]) => `option ${name}`)];
  return csvText([heads, ...rows]);
}

/** All its digits: another program may go on from there. */
function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function searched(isExact: boolean): string {
  return isExact ? "exact" : "approximate";
}

function side(isSerendipitous: boolean): string {
  return isSerendipitous ? "serendipitous" : "existing";
}

function storedSide({ partitions }: Bench, method: "llm" | "expert", position: number): string {
  const stored = partitions.find((one) => one.method === method);
  if (stored?.serendipity.includes(position)) return side(true);
  return stored?.existing.includes(position) ? side(false) : "";
}
