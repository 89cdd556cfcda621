import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { problemResponse, jsonResponse } from "@/test/visit";
import type { SearchHit } from "./api";
import { makeGraph, makeNeighbour, makeEntity, makeRelation, renderExplorer, serveGraph, SNAPSHOT } from "./testing";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

function hit(id: string, name: string, kind: SearchHit["matched"]["kind"], text: string): SearchHit {
  return { id, name, type: "Drug", degree: 3, matched: { kind, text, snippet: null } };
}

const HITS = [hit("D:1", "Aspirin", "synonym", "ASA"), hit("D:2", "Asparaginase", "prefix", "Asparaginase")];

function searching(results: SearchHit[] = HITS) {
  return serveGraph((_request, url) =>
    url.pathname.endsWith("/search")
      ? jsonResponse({ snapshot: SNAPSHOT, results, facets: [{ type: "Drug", count: 2 }, { type: "Gene", count: 1 }] })
      : undefined,
  );
}

describe("coming to explore", () => {
  it("goes straight into the only graph", async () => {
    serveGraph();
    const router = renderExplorer("/explore");
    await heading("Demo graph");
    expect(router.state.location.pathname).toBe("/explore/demo");
  });

  it("lists several graphs with what they hold", async () => {
    serveGraph((_request, { pathname }) =>
      pathname.endsWith("/graphs") ? jsonResponse({ results: [makeGraph(), makeGraph({ id: "g2", slug: "two", name: "Another" })] }) : undefined,
    );
    renderExplorer("/explore");
    expect(await screen.findByRole("link", { name: "Another" })).toHaveAttribute("href", "/explore/two");
    expect(screen.getAllByText(/5 entities, 6 edges, version 2, CC0/)).toHaveLength(2);
  });

  it("says that a graph is not there, and leads to those that are", async () => {
    serveGraph();
    renderExplorer("/explore/nothing");
    await heading("Graph not found");
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "All graphs" })).toHaveAttribute("href", "/explore");
  });

  it("does not say that a graph is not there while the server fails or is busy", async () => {
    serveGraph((_request, { pathname }) =>
      pathname.endsWith("/graphs/demo") ? problemResponse(429, "too_many", "Too many requests. Try again in 7 s.") : undefined,
    );
    renderExplorer("/explore/demo");
    await heading("The graph could not be loaded");
    expect(screen.getByRole("alert")).toHaveTextContent("Try again in 7 s.");
  });
});

describe("what cannot be shown", () => {
  it("is not called missing where the server only fails", async () => {
    serveGraph((_request, { pathname }) => (pathname.endsWith("/graphs/demo") ? problemResponse(503, "snapshot_refused", "The snapshot cannot be read.") : undefined));
    renderExplorer("/explore/demo");
    await heading("The graph could not be loaded");
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });

  it("leads from an entity that is not there to the search", async () => {
    serveGraph();
    renderExplorer("/explore/demo/e/NO:1");
    await heading("Entity not found");
    expect(screen.getByRole("link", { name: "Search Demo graph" })).toHaveAttribute("href", "/explore/demo");
  });

  it("reports a saved view that does not exist", async () => {
    serveGraph();
    renderExplorer("/explore/view/nothing");
    await heading("Saved view not found");
  });
});

describe("a phrase that waits for its object", () => {
  it("ends where it stands alone", async () => {
    const side = makeRelation({ relation: "causes", phrase: "can cause, as a side effect," });
    serveGraph((_request, { pathname }) => (pathname.endsWith("/entities/D%3A1") ? jsonResponse(makeEntity({ relations: [side] })) : undefined));
    renderExplorer("/explore/demo/e/D:1");
    expect(await screen.findByRole("heading", { name: "can cause, as a side effect 2" })).toBeInTheDocument();
  });
});

describe("the search field", () => {
  it("is walked and taken by keys alone", async () => {
    searching();
    const router = renderExplorer("/explore/demo");
    const field = await screen.findByRole("combobox", { name: "Search entities" });
    await userEvent.type(field, "asa");
    const options = await screen.findAllByRole("option");
    expect(options[0]).toHaveTextContent("also called ASA");
    expect(field).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
    expect(field).toHaveAttribute("aria-activedescendant", options[0]?.id);
    expect(options[0]).toHaveAttribute("aria-selected", "true");
    expect(field).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await heading("Aspirin");
    expect(router.state.location.pathname).toBe("/explore/demo/e/D:1");
  });

  it("closes on Escape and keeps what was typed, then clears it", async () => {
    searching();
    renderExplorer("/explore/demo");
    const field = await screen.findByRole("combobox", { name: "Search entities" });
    await userEvent.type(field, "asa");
    await screen.findAllByRole("option");
    await userEvent.keyboard("{Escape}");
    expect(field).toHaveAttribute("aria-expanded", "false");
    expect(field).toHaveValue("asa");
    await userEvent.keyboard("{Escape}");
    expect(field).toHaveValue("");
  });

  it("asks once for what was typed in one go, and drops what is asked no more", async () => {
    serveGraph();
    const requests: { q: string | null; signal: AbortSignal }[] = [];
    const before = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      const url = new URL(path, "http://here");
      if (!url.pathname.endsWith("/search")) return before(path, init);
      const { signal } = init;
      if (!signal) throw new Error("The search cannot be stopped.");
      requests.push({ q: url.searchParams.get("q"), signal });
      return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason as Error)));
    });
    renderExplorer("/explore/demo");
    const field = await screen.findByRole("combobox", { name: "Search entities" });
    await userEvent.type(field, "asp");
    await waitFor(() => expect(requests.map(({ q }) => q)).toEqual(["asp"]));
    await userEvent.type(field, "irin");
    await waitFor(() => expect(requests.map(({ q }) => q)).toEqual(["asp", "aspirin"]));
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(requests[1]?.signal.aborted).toBe(false);
  });

  it("lists everything on Enter while no suggestion is chosen", async () => {
    searching();
    const router = renderExplorer("/explore/demo");
    await userEvent.type(await screen.findByRole("combobox", { name: "Search entities" }), "asa{Enter}");
    await heading("“asa”");
    expect(router.state.location.search).toBe("?q=asa");
  });

  it("says when nothing is called that", async () => {
    searching([]);
    renderExplorer("/explore/demo");
    await userEvent.type(await screen.findByRole("combobox", { name: "Search entities" }), "zzz");
    expect((await screen.findAllByText("No matching entity in this graph.")).length).toBeGreaterThan(0);
  });
});

describe("the results", () => {
  it("are narrowed by type and mode, which the address carries", async () => {
    const requests = searching();
    const router = renderExplorer("/explore/demo?q=asa");
    await userEvent.click(await screen.findByRole("button", { name: /Gene 1/ }));
    expect(router.state.location.search).toBe("?q=asa&type=Gene");
    expect(screen.getByRole("button", { name: /Gene 1/ })).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(screen.getByRole("radio", { name: "Documents" }));
    expect(router.state.location.search).toBe("?q=asa&type=Gene&mode=documents");
    await waitFor(() => expect(requests.at(-1)?.path).toMatch(/types=Gene.*mode=documents/));
    expect(screen.getByRole("link", { name: "Aspirin" })).toHaveAttribute("href", "/explore/demo/e/D:1?q=asa");
  });

  it("that failed are asked for again on request", async () => {
    let resting = true;
    serveGraph((_request, { pathname }) =>
      pathname.endsWith("/search")
        ? resting ? problemResponse(503, "busy", "Too many searches wait.") : jsonResponse({ snapshot: SNAPSHOT, results: HITS, facets: [] })
        : undefined,
    );
    renderExplorer("/explore/demo?q=asa");
    expect(await screen.findByRole("alert")).toHaveTextContent("Too many searches wait.");
    resting = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Asparaginase" })).toBeInTheDocument();
  });
});

describe("a phrase that names nothing", () => {
  const answering = (documents: SearchHit[]) =>
    serveGraph((_request, { pathname, searchParams }) => pathname.endsWith("/search")
      ? jsonResponse({ snapshot: SNAPSHOT, results: searchParams.get("mode") === "documents" ? documents : [], facets: [] })
      : undefined);

  it("finds the documents that have it", async () => {
    answering(HITS);
    renderExplorer("/explore/demo?q=blue+pill");
    await screen.findByRole("heading", { name: "Documents about “blue pill”" });
    expect(screen.getByRole("link", { name: "Aspirin" })).toBeInTheDocument();
  });

  it("is reported where no document has it either", async () => {
    answering([]);
    renderExplorer("/explore/demo?q=blue+pill");
    expect(await screen.findByText(/No document contains these words either/)).toBeInTheDocument();
  });

  it("leads to the documents by a link where a type narrows it", async () => {
    answering([]);
    renderExplorer("/explore/demo?q=blue+pill&type=Gene");
    expect(await screen.findByRole("link", { name: "search in the documents" })).toHaveAttribute("href", "/explore/demo?q=blue+pill&mode=documents");
  });
});

describe("an entity's page", () => {
  it("shows its document with sources, its identifiers with links, its relations with counts", async () => {
    serveGraph();
    renderExplorer("/explore/demo/e/D:1");
    await heading("Aspirin");
    expect(screen.getByText("Source: FDA label")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /DrugBank 1/ })).toHaveAttribute("href", "https://example.org/1");
    expect(screen.getByRole("heading", { name: "treats 2" })).toBeInTheDocument();
    expect(screen.getByText("2 edges, version 2")).toBeInTheDocument();
  });

  it("lists what matters without a press, each with what states it or the word that nothing does", async () => {
    serveGraph();
    renderExplorer("/explore/demo/e/D:1");
    const list = await screen.findByRole("list", { name: "Aspirin treats" });
    const [one, two] = within(list).getAllByRole("listitem").filter((row) => row.parentElement === list);
    expect(one).toHaveTextContent("FDA label, approved · 1 publication");
    expect(within(one as HTMLElement).getByRole("link", { name: /PubMed 12/, hidden: true })).toHaveAttribute("href", "https://pubmed.ncbi.nlm.nih.gov/12");
    expect(two).toHaveTextContent("no evidence recorded");
  });

  it("draws bars for the rest, which open to their neighbours", async () => {
    const relations = [makeRelation(), makeRelation({ relation: "has", phrase: "has the part", count: 7 })];
    serveGraph((_request, { pathname }) => (pathname.endsWith("/D%3A1") ? jsonResponse(makeEntity({ relations })) : undefined));
    const router = renderExplorer("/explore/demo/e/D:1");
    await userEvent.click(await screen.findByRole("button", { name: /has the part 7/ }));
    expect(await screen.findByRole("list", { name: "Aspirin has the part" })).toBeInTheDocument();
    expect(router.state.location.search).toBe("?rel=out.has");
  });

  it("shows five of what matters, and all of it on request", async () => {
    const requests = serveGraph((_request, { pathname }) => (pathname.endsWith("/D%3A1") ? jsonResponse(makeEntity({ relations: [makeRelation({ count: 9 })] })) : undefined));
    const router = renderExplorer("/explore/demo/e/D:1");
    await userEvent.click(await screen.findByRole("button", { name: "Show all 9" }));
    expect(requests.some(({ path }) => path.includes("limit=5"))).toBe(true);
    expect(router.state.location.search).toBe("?rel=out.treats");
    await userEvent.click(await screen.findByRole("button", { name: "Show the first five" }));
    expect(router.state.location.search).toBe("");
  });

  it("reads a large relation page by page and says how many of how many", async () => {
    const requests = serveGraph((_request, url) => {
      if (url.pathname.endsWith("/D%3A1")) return jsonResponse(makeEntity({ relations: [makeRelation({ count: 202_757 })] }));
      if (!url.pathname.endsWith("/neighbours")) return undefined;
      const start = Number(url.searchParams.get("cursor") ?? 0);
      const results = Array.from({ length: 50 }, (_, at) => makeNeighbour(start + at));
      return jsonResponse({ snapshot: SNAPSHOT, count: 202_757, results, next: String(start + 50) });
    });
    renderExplorer("/explore/demo/e/D:1?rel=out.treats");
    expect(await screen.findByText("50 of 202,757 shown")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show 50 more" }));
    expect(await screen.findByText("100 of 202,757 shown")).toBeInTheDocument();
    expect(requests.filter(({ path }) => path.includes("/neighbours")).at(-1)?.path).toContain("cursor=50");
  });

  it("reads both sides of a symmetric relation as one", async () => {
    const sides = [true, false].map((outgoing) => makeRelation({ relation: "pairs", phrase: "pairs with", symmetric: true, outgoing, count: 1 }));
    serveGraph((_request, url) => {
      if (url.pathname.endsWith("/D%3A1")) return jsonResponse(makeEntity({ relations: sides }));
      if (!url.pathname.endsWith("/neighbours")) return undefined;
      const at = url.searchParams.get("outgoing") === "true" ? 1 : 2;
      return jsonResponse({ snapshot: SNAPSHOT, count: 1, results: [makeNeighbour(at)], next: null });
    });
    renderExplorer("/explore/demo/e/D:1");
    expect(await screen.findByRole("heading", { name: "pairs with 2" })).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: "Disease 1" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Disease 2" })).toBeInTheDocument();
  });

  it("keeps to the version that the address pins, and says that there is a newer one", async () => {
    const requests = serveGraph();
    const router = renderExplorer("/explore/demo/e/D:1?snapshot=older");
    await heading("Aspirin");
    expect(requests.some(({ path }) => path.includes("entities/D%3A1?snapshot=older"))).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Show the newest version" }));
    expect(router.state.location.search).toBe("");
  });
});

describe("a view", () => {
  it("is saved with the version that was shown, and its link opens the same page", async () => {
    const views: Record<string, unknown> = {};
    const requests = serveGraph((one, { pathname }) => {
      if (one.method === "POST" && pathname.endsWith("/views")) {
        views.v1 = { id: "v1", graph: "demo", version: 2, author: null, created_at: "2026-11-03T10:00:00Z", ...(one.json as object) };
        return jsonResponse(views.v1, 201);
      }
      return pathname.endsWith("/views/v1") ? jsonResponse(views.v1) : undefined;
    });
    renderExplorer("/explore/demo/e/D:1?rel=out.treats");
    await userEvent.click(await screen.findByRole("button", { name: "Save view" }));
    await userEvent.click(await screen.findByRole("button", { name: "Save and get the link" }));
    const link = await screen.findByRole("textbox", { name: "Permanent link" });
    expect(link).toHaveValue(`${window.location.origin}/explore/view/v1?snapshot=${SNAPSHOT}`);
    expect(requests.find(({ method, path }) => method === "POST" && path.includes("/views"))?.json).toEqual({
      title: "Aspirin", snapshot: SNAPSHOT, state: { page: "e/D:1", query: "rel=out.treats" },
    });
    const there = renderExplorer("/explore/view/v1");
    await waitFor(() => expect(there.state.location.pathname).toBe("/explore/demo/e/D:1"));
    expect(there.state.location.search).toBe(`?rel=out.treats&snapshot=${SNAPSHOT}&view=v1`);
  });

  it("keeps its title, author, date and version, and says when the page no longer shows it", async () => {
    const view = {
      id: "v1", graph: "demo", snapshot: SNAPSHOT, version: 2, title: "Why aspirin", author: "Ada Silva", created_at: "2026-11-03T10:00:00Z",
      state: { page: "e/D:1", query: "rel=out.treats" },
    };
    serveGraph((_request, { pathname }) => (pathname.endsWith("/views/v1") ? jsonResponse(view) : undefined));
    const router = renderExplorer("/explore/view/v1");
    const notice = (await screen.findByText("Why aspirin")).closest("p");
    expect(notice).toHaveTextContent("Why aspirin. A view saved by Ada Silva on 3 November 2026, of version 2 of the graph.");
    expect(screen.getByRole("link", { name: "Open live" })).toHaveAttribute("href", "/explore/demo/e/D:1?rel=out.treats");
    expect(notice).not.toHaveTextContent("changed");
    await router.navigate(`/explore/demo/e/D:1?rel=out.pairs&snapshot=${SNAPSHOT}&view=v1`);
    await userEvent.click(await screen.findByRole("link", { name: "show the saved view" }));
    expect(router.state.location.search).toBe(`?rel=out.treats&snapshot=${SNAPSHOT}&view=v1`);
    await waitFor(() => expect(screen.queryByText(/has changed since/)).not.toBeInTheDocument());
  });

  it("of a page that the explorer does not have is not followed", async () => {
    serveGraph((_request, { pathname }) =>
      pathname.endsWith("/views/bad")
        ? jsonResponse({ id: "bad", graph: "demo", snapshot: SNAPSHOT, title: "Odd", state: { page: "../../account", query: "" } })
        : undefined,
    );
    const router = renderExplorer("/explore/view/bad");
    await heading("Odd");
    expect(router.state.location.pathname).toBe("/explore/view/bad");
  });
});

describe("an entity of which very much is written", () => {
  const serving = (change: Parameters<typeof makeEntity>[0]) =>
    serveGraph((_request, { pathname }) => (pathname.endsWith("/D%3A1") ? jsonResponse(makeEntity(change)) : undefined));

  it("shows the first of a thousand names, and all when asked", async () => {
    serving({ synonyms: Array.from({ length: 1000 }, (_, at) => `name ${at}.`) });
    renderExplorer("/explore/demo/e/D:1");
    expect(await screen.findByText("name 11.")).toBeInTheDocument();
    expect(screen.queryByText("name 12.")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show all 1,000 names" }));
    expect(screen.getByText("name 999.")).toBeInTheDocument();
  });

  it("begins a long text also where its language parts no words", async () => {
    const text = "二甲双胍是治疗糖尿病的一线药物。".repeat(100);
    serving({ document: [{ title: "", text, source: "" }] });
    renderExplorer("/explore/demo/e/D:1");
    expect(await screen.findByText(`${text.slice(0, 150)} …`)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show the whole document, 1,600 characters" }));
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it("shows a short document whole, with its sources once", async () => {
    serving({
      document: [
        { title: "What it is", text: "A salicylate.", source: "DrugBank" },
        { title: "Uses", text: "Pain, and after a stroke.", source: "FDA label" },
        { title: "What surprises", text: "Willow bark.", source: "DrugBank" },
      ],
    });
    renderExplorer("/explore/demo/e/D:1");
    expect(await screen.findByRole("region", { name: "Document" })).toHaveTextContent(
      "What it is: A salicylate.Uses: Pain, and after a stroke.What surprises: Willow bark.Sources: DrugBank; FDA label",
    );
    expect(screen.queryByRole("button", { name: /whole document/ })).not.toBeInTheDocument();
  });

  it("never shows half of a letter", async () => {
    const text = `a${"𝛼".repeat(2000)}`;
    serving({ document: [{ title: "", text, source: "" }] });
    renderExplorer("/explore/demo/e/D:1");
    const [begun] = await screen.findAllByText(/ …$/);
    expect(begun?.textContent).toBe(`a${"𝛼".repeat(74)} …`);
  });
});
