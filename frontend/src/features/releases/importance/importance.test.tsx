import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { ComponentPage } from "./ComponentPage";
import { ImportancePage } from "./ImportancePage";

const BINS = [{ low: 0, high: 0.5, links: 3 }, { low: 0.5, high: 1, links: 1 }];
const component = (name: string, change: object = {}) => ({
  name, links: 4, ties: 2, less_is_more: name === "jaccard", lowest: 0, median: 0.25, highest: 1, bins: BINS, ...change,
});
const MEASURED = {
  split: "dev", links: 4, components: [component("betweenness"), component("jaccard", { lowest: null, median: null, highest: null, bins: [] })],
  missing: ["mentions"], correlations: [[1, -0.25], [-0.25, null]],
};
const LINK = {
  item: "1", subject: "X:1", subject_name: "One", subject_type: "Drug", object: "X:2", object_name: "Two", object_type: "Disease",
  year: 2016, importance: 0.5, components: { betweenness: 0.75 }, component_values: { betweenness: 0.001234 }, foreseen_by: [{ submission: "1", model: "gcn", name: "GCN" }],
};
const LINKS = { split: "dev", years: { 2016: 1 }, entries: 3, total: 1, results: [LINK] };

function open(address: string) {
  const server = mockServer(({ path }) => {
    if (path.endsWith("/importance")) return jsonResponse(MEASURED);
    return jsonResponse(path.includes("/discoveries") ? LINKS : { slug: "links", name: "Links", graph: null });
  });
  renderRoute([
    { path: "/releases/:slug/importance", Component: ImportancePage },
    { path: "/releases/:slug/importance/:component", Component: ComponentPage },
  ], address);
  return server;
}

const rowsOf = async (name: string) => within(await screen.findByRole("table", { name })).getAllByRole("row").slice(1).map(({ textContent }) => textContent);

describe("the components of importance", () => {
  it("lists what each has, how they go together and what is missing", async () => {
    open("/releases/links/importance");
    expect(await rowsOf("Components of importance")).toEqual(["Betweennesspairs of ends00.25142", "Unlike neighboursJaccard's indexnot storednot storednot stored42"]);
    expect(await rowsOf("Rank correlations of components")).toEqual(["Betweenness1.000\u22120.250", "Unlike neighbours\u22120.250constant"]);
    expect(screen.getByText(/No table of mentions was given/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Betweenness" })).toHaveAttribute("href", "/releases/links/importance/betweenness");
  });

  it("states what one is, how it is spread and which links it ranks highest", async () => {
    open("/releases/links/importance/betweenness");
    expect(await rowsOf("Links by value")).toEqual(["0 to 0.53", "0.5 to 11"]);
    expect(await rowsOf("Links ranked highest")).toEqual(["One and Two0.0012375%20160.501 of 3"]);
    expect(screen.getByText(/share of shortest paths that pass through the link/)).toBeInTheDocument();
  });

  it("states that values are not stored, and that a component is missing", async () => {
    open("/releases/links/importance/jaccard");
    expect(await screen.findByText(/stores percentile ranks alone/)).toBeInTheDocument();
    expect(screen.getByText(/The lowest value ranks highest/)).toBeInTheDocument();
  });

  it("states what to give where the component is missing", async () => {
    open("/releases/links/importance/mentions");
    expect(await screen.findByText(/This release lacks the component\. No table of mentions/)).toBeInTheDocument();
  });
});
