/** The candidates as a table for a spreadsheet: every figure as it came, with all it depends on. */
import { csvText } from "@/lib/csv";
import type { Workbench } from "./api";
import { barTotal } from "./Bar";
import { sideLabel } from "./labels";
import { SCORE_PARTS, type Weights } from "@/lib/weights/simplex";

const COLUMN_TITLES = [
  "question", "position", "candidate", "entity", "type", "prior rank", "relevance", "novelty", "mutual information (bits)",
  "surprise", "RNS", "by RNS", "by models", "by experts", "graph", "version", "snapshot", "size",
];

export function candidatesCsv(bench: Workbench, weights: Weights, chosen: ReadonlySet<number>): string {
  const { question, graph, snapshot, candidates, parameters, size, splits } = bench;
  const options = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
  const search = splits ? (splits.exact ? "exact" : "approximate") : "";
  const whole = [graph.slug, String(graph.number), snapshot, size === null ? "" : String(size), search];
  const rows = candidates.map(({ position, name, entity, prior_rank: prior, bar }) => [
    question.file_id, String(position), name, entity?.id ?? "", entity?.type ?? "", prior === null ? "" : String(prior),
    ...[bar?.relevance, bar?.novelty, bar?.mutual_information, bar?.surprise, bar && barTotal(bar, weights)].map(formatNumber),
    splits && bar ? (chosen.has(position) ? "serendipitous" : "existing") : "",
    storedSideCell(bench, "llm", position), storedSideCell(bench, "expert", position),
    ...whole, ...SCORE_PARTS.map((part) => formatNumber(weights[part])), ...options.map(([, value]) => value),
  ]);
  const heads = [...COLUMN_TITLES, "search", ...SCORE_PARTS.map((part) => `weight of ${part}`), ...options.map(([name]) => `option ${name}`)];
  return csvText([heads, ...rows]);
}

/** All its digits: another program may go on from there. */
function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function storedSideCell({ partitions }: Workbench, method: "llm" | "expert", position: number): string {
  const stored = partitions.find((one) => one.method === method);
  return stored ? sideLabel(stored, position, "") : "";
}
