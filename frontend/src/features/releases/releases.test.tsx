import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { QueryPage } from "./query/QueryPage";
import { ReleasePage } from "./ReleasePage";
import { TrackPage } from "./TrackPage";

const RELEASE = {
  slug: "pairs", name: "Pairs", track: "truthhypo", state: "open", items: { dev: 0, test: 60 }, entries: 1, queries: 10, queries_per_day: 3,
  test_share: 1, seed: 0, cutoff: null, digest: "abc", evaluator_version: "1", graph: null, opens_at: "2026-11-22T10:00:00Z", closes_at: null,
  created_at: "2026-11-22T09:00:00Z", corrects: null, corrects_name: null, corrected_by: null, corrected_by_name: null,
  open_reports: null, can_change: false, partition: "", has_several_partitions: false,
};

const MASKED = { method: "expert", made_for: "pairs", graph: "pairs-masked", snapshot: "s", entities: 9, edges: 40, removed_edges: 2, later_edges: null, undated_edges: null, included: 3, excluded: [{ id: "7002", reason: "its cut removes an existing answer of an earlier question" }] };
const GRAPHS = { has_queries: true, takes_queries: false, offered: ["expert", "surroundings"], needed: [], scored: [], is_queried: false, can_query: false, walked: "", queried: "", graphs: [MASKED] };

function open(release: object, graphs: object = {}, alerts: object[] = [], contents: object[] = []) {
  mockServer(({ path }) => {
    if (path.endsWith("/contents")) return jsonResponse({ results: contents });
    if (path === "/api/v1/releases/pairs") return jsonResponse({ ...RELEASE, ...release });
    return jsonResponse(path.endsWith("/graphs") ? { ...GRAPHS, ...graphs } : { results: [], metrics: [], alerts });
  });
  renderRoute([{ path: "/releases/:slug", Component: ReleasePage }], "/releases/pairs");
}

describe("the page of queries", () => {
  const visit = (graphs: object) => {
    mockServer(({ path }) => jsonResponse(path.endsWith("/graphs") ? { ...GRAPHS, ...graphs } : RELEASE));
    renderRoute([{ path: "/releases/:slug/query", Component: QueryPage }], "/releases/pairs/query");
  };

  it("offers to sign in where a graph runs queries, though predictions may be none", async () => {
    visit({ is_queried: true, takes_queries: false });
    expect(await screen.findByRole("link", { name: "Sign in" })).toBeInTheDocument();
    expect(screen.queryByText(/too large/)).not.toBeInTheDocument();
  });

  it("states that the graphs are too large where none runs queries", async () => {
    visit({ is_queried: false });
    expect(await screen.findByText(/too large for queries/)).toBeInTheDocument();
  });
});

describe("the page of a release", () => {
  it("links the release that superseded it", async () => {
    open({ state: "deprecated", corrected_by: "pairs-2", corrected_by_name: "Pairs, corrected" });
    const link = await screen.findByRole("link", { name: "Pairs, corrected" });
    expect(link).toHaveAttribute("href", "/releases/pairs-2");
    expect(link.closest("p")).toHaveTextContent("This release is superseded: Pairs, corrected corrects it.");
  });

  it("names the release that it corrects", async () => {
    open({ corrects: "first", corrects_name: "First pairs" });
    expect(await screen.findByRole("link", { name: "First pairs" })).toHaveAttribute("href", "/releases/first");
  });

  it("leads its organiser to open reports and the correction", async () => {
    open({ can_change: true, open_reports: 2 });
    expect(await screen.findByRole("link", { name: "2 open reports" })).toHaveAttribute("href", "/releases/pairs/reports");
    expect(screen.getByRole("link", { name: "Correct the release" })).toHaveAttribute("href", "/releases/pairs/correct");
  });

  it("leads to its masked graphs, names what they leave out, and says that it takes no queries", async () => {
    open({});
    expect(await screen.findByRole("link", { name: "pairs-masked" })).toHaveAttribute("href", "/explore/pairs-masked");
    expect(screen.getByText(/Question 7002: its cut removes an existing answer/)).toBeInTheDocument();
    expect(screen.getByText(/too large for queries/)).toBeInTheDocument();
  });

  it("states that texts are not masked, where edges are", async () => {
    open({});
    expect(await screen.findByText(/^Documents and papers are not masked/)).toBeInTheDocument();
    open({ name: "Other" }, { graphs: [{ ...MASKED, method: "surroundings" }] });
    expect(await screen.findByRole("heading", { name: "Other" })).toBeInTheDocument();
    expect(screen.getAllByText(/^Documents and papers are not masked/)).toHaveLength(1);
  });

  it("counts the items of the questions that its masked graph leaves out", async () => {
    const contents = { split: "test", items: 60, left_out: 4, clusters: 56, overall: "all", slices: { all: 60 }, main_metric: "accuracy", resolution_floor: 37 };
    open({}, {}, [], [contents]);
    expect(await screen.findByText("Counted in no metric: 4 test items, of questions that the masked graph leaves out.")).toBeInTheDocument();
  });

  it("lists all items first, although an object has names of years before others", async () => {
    const contents = { split: "test", items: 60, left_out: 0, clusters: 56, overall: "all", slices: { all: 60, 2016: 12 }, main_metric: "roc_auc", resolution_floor: null };
    open({}, {}, [], [contents]);
    const slices = await screen.findByRole("table", { name: "Number of items by slice" });
    expect(within(slices).getAllByRole("row").map(({ textContent }) => textContent)).toEqual(["SliceIn test", "All items60", "201612"]);
  });

  it("counts the edges that the cut-off leaves out", async () => {
    open({}, { graphs: [{ ...MASKED, later_edges: 12, undated_edges: 1 }] });
    expect(await screen.findByText("The cut-off leaves out 12 edges first seen later and 1 edge without a date.")).toBeInTheDocument();
  });

  it("states its partition, what baselines walk and queries run on, and whose masked graph it uses", async () => {
    open({ partition: "expert", graph: null }, { walked: "expert", queried: "Queries run on a part.", graphs: [{ ...MASKED, made_for: "first" }] });
    expect(await screen.findByText("Baselines, runs and agents walk the graph masked by experts.")).toBeInTheDocument();
    expect(screen.getByText("Queries run on a part.")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "first" })).toHaveAttribute("href", "/releases/first");
    expect(screen.getByText("Partition").nextSibling).toHaveTextContent("Experts");
    expect(screen.queryByRole("button", { name: /Make the/ })).not.toBeInTheDocument();
  });

  it("states its cut-off, as a PMID or a year", async () => {
    open({ cutoff: 36_600_000 });
    expect(await screen.findByText("PMID 36600000. Models and tools are shown nothing later.")).toBeInTheDocument();
  });

  it("marks an older release of several partitions", async () => {
    open({ has_several_partitions: true });
    expect(await screen.findByText("several: items of one give answers of another away")).toBeInTheDocument();
  });

  it("alerts its organiser of predictions that fail alike, without a verdict", async () => {
    open({ can_change: true }, {}, [{ kind: "alike_predictions", emails: ["a@x.example", "b@x.example"], submissions: ["one", "two"], share: 0.95 }]);
    const alert = await screen.findByText(/equal outcomes on 95%/);
    expect(alert).toHaveTextContent("a@x.example and b@x.example: equal outcomes on 95% of the items that either one missed. Submission 1 Submission 2");
    expect(screen.getByRole("link", { name: "Submission 2" })).toHaveAttribute("href", "/submissions/two");
  });

  it("lets its organiser make the graphs that it lacks", async () => {
    open({ can_change: true });
    expect(await screen.findByRole("button", { name: "Make the graph of the questions' surroundings" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Make the graph masked/ })).not.toBeInTheDocument();
  });

  it("has dates with their year and time zone, and nothing of organisers for others", async () => {
    open({});
    expect(await screen.findByText(/22 November 2026 at \d\d:00:00 (UTC|GMT)/, { selector: "div:nth-child(7) dd" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Correct the release" })).not.toBeInTheDocument();
  });
});

it("shows the files and the page of a track, and nothing of it as HTML", async () => {
  const file = { columns: [{ name: "query_id", aliases: ["id"] }], example: "id,query\n" };
  const track = { slug: "stark", title: "MAG", paper: "STaRK", description: "Rank.", predictions: file, release_source: file, documentation: "# STaRK\n\n## Metrics\n\n| metric | value |\n| --- | --- |\n| `mrr` | a\\|b |\n\n<b>[x](https://a.example/) [y](javascript:alert)" };
  mockServer(() => jsonResponse(track));
  renderRoute([{ path: "/tracks/:slug", Component: TrackPage }], "/tracks/stark");
  expect(await screen.findByRole("heading", { level: 1, name: "STaRK: MAG" })).toBeInTheDocument();
  expect(screen.getAllByText("A file has the columns or fields query_id (or id).")).toHaveLength(2);
  expect(screen.getByRole("heading", { level: 3, name: "Metrics" })).toBeInTheDocument();
  expect(screen.getByRole("row", { name: "mrr a|b" })).toBeInTheDocument();
  expect(screen.getByText(/<b>.*\[y\]\(javascript:alert\)/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: /^x/ })).toHaveAttribute("href", "https://a.example/");
});
