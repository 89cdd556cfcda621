/** A small graph behind a server whose answers a test decides. */
import { Outlet } from "react-router";
import { jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import type { Entity, EntityBrief, Evidence, Graph, GraphDetail, GraphPath, Neighbour, Paths, RelationCount, Surprise } from "./api";
import { ComparePage } from "./ComparePage";
import { EntityPage } from "./EntityPage";
import { ExplorePage } from "./ExplorePage";
import { NeighbourhoodPage } from "./NeighbourhoodPage";
import { PathTestPage } from "./PathTestPage";
import { PathsPage } from "./PathsPage";
import { SchemaPage } from "./schema/SchemaPage";
import { SearchPage } from "./SearchPage";
import { ViewPage } from "./ViewPage";

export const SNAPSHOT = "abc-def";

export function makeGraph(change: Partial<Graph> = {}): Graph {
  return {
    id: "g1",
    slug: "demo",
    name: "Demo graph",
    description: "For trying out.",
    licence: "CC0",
    citation: "Somebody, 2026",
    source_url: "",
    visibility: "public",
    is_demo: true,
    created_at: "2026-11-01T10:00:00Z",
    versions: [
      { snapshot: SNAPSHOT, number: 2, entities: 5, edges: 6, created_at: "2026-11-02T10:00:00Z" },
      { snapshot: "older", number: 1, entities: 4, edges: 4, created_at: "2026-11-01T10:00:00Z" },
    ],
    latest: SNAPSHOT,
    ...change,
  };
}

export const LABEL: Evidence = {
  source: "FDA label",
  score: null,
  level: "approved",
  p_value: null,
  publications: [{ curie: "PMID:12", url: "https://pubmed.ncbi.nlm.nih.gov/12" }],
  first_seen: null,
  row_count: 1,
};

export function makeRelation(change: Partial<RelationCount> = {}): RelationCount {
  return { relation: "treats", phrase: "treats", outgoing: true, symmetric: false, count: 2, ...change };
}

export function makeEntity(change: Partial<Entity> = {}): Entity {
  return {
    snapshot: SNAPSHOT,
    id: "D:1",
    number: 0,
    name: "Aspirin",
    type: "Drug",
    degree: 2,
    synonyms: ["ASA"],
    identifiers: [{ curie: "D:1", scheme: "DrugBank", url: "https://example.org/1" }],
    document: [{ title: "Uses", text: "Pain.", source: "FDA label" }],
    relations: [makeRelation()],
    ...change,
  };
}

export function makeNeighbour(at: number, change: Partial<Neighbour> = {}): Neighbour {
  return {
    edge: at,
    relation: "treats",
    entity: { id: `X:${at}`, name: `Disease ${at}`, type: "Disease", degree: 1 },
    evidence: at % 2 === 1 ? LABEL : null,
    ...change,
  };
}

const useStep = (edge: number, year: number): Surprise["usual_step"] => ({
  edge, relation: "treats", phrase: "treats", forward: true, symmetric: false,
  evidence: { ...LABEL, first_seen: { unit: "year", value: year, url: null, source: "FDA approval" } },
});

/** Aspirin treats Disease 1 since 1985, by edge 1, and Disease 2 since 2010, by edge 2. */
export function makeSurprise(change: Partial<Surprise> = {}): Surprise {
  const usual = { id: "X:1", name: "Disease 1", type: "Disease", degree: 9 };
  return {
    drug: { id: "D:1", name: "Aspirin", type: "Drug", degree: 2 },
    usual,
    distant: { id: "X:2", name: "Disease 2", type: "Disease", degree: 4 },
    usual_step: useStep(1, 1985),
    distant_step: useStep(2, 2010),
    is_later: true,
    reason: { basis: "usual", entity: usual, drugs: 8, with_usual: 8, with_distant: 0 },
    mechanism: null,
    ...change,
  };
}

const DRUG: EntityBrief = { id: "D:1", name: "Aspirin", type: "Drug", degree: 2 };
const GENE: EntityBrief = { id: "G:1", name: "PTGS2", type: "Gene", degree: 900 };

export function makePath(rank: number, to: string): GraphPath {
  const edge = { edge: rank, relation: "r", forward: true, symmetric: false };
  return {
    rank,
    weight: 0.5 / rank,
    metapath: "Drug/>inhibits/Gene",
    steps: [
      { entity: DRUG },
      { ...edge, phrase: "inhibits", evidence: LABEL },
      { entity: GENE },
      { ...edge, phrase: "is linked to", evidence: null },
      { entity: { id: to, name: to, type: "Disease", degree: 3 } },
    ],
  };
}

export function makePaths(to: string, change: Partial<Paths> = {}): Paths {
  return {
    snapshot: SNAPSHOT,
    shown: 1,
    total: 340,
    hidden_through_hubs: 28,
    hub_links: 1000,
    capped: false,
    capped_by: null,
    summary: "",
    order: "probability",
    formula: "the product of 1 / links",
    metapaths: [{ key: "Drug/>inhibits/Gene", phrase: "Drug inhibits Gene", count: 7, hidden: 0 }],
    other_metapaths: 0,
    undated: null,
    paths: [makePath(1, to)],
    ...change,
  };
}

function makeGraphDetail(): GraphDetail {
  return { ...makeGraph(), snapshot: SNAPSHOT, types: [{ name: "Drug", count: 3 }], relations: [], may_change: false, date_unit: null, date_range: null };
}

type Answer = (request: RecordedRequest, url: URL) => globalThis.Response | undefined;

/** Aspirin treats two diseases; whatever else is requested, the test answers first. */
export function serveGraph(answer: Answer = () => undefined): RecordedRequest[] {
  return mockServer((request) => {
    const url = new URL(request.path, "http://here");
    const own = answer(request, url);
    if (own) return own;
    const rest = decodeURIComponent(url.pathname.replace("/api/v1/", ""));
    if (rest === "me") return jsonResponse({ user: null });
    if (rest === "graphs") return jsonResponse({ results: [makeGraph()] });
    if (rest === "graphs/demo") return jsonResponse(makeGraphDetail());
    if (rest === "graphs/demo/entities/D:1") return jsonResponse(makeEntity());
    if (rest === "graphs/demo/entities/D:1/neighbours") {
      return jsonResponse({ snapshot: SNAPSHOT, count: 2, results: [makeNeighbour(1), makeNeighbour(2)], next: null });
    }
    const other = /^graphs\/demo\/entities\/X:(\d+)$/.exec(rest)?.[1];
    if (other) {
      return jsonResponse(makeEntity({
        id: `X:${other}`, name: `Disease ${other}`, type: "Disease", synonyms: [], document: [],
        relations: [makeRelation({ phrase: "is treated by", outgoing: false, count: 1 })],
      }));
    }
    if (/X:\d+\/neighbours$/.test(rest)) {
      const at = Number(/X:(\d+)/.exec(rest)?.[1]);
      const entity = { id: "D:1", name: "Aspirin", type: "Drug", degree: 2 };
      return jsonResponse({ snapshot: SNAPSHOT, count: 1, results: [makeNeighbour(at, { entity })], next: null });
    }
    if (rest.endsWith("/papers")) return jsonResponse({ snapshot: SNAPSHOT, results: [] });
    if (rest === "graphs/demo/surprises") return jsonResponse({ snapshot: SNAPSHOT, uses: 0, results: [] });
    if (rest === "graphs/demo/subgraph") return jsonResponse({ snapshot: SNAPSHOT, entities: [], edges: [], shown: 0, total: 0, capped: false });
    return undefined;
  });
}

export function renderExplorer(path: string) {
  return renderRoute(
    [
      {
        element: <main id="main"><Outlet /></main>,
        children: [
          { path: "explore", Component: ExplorePage },
          { path: "explore/view/:id", Component: ViewPage },
          { path: "explore/:slug", Component: SearchPage },
          { path: "explore/:slug/e/:curie", Component: EntityPage },
          { path: "explore/:slug/canvas", Component: NeighbourhoodPage },
          { path: "explore/:slug/paths", Component: PathsPage },
          { path: "explore/:slug/paths/test", Component: PathTestPage },
          { path: "explore/:slug/compare", Component: ComparePage },
          { path: "explore/:slug/schema", Component: SchemaPage },
        ],
      },
    ],
    path,
  );
}
