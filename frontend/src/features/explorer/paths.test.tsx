import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reply } from "@/test/visit";
import type { EntityBrief, GraphPath, Paths } from "./api";
import { aNeighbour, explore, LABEL, serveGraph, SNAPSHOT } from "./testing";

const DRUG: EntityBrief = { id: "D:1", name: "Aspirin", type: "Drug", degree: 2 };
const GENE: EntityBrief = { id: "G:1", name: "PTGS2", type: "Gene", degree: 900 };

function path(rank: number, to: string): GraphPath {
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

function found(to: string, change: Partial<Paths> = {}): Paths {
  return {
    snapshot: SNAPSHOT,
    shown: 1,
    found: 340,
    hidden_through_hubs: 28,
    hub_links: 1000,
    capped: false,
    capped_by: null,
    summary: "",
    order: "probability",
    formula: "the product of 1 / links",
    metapaths: [{ key: "Drug/>inhibits/Gene", words: "Drug inhibits Gene", count: 7, hidden: 0 }],
    other_metapaths: 0,
    paths: [path(1, to)],
    ...change,
  };
}

const serving = () =>
  serveGraph((_asked, url) => (url.pathname.endsWith("/paths") ? reply(found(url.searchParams.get("to") ?? "")) : undefined));

afterEach(() => vi.unstubAllGlobals());

describe("the path page", () => {
  it("reads each path as a sentence, with what states each of its edges", async () => {
    serving();
    explore("/explore/demo/paths?from=D:1&to=X:1");
    const row = (await screen.findByText(/weight 0.5/)).closest("li") as HTMLElement;
    expect(row).toHaveTextContent("1Aspirin (Drug) inhibits PTGS2 (Gene) is linked to X:1 (Disease)");
    expect(row).toHaveTextContent("What states it: 1 of 2 edges");
    expect(row).toHaveTextContent("PTGS2 is linked to X:1: no evidence recorded");
  });

  it("says how many of how many are shown, and shows those through hubs on request", async () => {
    const asked = serving();
    const router = explore("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByText("1 of 340 shown, 28 through hubs hidden")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show those through hubs" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("hubs=true"));
    expect(router.state.location.search).toBe("?from=D%3A1&to=X%3A1&hubs=1");
    await userEvent.click(screen.getByRole("button", { name: "Show up to 50" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("limit=50"));
  });

  it("has answers as columns and kinds of paths as rows; a number opens its paths", async () => {
    const asked = serving();
    explore("/explore/demo/paths?from=D:1&to=X:1&to=X:2");
    const table = await screen.findByRole("table", { name: "Paths by kind and answer" });
    expect(await within(table).findByRole("columnheader", { name: "Disease 2" })).toBeInTheDocument();
    await userEvent.click(await within(table).findByRole("button", { name: "7 to Disease 2: Drug inhibits Gene" }));
    expect(await screen.findByRole("heading", { name: /Aspirin to Disease 2/ })).toBeInTheDocument();
    await waitFor(() => expect(new URL(asked.at(-1)?.path ?? "", "http://here").searchParams.get("metapath")).toBe("Drug/>inhibits/Gene"));
  });

  it("keeps the focus near what is taken away", async () => {
    serving();
    explore("/explore/demo/paths?from=D:1&to=X:1&to=X:2");
    await userEvent.click(await screen.findByRole("button", { name: "Take Disease 1 away" }));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "And to" })).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Take Aspirin away" }));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "From" })).toHaveFocus());
  });

  it("keeps the focus at the paths when all kinds are shown again", async () => {
    serving();
    explore("/explore/demo/paths?from=D:1&to=X:1&kind=Drug/%3Einhibits/Gene");
    await userEvent.click(await screen.findByRole("button", { name: "Show all kinds" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Show all kinds" })).not.toBeInTheDocument());
    expect(screen.getByRole("heading", { name: "Aspirin to Disease 1" })).toHaveFocus();
  });

  it("orders by degree penalty when asked, and explains it", async () => {
    const asked = serving();
    explore("/explore/demo/paths?from=D:1&to=X:1");
    await userEvent.click(await screen.findByRole("radio", { name: "Degree penalty" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("order=degree"));
    expect(screen.getByText(/linked to everything come last/)).toBeInTheDocument();
    expect(await screen.findByText("Weight: the product of 1 / links")).toBeInTheDocument();
  });

  it("says that nothing links the two", async () => {
    const none = { found: 0, shown: 0, hidden_through_hubs: 0, metapaths: [], paths: [] };
    serveGraph((_asked, url) => (url.pathname.endsWith("/paths") ? reply(found("", none)) : undefined));
    explore("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByText("Nothing links the two within this many hops.")).toBeInTheDocument();
  });

  it("asks for both ends first", async () => {
    serving();
    explore("/explore/demo/paths");
    expect(await screen.findByText(/Choose where to start/)).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: "From" })).toBeInTheDocument();
  });
});

describe("comparing", () => {
  it.each([
    ["", "First entity"],
    ["?id=X:1", "Second entity"],
    ["?id=X:1&id=X:2", "One more entity"],
  ])("with %s asks for the next by a word of its own", async (query, label) => {
    serveGraph();
    explore(`/explore/demo/compare${query}`);
    expect(await screen.findByRole("combobox", { name: label })).toBeInTheDocument();
    expect(screen.getAllByText("Compare")).toEqual([screen.getByRole("heading", { level: 1, name: "Compare" })]);
  });

  it("leads to each entity once, from where it was chosen", async () => {
    serveGraph();
    explore("/explore/demo/compare?id=X:1&id=X:2");
    expect(await screen.findByRole("columnheader", { name: "Disease 1" })).toBeInTheDocument();
    expect(screen.getAllByRole("link", { name: "Disease 1" })).toHaveLength(1);
  });

  it("tells shared neighbours from those of one alone, by relation", async () => {
    serveGraph((_asked, url) => {
      if (!url.pathname.includes("/neighbours")) return undefined;
      const own = url.pathname.includes("X%3A1") ? 3 : 4;
      return reply({ snapshot: SNAPSHOT, count: 2, results: [aNeighbour(9), aNeighbour(own)], next: null });
    });
    explore("/explore/demo/compare?id=X:1&id=X:2");
    const side = await screen.findByRole("region", { name: "is treated by" });
    const column = (name: RegExp) => within(side).getByRole("heading", { name }).parentElement as HTMLElement;
    expect(column(/Shared, 1 neighbour/)).toHaveTextContent("Disease 9");
    expect(column(/Disease 1 alone, 1/)).toHaveTextContent("Disease 3");
    expect(column(/Disease 2 alone, 1/)).toHaveTextContent("Disease 4");
  });

  it("says that only the first of very many were compared", async () => {
    serveGraph((_asked, url) =>
      url.pathname.includes("/neighbours") ? reply({ snapshot: SNAPSHOT, count: 5000, results: [aNeighbour(9)], next: "1" }) : undefined,
    );
    explore("/explore/demo/compare?id=X:1&id=X:2");
    expect(await screen.findByText("Compared are the first 200 of each: some have more.")).toBeInTheDocument();
  });
});
