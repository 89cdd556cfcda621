import { expect, test } from "vitest";
import type { Pair } from "./api";
import { groupStatements, namedEntities } from "./explanationGroups";
import { makeExplanation, makeWorkbench } from "./fixtures";

type ExplainedPath = Pair["paths"][number];

/** From a drug to Levetiracetam through entities of these types. */
function makePath(from: string, inner: [name: string, type: string][], weight = 0.1): ExplainedPath {
  const entity = (name: string, type: string) => ({ entity: { id: name, name, type, degree: 3 } });
  const edge = { edge: 1, relation: "r", symmetric: false, evidence: null, forward: true, phrase: "goes to" };
  const steps = [entity(from, "Drug"), ...inner.flatMap(([name, type]) => [edge, entity(name, type)]), edge, entity("Levetiracetam", "Drug")];
  return { rank: 1, weight, metapath: "", notation: "", steps };
}

function makePair(from: string, paths: ExplainedPath[]): Pair {
  const [pair] = makeExplanation([from], "Levetiracetam").pairs;
  if (!pair) throw new Error("one pair was named");
  return { ...pair, paths };
}

const titles = (pairs: Pair[], named: string[] = []) => groupStatements(pairs, new Set(named)).map(({ title }) => title);

test("a statement that holds from eight drugs stands once", () => {
  const drugs = Array.from({ length: 8 }, (_, at) => `Drug ${at}`);
  const [section] = groupStatements(drugs.map((one) => makePair(one, [makePath(one, [["epilepsy", "Disease"]])])), new Set());
  expect(section?.statements).toHaveLength(1);
  expect(section?.statements[0]?.from).toEqual(drugs);
});

test("targets come before pathways, side effects and diseases, and what the question states comes last", () => {
  const paths = [
    makePath("a", [["epilepsy", "Disease"]]), makePath("a", [["Somnolence", "Side effect"]]), makePath("a", [["pain", "Disease"]]),
    makePath("a", [["GABA signalling", "Pathway"]]), makePath("a", [["SV2A", "Protein"]]),
  ];
  expect(titles([makePair("a", paths)], ["epilepsy"])).toEqual([
    "Through a protein", "Through a pathway", "Through a side effect", "Through a disease", "What the question states",
  ]);
});

test("a longer path belongs to the mechanism on it, after shorter ones", () => {
  const long = makePath("a", [["Oxycodone", "Drug"], ["Somnolence", "Side effect"]], 0.9);
  const [section, ...rest] = groupStatements([makePair("a", [long, makePath("a", [["Somnolence", "Side effect"]])])], new Set());
  expect(rest).toEqual([]);
  expect(section?.statements.map(({ path }) => path.steps.length)).toEqual([5, 7]);
});

test("the question names its known entities, not what it looks for", () => {
  const bench = makeWorkbench();
  const node = (nid: number, id: string, variable: boolean) => ({ nid, id, name: id, class: "Disease", is_target: variable, variable });
  const pattern = { nodes: [node(0, "Drug", true), node(1, "DOID:1826", false)], edges: [] };
  expect([...namedEntities({ ...bench, question: { ...bench.question, pattern } })]).toEqual(["DOID:1826"]);
  expect(namedEntities(bench).size).toBe(0);
});
