import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse } from "@/test/visit";
import type { EntityBrief, GraphPath } from "./api";
import { makeEntity, makeNeighbour, makePath, makePaths, makeRelation, renderExplorer, LABEL, serveGraph, SNAPSHOT } from "./testing";

const serving = () =>
  serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths(url.searchParams.get("to") ?? "", { order: url.searchParams.get("order") === "degree" ? "degree" : "probability" })) : undefined));

describe("the path page", () => {
  it("groups the paths to one answer by kind in words", async () => {
    const kind = { key: "Drug/>causes/Side effect/<causes/Drug", phrase: "Drug causes Side effect", count: 9, hidden: 0 };
    const metapaths = [kind, { key: "Drug/>treats/Disease", phrase: "Drug treats Disease", count: 1, hidden: 0 }];
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { metapaths })) : undefined));
    const router = renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    await userEvent.click(await screen.findByRole("button", { name: /^through a shared side effect, 9/ }));
    expect(new URLSearchParams(router.state.location.search).get("kind")).toBe(kind.key);
    expect(screen.queryByRole("heading", { name: "Best path" })).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: /^directly, 1/ })).toHaveAttribute("aria-pressed", "false");
  });

  it("states the best path as a sentence and how often a walk takes it, and lists only the others", async () => {
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { shown: 2, paths: [makePath(1, "X:1"), makePath(2, "X:1")] })) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    const best = await screen.findByRole("region", { name: "Best path" });
    expect(best).toHaveTextContent(/^Best pathAspirin \(Drug\) inhibits PTGS2/);
    expect(best).toHaveTextContent("one random walk in 2 from Aspirin takes this path");
    expect(screen.getAllByText(/not whether a drug works/)).toHaveLength(1);
    const row = screen.getByText("one walk in 4").closest("li") as HTMLElement;
    expect(row).toHaveTextContent("2Aspirin (Drug) inhibits PTGS2 (Gene) is linked to X:1 (Disease)");
    expect(row).toHaveTextContent("Evidence: 1 of 2 edges");
    expect(row).toHaveTextContent("PTGS2 is linked to X:1: no evidence recorded");
    expect(screen.queryByText("one walk in 2")).not.toBeInTheDocument();
    expect(screen.getByText("2 of 340 shown, 1 above, 28 through hubs hidden")).toBeInTheDocument();
  });

  it("states a direct link in one line, and the best path through genes in its place", async () => {
    const through = (rank: number, entity: EntityBrief): GraphPath => {
      const path = makePath(rank, "X:1");
      return { ...path, steps: path.steps.map((step, at) => (at === 2 ? { entity } : step)) };
    };
    const direct = { ...makePath(1, "X:1"), steps: makePath(1, "X:1").steps.filter((_, at) => ![2, 3].includes(at)) };
    const gene = { id: "G:1", name: "PTGS2", type: "Gene", degree: 9 };
    const paths = [direct, through(2, { id: "D:9", name: "Codeine", type: "Drug", degree: 9 }), through(3, gene), through(4, gene)];
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { paths, shown: 4, total: 4 })) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByRole("region", { name: "Direct link" })).toHaveTextContent(
      /^Directly linked:Aspirin \(Drug\) inhibits X:1 \(Disease\)FDA label, approved/,
    );
    expect(screen.getByRole("region", { name: "Best indirect path" })).toHaveTextContent(/PTGS2.*one random walk in 6 from Aspirin/);
    expect(screen.getAllByText(/^one walk in/).map(({ textContent }) => textContent)).toEqual(["one walk in 4", "one walk in 8"]);
  });

  it("says that there is none but the direct link", async () => {
    const direct = { ...makePath(1, "X:1"), steps: makePath(1, "X:1").steps.filter((_, at) => ![2, 3].includes(at)) };
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { paths: [direct], total: 1, hidden_through_hubs: 0 })) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByText("No other path connects the two within this number of hops.")).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: /^Best/ })).not.toBeInTheDocument();
  });

  it("names each kind of path once, and tells two of one name apart", async () => {
    const kinds = [
      ["Drug/>causes/Side effect/<causes/Drug", "Drug can cause, as a side effect, Side effect"],
      ["Drug/>treats/Disease/<treats/Drug", "Drug treats Disease"],
      ["Drug/>avoids/Disease/<avoids/Drug", "Drug should be avoided in Disease"],
    ].map(([key = "", phrase = ""], at) => ({ key, phrase, count: 9 - at, hidden: 0 }));
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { metapaths: kinds })) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByRole("button", { name: "through a shared side effect, 9" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: /through a shared disease, 8 ?Drug treats Disease/ })).toBeInTheDocument();
  });

  it("links the trials of an edge in the sentence and in the drawing", async () => {
    const trials = [1, 2, 3].map((at) => ({ curie: `CLINICALTRIALS:NCT0000000${at}`, url: `https://clinicaltrials.gov/study/NCT0000000${at}` }));
    const known = makePath(1, "X:1");
    const steps = known.steps.map((step) => ("phrase" in step ? { ...step, evidence: { ...LABEL, publications: [...LABEL.publications, ...trials] } } : step));
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1", { paths: [{ ...known, steps }] })) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    const [sentence] = await screen.findAllByText(/^inhibits/, { selector: "span" });
    expect(sentence).toHaveTextContent(/inhibits \(trial NCT00000001.*, NCT00000002.*, 1 more\)/);
    expect(screen.getAllByRole("link", { name: /^NCT00000002/ })[0]).toHaveAttribute("href", trials[1]?.url);
    const drawn = screen.getAllByRole("list").filter((list) => list.className.includes("drawing"));
    expect(drawn[0]).toHaveTextContent(/NCT00000001/);
  });

  it("says how many of how many are shown, and shows those through hubs on request", async () => {
    const requests = serving();
    const router = renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByText("1 of 340 shown, 1 above, 28 through hubs hidden")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show those through hubs" }));
    await waitFor(() => expect(requests.at(-1)?.path).toContain("hubs=true"));
    expect(router.state.location.search).toBe("?from=D%3A1&to=X%3A1&hubs=1");
    await userEvent.click(screen.getByRole("button", { name: "Show up to 50" }));
    await waitFor(() => expect(requests.at(-1)?.path).toContain("limit=50"));
  });

  it("has answers as columns and kinds of paths as rows; a number opens its paths", async () => {
    const requests = serving();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1&to=X:2");
    const table = await screen.findByRole("table", { name: "Paths by kind and answer" });
    expect(await within(table).findByRole("columnheader", { name: "Disease 2" })).toBeInTheDocument();
    await userEvent.click(await within(table).findByRole("button", { name: "7 to Disease 2: Drug inhibits Gene" }));
    expect(await screen.findByRole("heading", { name: /Aspirin to Disease 2/ })).toBeInTheDocument();
    await waitFor(() => expect(new URL(requests.at(-1)?.path ?? "", "http://here").searchParams.get("metapath")).toBe("Drug/>inhibits/Gene"));
  });

  it("keeps the focus near what is taken away", async () => {
    serving();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1&to=X:2");
    await userEvent.click(await screen.findByRole("button", { name: "Remove Disease 1" }));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "And to" })).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Remove Aspirin" }));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "From" })).toHaveFocus());
  });

  it("keeps the focus at the paths when all kinds are shown again", async () => {
    serving();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1&kind=Drug/%3Einhibits/Gene");
    await userEvent.click(await screen.findByRole("button", { name: "Show all kinds" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Show all kinds" })).not.toBeInTheDocument());
    expect(screen.getByRole("heading", { name: "Aspirin to Disease 1" })).toHaveFocus();
  });

  it("orders by degree penalty when asked, and explains it", async () => {
    const requests = serving();
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    await userEvent.click(await screen.findByRole("radio", { name: "Degree penalty" }));
    await waitFor(() => expect(requests.at(-1)?.path).toContain("order=degree"));
    expect(screen.getByText(/paths through hubs come last/)).toBeInTheDocument();
    expect(await screen.findByText(/Weight: the product of 1 \/ links/)).toBeInTheDocument();
    expect(screen.getAllByText("as heavy as the heaviest")).not.toHaveLength(0);
  });

  it("says that nothing links the two", async () => {
    const none = { total: 0, shown: 0, hidden_through_hubs: 0, metapaths: [], paths: [] };
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("", none)) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    expect(await screen.findByText("No path connects the two within this number of hops.")).toBeInTheDocument();
  });

  it("says that both ends are the same entity", async () => {
    const none = { total: 0, shown: 0, hidden_through_hubs: 0, metapaths: [], paths: [] };
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("", none)) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=D:1");
    expect(await screen.findByText("Both ends are the same entity. Choose another one.")).toBeInTheDocument();
  });

  it("asks for both ends first", async () => {
    serving();
    renderExplorer("/explore/demo/paths");
    expect(await screen.findByText(/Choose a start/)).toBeInTheDocument();
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
    renderExplorer(`/explore/demo/compare${query}`);
    expect(await screen.findByRole("combobox", { name: label })).toBeInTheDocument();
    expect(screen.getAllByText("Compare", { ignore: "a, [aria-current]" })).toEqual([screen.getByRole("heading", { level: 1, name: "Compare" })]);
  });

  it("leads to each entity once, from where it was chosen", async () => {
    serveGraph();
    renderExplorer("/explore/demo/compare?id=X:1&id=X:2");
    expect(await screen.findByRole("columnheader", { name: "Disease 1" })).toBeInTheDocument();
    expect(screen.getAllByRole("link", { name: "Disease 1" })).toHaveLength(1);
  });

  it("tells shared neighbours from those of one alone, by relation", async () => {
    serveGraph((_request, url) => {
      if (!url.pathname.includes("/neighbours")) return undefined;
      const own = url.pathname.includes("X%3A1") ? 3 : 4;
      return jsonResponse({ snapshot: SNAPSHOT, count: 2, results: [makeNeighbour(9), makeNeighbour(own)], next: null });
    });
    renderExplorer("/explore/demo/compare?id=X:1&id=X:2");
    const table = await screen.findByRole("table", { name: "Neighbours by relation" });
    const [, , row] = within(table).getAllByRole("row");
    expect(within(row as HTMLElement).getByRole("rowheader")).toHaveTextContent("is treated by");
    expect(within(row as HTMLElement).getAllByRole("cell").map((cell) => cell.textContent)).toEqual([
      "Disease 9 sharedDisease 3", "Disease 9 sharedDisease 4",
    ]);
    expect(screen.getByText(/1 neighbour shared, marked like/)).toBeInTheDocument();
  });

  it("takes both sides of a symmetric relation as one, whichever end was written first", async () => {
    const sides: Record<string, boolean[]> = { "X:1": [false], "X:2": [false, true] };
    serveGraph((_request, url) => {
      const [, id = "", rest] = /entities\/(X:\d)(\/neighbours)?$/.exec(decodeURIComponent(url.pathname)) ?? [];
      const outgoing = url.searchParams.get("outgoing") === "true";
      const own = sides[id];
      if (!own) return undefined;
      if (!rest) {
        const relations = own.map((along) => makeRelation({ relation: "interacts", phrase: "interacts with", outgoing: along, symmetric: true, count: 1 }));
        return jsonResponse(makeEntity({ id, name: `Drug ${id}`, relations }));
      }
      // Of the second drug, one side holds what they share, the other what it has alone.
      const results = own.includes(outgoing) ? [makeNeighbour(id === "X:2" && outgoing ? 4 : 9)] : [];
      return jsonResponse({ snapshot: SNAPSHOT, count: results.length, results, next: null });
    });
    renderExplorer("/explore/demo/compare?id=X:1&id=X:2");
    const table = await screen.findByRole("table", { name: "Neighbours by relation" });
    expect(within(table).getAllByRole("row").slice(2).map((row) => row.textContent)).toEqual([
      "interacts withDisease 9 sharedDisease 9 sharedDisease 4",
    ]);
  });

  it("says that only the first of very many were compared", async () => {
    serveGraph((_request, url) =>
      url.pathname.includes("/neighbours") ? jsonResponse({ snapshot: SNAPSHOT, count: 5000, results: [makeNeighbour(9)], next: "1" }) : undefined,
    );
    renderExplorer("/explore/demo/compare?id=X:1&id=X:2");
    expect(await screen.findByText(/Only the first 200 neighbours of each are compared\./)).toBeInTheDocument();
  });
});
