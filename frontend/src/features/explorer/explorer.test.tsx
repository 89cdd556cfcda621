import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, reply } from "@/test/visit";
import type { Hit } from "./api";
import { aGraph, aNeighbour, anEntity, aSide, explore, serveGraph, SNAPSHOT } from "./testing";

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

function hit(id: string, name: string, kind: Hit["matched"]["kind"], text: string): Hit {
  return { id, name, type: "Drug", degree: 3, matched: { kind, text, snippet: null } };
}

const HITS = [
  hit("D:1", "Aspirin", "synonym", "ASA"),
  hit("D:2", "Asparaginase", "prefix", "Asparaginase"),
];

function searching(results: Hit[] = HITS) {
  return serveGraph((_asked, url) =>
    url.pathname.endsWith("/search")
      ? reply({ snapshot: SNAPSHOT, results, facets: [{ type: "Drug", count: 2 }, { type: "Gene", count: 1 }] })
      : undefined,
  );
}

afterEach(() => vi.unstubAllGlobals());

describe("coming to explore", () => {
  it("goes straight into the only graph", async () => {
    serveGraph();
    const router = explore("/explore");
    await heading("Demo graph");
    expect(router.state.location.pathname).toBe("/explore/demo");
  });

  it("lists several graphs with what they hold", async () => {
    serveGraph((_asked, { pathname }) =>
      pathname.endsWith("/graphs") ? reply({ results: [aGraph(), aGraph({ id: "g2", slug: "two", name: "Another" })] }) : undefined,
    );
    explore("/explore");
    expect(await screen.findByRole("link", { name: "Another" })).toHaveAttribute("href", "/explore/two");
    expect(screen.getAllByText(/5 entities, 6 edges, version 2, CC0/)).toHaveLength(2);
  });

  it("says that a graph is not there, and leads to those that are", async () => {
    serveGraph();
    explore("/explore/nothing");
    await heading("This graph is not here");
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "All graphs" })).toHaveAttribute("href", "/explore");
  });

  it("does not say that a graph is not there while the server fails or is busy", async () => {
    serveGraph((_asked, { pathname }) =>
      pathname.endsWith("/graphs/demo") ? problem(429, "too_many", "Too many requests. Try again in 7 s.") : undefined,
    );
    explore("/explore/demo");
    await heading("This graph could not be read");
    expect(screen.getByRole("alert")).toHaveTextContent("Try again in 7 s.");
  });
});

describe("what cannot be shown", () => {
  it("is not called missing where the server only fails", async () => {
    serveGraph((_asked, { pathname }) => (pathname.endsWith("/graphs/demo") ? problem(503, "snapshot_refused", "The snapshot cannot be read.") : undefined));
    explore("/explore/demo");
    await heading("This graph could not be read");
    expect(screen.getByRole("button", { name: "Try again" })).toBeInTheDocument();
  });

  it("leads from an entity that is not there to the search", async () => {
    serveGraph();
    explore("/explore/demo/e/NO:1");
    await heading("This entity is not here");
    expect(screen.getByRole("link", { name: "Search Demo graph" })).toHaveAttribute("href", "/explore/demo");
  });

  it("is told of a saved view that is not there", async () => {
    serveGraph();
    explore("/explore/view/nothing");
    await heading("This view is not here");
  });
});

describe("a phrase that waits for its object", () => {
  it("ends where it stands alone", async () => {
    const side = aSide({ relation: "causes", phrase: "can cause, as a side effect," });
    serveGraph((_asked, { pathname }) => (pathname.endsWith("/entities/D%3A1") ? reply(anEntity({ relations: [side] })) : undefined));
    explore("/explore/demo/e/D:1");
    expect(await screen.findByRole("button", { name: "can cause, as a side effect 2" })).toBeInTheDocument();
  });
});

describe("the search field", () => {
  it("is walked and taken by keys alone", async () => {
    searching();
    const router = explore("/explore/demo");
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
    explore("/explore/demo");
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
    const asked: { q: string | null; signal: AbortSignal }[] = [];
    const before = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      const url = new URL(path, "http://here");
      if (!url.pathname.endsWith("/search")) return before(path, init);
      const { signal } = init;
      if (!signal) throw new Error("The search cannot be stopped.");
      asked.push({ q: url.searchParams.get("q"), signal });
      return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason as Error)));
    });
    explore("/explore/demo");
    const field = await screen.findByRole("combobox", { name: "Search entities" });
    await userEvent.type(field, "asp");
    await waitFor(() => expect(asked.map(({ q }) => q)).toEqual(["asp"]));
    await userEvent.type(field, "irin");
    await waitFor(() => expect(asked.map(({ q }) => q)).toEqual(["asp", "aspirin"]));
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked[1]?.signal.aborted).toBe(false);
  });

  it("lists everything on Enter while no suggestion is chosen", async () => {
    searching();
    const router = explore("/explore/demo");
    await userEvent.type(await screen.findByRole("combobox", { name: "Search entities" }), "asa{Enter}");
    await heading("“asa”");
    expect(router.state.location.search).toBe("?q=asa");
  });

  it("says when nothing is called that", async () => {
    searching([]);
    explore("/explore/demo");
    await userEvent.type(await screen.findByRole("combobox", { name: "Search entities" }), "zzz");
    expect((await screen.findAllByText("Nothing is called that here.")).length).toBeGreaterThan(0);
  });
});

describe("the results", () => {
  it("are narrowed by type and mode, which the address carries", async () => {
    const asked = searching();
    const router = explore("/explore/demo?q=asa");
    await userEvent.click(await screen.findByRole("button", { name: /Gene 1/ }));
    expect(router.state.location.search).toBe("?q=asa&type=Gene");
    expect(screen.getByRole("button", { name: /Gene 1/ })).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(screen.getByRole("radio", { name: "Documents" }));
    expect(router.state.location.search).toBe("?q=asa&type=Gene&mode=documents");
    await waitFor(() => expect(asked.at(-1)?.path).toMatch(/types=Gene.*mode=documents/));
    expect(screen.getByRole("link", { name: "Aspirin" })).toHaveAttribute("href", "/explore/demo/e/D:1?q=asa");
  });

  it("that failed are asked for again on request", async () => {
    let resting = true;
    serveGraph((_asked, { pathname }) =>
      pathname.endsWith("/search")
        ? resting ? problem(503, "busy", "Too many searches wait.") : reply({ snapshot: SNAPSHOT, results: HITS, facets: [] })
        : undefined,
    );
    explore("/explore/demo?q=asa");
    expect(await screen.findByRole("alert")).toHaveTextContent("Too many searches wait.");
    resting = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Asparaginase" })).toBeInTheDocument();
  });
});

describe("an entity's page", () => {
  it("shows its document with sources, its identifiers with links, its relations with counts", async () => {
    serveGraph();
    explore("/explore/demo/e/D:1");
    await heading("Aspirin");
    expect(screen.getByText("Source: FDA label")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /DrugBank 1/ })).toHaveAttribute("href", "https://example.org/1");
    expect(screen.getByRole("button", { name: /treats 2/ })).toHaveAttribute("aria-expanded", "false");
    expect(screen.getByText("2 edges, version 2")).toBeInTheDocument();
  });

  it("opens a relation to its neighbours, each with what states it or the word that nothing does", async () => {
    serveGraph();
    const router = explore("/explore/demo/e/D:1");
    await userEvent.click(await screen.findByRole("button", { name: /treats 2/ }));
    const list = await screen.findByRole("list", { name: "Aspirin treats" });
    const [one, two] = within(list).getAllByRole("listitem").filter((row) => row.parentElement === list);
    expect(one).toHaveTextContent("FDA label, approved · 1 publication");
    expect(within(one as HTMLElement).getByRole("link", { name: /PubMed 12/, hidden: true })).toHaveAttribute("href", "https://pubmed.ncbi.nlm.nih.gov/12");
    expect(two).toHaveTextContent("no evidence recorded");
    expect(screen.getByText("All 2 shown")).toBeInTheDocument();
    expect(router.state.location.search).toBe("?rel=out.treats");
  });

  it("reads a large relation page by page and says how many of how many", async () => {
    const asked = serveGraph((_asked, url) => {
      if (url.pathname.endsWith("/D%3A1")) return reply(anEntity({ relations: [aSide({ count: 202_757 })] }));
      if (!url.pathname.endsWith("/neighbours")) return undefined;
      const start = Number(url.searchParams.get("cursor") ?? 0);
      const results = Array.from({ length: 50 }, (_, at) => aNeighbour(start + at));
      return reply({ snapshot: SNAPSHOT, count: 202_757, results, next: String(start + 50) });
    });
    explore("/explore/demo/e/D:1?rel=out.treats");
    expect(await screen.findByText("50 of 202,757 shown")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show 50 more" }));
    expect(await screen.findByText("100 of 202,757 shown")).toBeInTheDocument();
    expect(asked.at(-1)?.path).toContain("cursor=50");
  });

  it("reads both sides of a symmetric relation as one", async () => {
    const sides = [true, false].map((outgoing) => aSide({ relation: "pairs", phrase: "pairs with", symmetric: true, outgoing, count: 1 }));
    serveGraph((_asked, url) => {
      if (url.pathname.endsWith("/D%3A1")) return reply(anEntity({ relations: sides }));
      if (!url.pathname.endsWith("/neighbours")) return undefined;
      const at = url.searchParams.get("outgoing") === "true" ? 1 : 2;
      return reply({ snapshot: SNAPSHOT, count: 1, results: [aNeighbour(at)], next: null });
    });
    explore("/explore/demo/e/D:1");
    await userEvent.click(await screen.findByRole("button", { name: /pairs with 2/ }));
    expect(await screen.findByRole("link", { name: "Disease 1" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Disease 2" })).toBeInTheDocument();
    expect(screen.getByText("All 2 shown")).toBeInTheDocument();
  });

  it("keeps to the version that the address pins, and says that there is a newer one", async () => {
    const asked = serveGraph();
    const router = explore("/explore/demo/e/D:1?snapshot=older");
    await heading("Aspirin");
    expect(asked.some(({ path }) => path.includes("entities/D%3A1?snapshot=older"))).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Show the newest version" }));
    expect(router.state.location.search).toBe("");
  });
});

describe("a view", () => {
  it("is saved with the version that was shown, and its link opens the same page", async () => {
    const views: Record<string, unknown> = {};
    const asked = serveGraph((one, { pathname }) => {
      if (one.method === "POST" && pathname.endsWith("/views")) {
        views.v1 = { id: "v1", graph: "demo", ...(one.json as object) };
        return reply(views.v1, 201);
      }
      return pathname.endsWith("/views/v1") ? reply(views.v1) : undefined;
    });
    explore("/explore/demo/e/D:1?rel=out.treats");
    await userEvent.click(await screen.findByRole("button", { name: "Save view" }));
    await userEvent.click(await screen.findByRole("button", { name: "Save and get the link" }));
    const link = await screen.findByRole("textbox", { name: "Permanent link" });
    expect(link).toHaveValue(`${window.location.origin}/explore/view/v1?snapshot=${SNAPSHOT}`);
    expect(asked.find(({ method }) => method === "POST")?.json).toEqual({
      title: "Aspirin", snapshot: SNAPSHOT, state: { page: "e/D:1", query: "rel=out.treats" },
    });
    const there = explore("/explore/view/v1");
    await waitFor(() => expect(there.state.location.pathname).toBe("/explore/demo/e/D:1"));
    expect(there.state.location.search).toBe(`?rel=out.treats&snapshot=${SNAPSHOT}`);
  });

  it("of a page that the explorer does not have is not followed", async () => {
    serveGraph((_asked, { pathname }) =>
      pathname.endsWith("/views/bad")
        ? reply({ id: "bad", graph: "demo", snapshot: SNAPSHOT, title: "Odd", state: { page: "../../account", query: "" } })
        : undefined,
    );
    const router = explore("/explore/view/bad");
    await heading("Odd");
    expect(router.state.location.pathname).toBe("/explore/view/bad");
  });
});

describe("an entity of which very much is written", () => {
  const serving = (change: Parameters<typeof anEntity>[0]) =>
    serveGraph((_asked, { pathname }) => (pathname.endsWith("/D%3A1") ? reply(anEntity(change)) : undefined));

  it("shows the first of a thousand names, and all when asked", async () => {
    serving({ synonyms: Array.from({ length: 1000 }, (_, at) => `name ${at}.`) });
    explore("/explore/demo/e/D:1");
    expect(await screen.findByText("name 11.")).toBeInTheDocument();
    expect(screen.queryByText("name 12.")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show all 1,000 names" }));
    expect(screen.getByText("name 999.")).toBeInTheDocument();
  });

  it("begins a long text also where its language parts no words", async () => {
    const text = "二甲双胍是治疗糖尿病的一线药物。".repeat(100);
    serving({ document: [{ title: "", text, source: "" }] });
    explore("/explore/demo/e/D:1");
    expect(await screen.findByText(`${text.slice(0, 900)} …`)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show the whole document, 1,600 letters" }));
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it("never shows half of a letter", async () => {
    const text = `a${"𝛼".repeat(2000)}`;
    serving({ document: [{ title: "", text, source: "" }] });
    explore("/explore/demo/e/D:1");
    const [begun] = await screen.findAllByText(/ …$/);
    expect(begun?.textContent).toBe(`a${"𝛼".repeat(449)} …`);
  });
});
