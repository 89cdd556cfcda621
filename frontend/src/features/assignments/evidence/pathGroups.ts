/** Paths by their length: what the graph states directly, and detours. */
import { isEntityStep, stepName, type EdgeStep, type GraphPath, type Paths } from "@/domains/graphs/graphQueries";
import { formatPlural } from "@/lib/format";
import type { CandidateEvidence } from "./api";

export type { GraphPath };

export interface PathGroup {
  steps: number;
  paths: GraphPath[];
}

/** One edge of a path as it is walked, in words too: 'Cold is treated by Zinc'. */
export interface PathEdge {
  edge: number;
  step: EdgeStep;
  from: string;
  to: string;
  text: string;
}

export function edgesOf(path: GraphPath): PathEdge[] {
  return path.steps.flatMap((step, at) => {
    if (isEntityStep(step)) return [];
    const [from, to] = [stepName(path, at - 1), stepName(path, at + 1)];
    return { edge: step.edge, step, from, to, text: `${from} ${step.phrase} ${to}` };
  });
}

const edgeCount = (path: GraphPath) => edgesOf(path).length;

/** The shortest first; each group in the order in which the server ranks its paths. */
export function groupByLength(paths: GraphPath[]): PathGroup[] {
  const lengths = [...new Set(paths.map(edgeCount))].toSorted((left, right) => left - right);
  return lengths.map((steps) => ({ steps, paths: paths.filter((path) => edgeCount(path) === steps) }));
}

/** The shortest thing to know of a candidate; empty while it is loaded. */
export function peekText(evidence: CandidateEvidence | undefined, paths: Paths | null | undefined): { text: string; isStatement: boolean } {
  const [shortest] = groupByLength(paths?.paths ?? []);
  const [first] = shortest?.paths ?? [];
  if (shortest?.steps === 1 && first) return { text: edgesOf(first)[0]?.text ?? "", isStatement: true };
  return { text: withoutStatement(evidence, paths, shortest), isStatement: false };
}

function withoutStatement(evidence: CandidateEvidence | undefined, paths: Paths | null | undefined, shortest: PathGroup | undefined): string {
  if (!evidence) return "";
  if (!evidence.entity) return "not found in this graph";
  if (paths === undefined) return "";
  if (!shortest) return "no short path from the question";
  return `nothing direct, ${formatPlural(shortest.paths.length, "path")} through ${shortest.steps} steps`;
}
