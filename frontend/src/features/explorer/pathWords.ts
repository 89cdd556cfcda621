/** Kinds of paths and their weights in words: 'through a shared side effect', 'one walk in 130'. */
import { formatCount } from "@/lib/format";
import { isEntityStep, type Evidence, type GraphPath, type PathOrder } from "./api";

interface PathKind {
  types: string[];
  /** Relation names, each preceded by '>', '<' or '=' for its direction. */
  relations: string[];
}

/** A key lists types and relations alternately, separated by slashes. */
function parseKind(key: string): PathKind {
  const parts = key.split("/").map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"));
  return { types: parts.filter((_, at) => at % 2 === 0), relations: parts.filter((_, at) => at % 2 === 1) };
}

/** What a path of this kind passes between its ends. */
export function kindLabel(key: string): string {
  const { types, relations } = parseKind(key);
  const inner = types.slice(1, -1).map((type) => type.toLowerCase());
  const [first, second] = inner;
  if (!first) return "directly";
  if (second) return first === second ? `through two of type ${first}` : `through ${withArticle(first)} and ${withArticle(second)}`;
  return `through ${isShared(relations) ? `a shared ${first}` : withArticle(first)}`;
}

/** Whether both ends have the same relation to what is between them. */
function isShared([first = "", second = ""]: string[]): boolean {
  return first.slice(1) === second.slice(1) && (first[0] !== second[0] || first.startsWith("="));
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

const MECHANISM_TYPES = /gene|protein|pathway|process|complex|metabolite|function|class/i;

/** Of paths in order: the direct links, and the first other one; beside a direct link that through genes or pathways alone, else by one, if any is. */
export function topPaths(paths: GraphPath[]): { direct: GraphPath[]; main: GraphPath | undefined } {
  const direct = paths.filter(isDirect);
  const others = paths.filter((path) => !isDirect(path));
  if (direct.length === 0) return { direct, main: others[0] };
  const [whole, part] = [others.find((path) => passes(path).every(isMechanism)), others.find((path) => passes(path).some(isMechanism))];
  return { direct, main: whole ?? part ?? others[0] };
}

/** Both ends and the edge between them. */
export const isDirect = ({ steps }: GraphPath): boolean => steps.length === 3;

/** The types of the entities between the ends. */
const passes = ({ steps }: GraphPath): string[] => steps.slice(1, -1).flatMap((step) => (isEntityStep(step) ? [step.entity.type] : []));

const isMechanism = (type: string) => MECHANISM_TYPES.test(type);

export function directEvidence({ steps }: GraphPath): Evidence | null {
  const [, edge] = steps;
  return edge && !isEntityStep(edge) ? edge.evidence : null;
}

/** A weight as a physician can read it: how often a walk takes the path, or its size beside the best. */
export function weightLabel(weight: number, order: PathOrder, best: number): string {
  if (weight <= 0) return "no weight";
  if (order === "probability") return `one walk in ${walksLabel(weight)}`;
  const share = (100 * weight) / best;
  if (share >= 99.5) return "as heavy as the heaviest";
  return share < 1 ? "under 1% of the heaviest" : `${Math.round(share)}% of the heaviest`;
}

/** Of a probability, in how many walks one takes the path: '130'. */
export const walksLabel = (weight: number) => formatCount(roundToTwoDigits(1 / weight));

const DECADES = 6;

/** The length of a bar, 0 to 1: each tenth of the weight takes the same part from it, whatever else is listed. */
export function weightShare(weight: number): number {
  return weight > 0 ? Math.min(1, Math.max(0, 1 + Math.log10(weight) / DECADES)) : 0;
}

function roundToTwoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
