import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse } from "@/test/visit";
import type { DegreeProfile, GraphSchema } from "../api";
import { renderExplorer, serveGraph, SNAPSHOT } from "../testing";
import { linkTypes, placeTypes } from "./schemaLayout";

const relation = (name: string, forward: string, count: number) => ({ relation: name, forward, backward: "is", symmetric: false, count });
const SCHEMA: GraphSchema = {
  snapshot: SNAPSHOT,
  types: [{ name: "Drug", count: 3 }, { name: "Disease", count: 20 }, { name: "Gene", count: 5 }, { name: "Unused", count: 0 }],
  relations: [relation("treats", "treats", 7), relation("ACTS_ON", "acts on", 4), relation("is_a", "is a kind of", 2)],
  edge_kinds: [
    { source: "Drug", relation: "treats", target: "Disease", count: 7 },
    { source: "Drug", relation: "ACTS_ON", target: "Gene", count: 4 },
    { source: "Disease", relation: "is_a", target: "Disease", count: 2 },
  ],
  kinds_total: 3,
};

const PROFILE: DegreeProfile = {
  snapshot: SNAPSHOT, entities: 5, edges: 13, isolated: 1, mean: 5.2, median: 4,
  bins: [{ low: 1, high: 1, entities: 2 }, { low: 2, high: 3, entities: 2 }],
  hubs: [{ number: 0, id: "D:1", name: "Aspirin", type: "Drug", degree: 3 }], hub_share: 0.125,
  years: [{ year: 1999, edges: 4 }, { year: 2005, edges: 8 }], undated: 1,
};

const serve = (schema: GraphSchema = SCHEMA, profile: DegreeProfile = PROFILE) =>
  serveGraph((_request, { pathname }) => {
    if (pathname.endsWith("/profile")) return jsonResponse(profile);
    return pathname.endsWith("/graphs/demo/schema") ? jsonResponse(schema) : undefined;
  });

async function relationRows(): Promise<(string | null)[]> {
  return within(await screen.findByRole("table", { name: "Kinds of edge" })).getAllByRole("row").slice(1).map(({ textContent }) => textContent);
}

it("lists types and kinds of edge with their counts", async () => {
  serve();
  renderExplorer("/explore/demo/schema");
  expect(await relationRows()).toEqual(["Drugtreats treatsDisease7", "Drugacts on ACTS_ONGene4", "Diseaseis a kind of is_aDisease2"]);
  expect(screen.getByText("3 relations. 3 kinds of edge.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Disease" })).toHaveAttribute("href", "/explore/demo?type=Disease");
  expect(screen.queryByText("Unused")).toBeNull();
});

it("shows the relations of a chosen type alone, by keyboard too, and has the choice in the address", async () => {
  serve();
  const router = renderExplorer("/explore/demo/schema");
  const gene = await screen.findByRole("button", { name: "Gene, 5 entities" });
  gene.focus();
  await userEvent.keyboard("{Enter}");
  expect(await relationRows()).toEqual(["Drugacts on ACTS_ONGene4"]);
  expect(router.state.location.search).toBe("?type=Gene");
  expect(gene).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(gene);
  expect(await relationRows()).toHaveLength(3);
});

it("says so where a graph has no edges or too many kinds", async () => {
  serve({ ...SCHEMA, edge_kinds: [], kinds_total: 0 });
  renderExplorer("/explore/demo/schema");
  expect(await screen.findByText("This graph has no edges.")).toBeInTheDocument();
});

it("says how many kinds are not listed", async () => {
  serve({ ...SCHEMA, kinds_total: 4000 });
  renderExplorer("/explore/demo/schema");
  expect(await screen.findByText(/The 3 commonest of 4,000 are listed\./)).toBeInTheDocument();
});

it("joins two types by one line, and a type with itself by its own", () => {
  const circles = placeTypes(SCHEMA, 760, 520);
  expect(circles.map(({ name }) => name)).toEqual(["Disease", "Gene", "Drug"]);
  const links = linkTypes([...SCHEMA.edge_kinds, { source: "Disease", relation: "helped_by", target: "Drug", count: 3 }], circles);
  expect(links.map(({ one, other, count }) => [one.name, other.name, count])).toEqual([
    ["Disease", "Disease", 2], ["Drug", "Gene", 4], ["Drug", "Disease", 10],
  ]);
  expect(links.at(-1)?.relations).toEqual(["treats", "helped_by"]);
});

it("has the degrees, the hubs and the years of the graph", async () => {
  serve();
  renderExplorer("/explore/demo/schema");
  const rows = async (name: string) => within(await screen.findByRole("table", { name })).getAllByRole("row").slice(1).map(({ textContent }) => textContent);
  expect(await rows("Degrees of Demo graph")).toEqual(["12", "2 to 32"]);
  expect(await rows("Entities with the most edges of Demo graph")).toEqual(["AspirinDrug3"]);
  expect(await rows("New edges of Demo graph by year")).toEqual(["19994", "20058"]);
  expect(screen.getByText("1 edge has no year.")).toBeInTheDocument();
  expect(screen.getByText(/5\.2 edges on average and 4 in the median; 1 entity has none\./)).toBeInTheDocument();
});

it("states that edges have no years", async () => {
  serve(SCHEMA, { ...PROFILE, years: [], undated: 13 });
  renderExplorer("/explore/demo/schema");
  expect(await screen.findByText("Its edges have no years.")).toBeInTheDocument();
  expect(screen.queryByRole("table", { name: "New edges of Demo graph by year" })).toBeNull();
});
