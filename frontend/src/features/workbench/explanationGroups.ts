/** The paths to a candidate from all others, each statement once: mechanisms first, what the question states last. */
import { isEntityStep, type EntityStep } from "@/domains/graphs/graphQueries";
import type { Pair, Workbench } from "./api";

type ExplainedPath = Pair["paths"][number];

/** One statement about the candidate, with every other candidate that it starts from. */
export interface Statement {
  key: string;
  path: ExplainedPath;
  from: string[];
}

export interface StatementSection {
  title: string;
  /** Whether it only repeats what the question states. */
  isKnown: boolean;
  statements: Statement[];
}

/** What explains an effect comes before what shows it. Types are those of the graph. */
const MECHANISMS = [/gene|protein|target|enzyme/i, /pathway|process|function|class/i, /effect|phenotype|symptom/i];
const MAX_PRIORITY = MECHANISMS.length + 1;

/** The entities that the question itself names. */
export function namedEntities({ question: { pattern } }: Workbench): ReadonlySet<string> {
  return new Set((pattern?.nodes ?? []).filter(({ variable, id }) => !variable && id).map(({ id }) => id));
}

export function groupStatements(pairs: Pair[], named: ReadonlySet<string>): StatementSection[] {
  const sections = new Map<string, StatementSection & { priority: number }>();
  for (const statement of mergePaths(pairs)) {
    const { title, priority } = classify(statement.path, named);
    const section = sections.get(title) ?? { title, priority, isKnown: priority === MAX_PRIORITY, statements: [] };
    sections.set(title, section);
    section.statements.push(statement);
  }
  for (const section of sections.values()) section.statements.sort(compareStatements);
  return [...sections.values()].toSorted((a, b) => a.priority - b.priority);
}

/** Paths that differ in where they start alone are one statement. */
function mergePaths(pairs: Pair[]): Statement[] {
  const statements = new Map<string, Statement>();
  for (const { existing, paths } of pairs) {
    for (const path of paths) {
      const key = path.steps.slice(1).map((step) => (isEntityStep(step) ? step.entity.id : step.phrase)).join("|");
      const statement = statements.get(key) ?? { key, path, from: [] };
      statements.set(key, statement);
      if (!statement.from.includes(existing.name)) statement.from.push(existing.name);
    }
  }
  return [...statements.values()];
}

function compareStatements(one: Statement, other: Statement): number {
  return one.path.steps.length - other.path.steps.length || other.from.length - one.from.length || other.path.weight - one.path.weight;
}

function innerEntities({ steps }: ExplainedPath): EntityStep["entity"][] {
  return steps.slice(1, -1).flatMap((step) => (isEntityStep(step) ? [step.entity] : []));
}

function classify(path: ExplainedPath, named: ReadonlySet<string>): { title: string; priority: number } {
  const inner = innerEntities(path);
  if (inner.some(({ id }) => named.has(id))) return { title: "What the question states", priority: MAX_PRIORITY };
  const [first] = inner.map(({ type }) => ({ type, priority: mechanismPriority(type) })).toSorted((a, b) => a.priority - b.priority);
  if (!first) return { title: "A direct link", priority: 0 };
  return { title: `Through ${withArticle(first.type)}`, priority: first.priority };
}

function mechanismPriority(type: string): number {
  const at = MECHANISMS.findIndex((pattern) => pattern.test(type));
  return at === -1 ? MECHANISMS.length : at;
}

function withArticle(type: string): string {
  return `${/^[aeiou]/i.test(type) ? "an" : "a"} ${type.toLowerCase()}`;
}
