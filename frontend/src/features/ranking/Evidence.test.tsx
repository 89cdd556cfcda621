import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { card, Desk, order, question } from "./testing";
import type { CandidateEvidence, Evidence, FoundPaths, GraphPath } from "./evidence/api";

const GRAPH = { slug: "demo", name: "Demo graph", snapshot: "abc-def", number: 2 };
const PUBLICATION = { curie: "PMID:1", url: "https://pubmed.ncbi.nlm.nih.gov/1/" };
const RECORD = { source: "a label", score: null, level: "", p_value: null, publications: [PUBLICATION], folded: 1 };

const nothing = { entity: null, summary: null, sections: 0, relations: [] };

function candidate(more: Partial<CandidateEvidence>): CandidateEvidence {
  return { candidate: "a", name: "Zinc", how: null, why_not: "not_in_graph", by: "", ...nothing, ...more };
}

const ZINC = candidate({
  how: "identifier",
  why_not: null,
  by: "DRUGBANK:DB01593",
  entity: { id: "DRUGBANK:DB01593", name: "Zinc metal", type: "Drug", degree: 3 },
  summary: { title: "Summary", text: "A metal.", source: "own words" },
  sections: 1,
  relations: [
    { relation: "treats", phrase: "treats", outgoing: true, symmetric: false, count: 3 },
    { relation: "causes", phrase: "can cause, as a side effect,", outgoing: true, symmetric: false, count: 2 },
  ],
});
const BALSALAZIDE = candidate({
  candidate: "b",
  how: "name",
  why_not: null,
  by: "Balsalazide",
  entity: { id: "X:1", name: "Balsalazide", type: "Drug", degree: 1 },
});

const evidence: Evidence = {
  graph: GRAPH,
  is_complete: true,
  named: [],
  candidates: [ZINC, BALSALAZIDE, candidate({ candidate: "c", why_not: "several_names" })],
};

function step(phrase: string, known: boolean): GraphPath["steps"][number] {
  return { edge: 1, relation: phrase, phrase, forward: true, symmetric: false, evidence: known ? RECORD : null };
}

function entity(name: string) {
  return { entity: { id: name, name, type: "Disease", degree: 1 } };
}

function paths(end: string): FoundPaths {
  const steps = [entity("Cold"), step("is treated by", true), entity("Copper"), step("is near", false), entity(end)];
  const path: GraphPath = { rank: 1, weight: 0.5, metapath: "m", steps };
  const counts = { shown: 1, found: 3, hidden_through_hubs: 2, hub_links: 1000, capped: false, capped_by: null };
  const told = { snapshot: "abc-def", summary: "", order: "probability", formula: "", metapaths: [], other_metapaths: 0 } as const;
  return { candidate: "a", named: [], paths: { ...counts, ...told, metapaths: [], paths: [path] } };
}

const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });

function deskWithGraph(): { desk: Desk; asked: string[] } {
  const desk = new Desk();
  const asked: string[] = [];
  desk.graph = GRAPH;
  desk.evidence = (path) => {
    asked.push(path);
    return json(path.includes("/paths") ? paths(path.includes("candidate=b") ? "Balsalazide" : "Zinc metal") : evidence);
  };
  return { desk, asked };
}

const panel = () => within(screen.getByRole("complementary", { name: "Help and questions" }));

describe("evidence beside the cards", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }));
  });

  it("names the kinds of links as the explorer does, without the comma that waits for an object", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    await user.keyboard("e");
    const links = await panel().findByRole("region", { name: "Its links in the graph" });
    expect(within(links).getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["treats", "can cause, as a side effect"]);
  });

  it("opens with E and shows what was matched, how, and the paths, while the focus and the order stay", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    const before = order();
    await user.keyboard("e");
    expect(await panel().findByText("Matched by identifier DRUGBANK:DB01593")).toBeVisible();
    expect(panel().getByText("A metal.")).toBeVisible();
    const link = panel().getByRole("link", { name: /Zinc metal\s*in the explorer/ });
    expect(link).toHaveAttribute("href", "/explore/demo/e/DRUGBANK:DB01593?snapshot=abc-def");
    expect(link).toHaveAttribute("target", "_blank");
    const list = (await panel().findAllByText(/is treated by/))[0]?.closest("ol");
    expect(list).toHaveTextContent("Cold is treated by Coppera label");
    expect(list).toHaveTextContent("Copper is near Zinc metalno evidence recorded");
    expect(within(list as HTMLElement).getByRole("link", { name: /PubMed 1/ })).toHaveAttribute("href", PUBLICATION.url);
    expect(panel().getByText("1 of 3 paths shown, 2 through hubs hidden.")).toBeVisible();
    expect(card(1)).toHaveFocus();
    expect(order()).toEqual(before);
    expect(desk.told(1).version).toBe(0);
  });

  it("follows the candidate that has focus, says when only the name agrees, and what is not known", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    await user.keyboard("ej");
    expect(await panel().findByText("Matched by name alone")).toBeVisible();
    await user.keyboard("j");
    expect(await panel().findByText(/Several entities of this graph have this name/)).toBeVisible();
    expect(card(3)).toHaveFocus();
  });

  it("goes there with a second E, and back with Escape", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    await user.keyboard("je");
    await panel().findByText("Matched by name alone");
    await user.keyboard("e");
    expect(panel().getByRole("region", { name: "Evidence" })).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
    expect(card(2)).toHaveFocus();
  });

  it("records that it was opened and each candidate that was viewed, not those passed by", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    await user.keyboard("e");
    await panel().findByText(/Matched by identifier/);
    await waitFor(() => expect(desk.events(1)).toEqual(["opened", "evidence_opened", "evidence_viewed"]), { timeout: 4000 });
    await user.keyboard("jj");
    await waitFor(() => expect(desk.events(1)).toHaveLength(4), { timeout: 4000 });
    const seen = desk.server.of(desk.ids[0] ?? "").events.map(({ new: what }) => what);
    expect(seen.slice(1)).toEqual([
      { candidate: "a", snapshot: "abc-def" },
      { candidate: "a", snapshot: "abc-def", entity: "DRUGBANK:DB01593", how: "identifier" },
      { candidate: "c", snapshot: "abc-def", entity: null, how: null },
    ]);
    expect(desk.told(1).state).toBe("untouched");
  });

  it("stays open at the next question and shows that one's", async () => {
    const { desk, asked } = deskWithGraph();
    const { user } = await desk.open();
    await user.keyboard("e");
    await panel().findByText(/Matched by identifier/);
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(asked).toContain(`/api/v1/assignments/${desk.ids[1]}/evidence`));
    expect(card(1)).toHaveFocus();
  });

  it("asks for nothing before it is opened, and a server that holds still holds up no answer", async () => {
    const { desk, asked } = deskWithGraph();
    desk.evidence = (path) => {
      asked.push(path);
      return new Promise<Response>(() => {});
    };
    const { user } = await desk.open();
    expect(asked).toEqual([]);
    await user.keyboard("e");
    await waitFor(() => expect(asked).toHaveLength(1));
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(desk.told(1).state).toBe("confirmed"));
  });

  it("without a network says so in its place only, and tries again when asked", async () => {
    const { desk } = deskWithGraph();
    const answer = desk.evidence;
    let isAway = true;
    desk.evidence = (path) => (isAway ? Promise.reject(new TypeError("Failed to fetch")) : answer(path));
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { user } = await desk.open();
    await user.keyboard("e");
    expect(await panel().findByText(/Evidence needs a connection. Your ranking does not/)).toBeVisible();
    isAway = false;
    await user.click(panel().getByRole("button", { name: "Try again" }));
    expect(await panel().findByText(/Matched by identifier/)).toBeVisible();
    vi.restoreAllMocks();
  });
});

describe("a study without a graph", () => {
  it("has no evidence, no button for it, and E does nothing", async () => {
    const desk = new Desk();
    const { user } = await desk.open();
    expect(screen.queryByRole("button", { name: /Evidence/ })).not.toBeInTheDocument();
    await user.keyboard("e?");
    const views = within(await screen.findByRole("radiogroup", { name: "What to show here" }));
    expect(views.getAllByRole("radio").map((one) => one.textContent)).toEqual(["Definition", "Questions", "Keys"]);
  });
});

describe("on a narrow screen", () => {
  it("lies over the cards, begins at the candidate that had focus, and leads to the others", async () => {
    const { desk } = deskWithGraph();
    const { user } = await desk.open();
    await user.click(card(2));
    await user.click(screen.getByRole("button", { name: "Evidence" }));
    const over = within(await screen.findByRole("dialog"));
    expect(await over.findByText("Matched by name alone")).toBeVisible();
    await user.selectOptions(over.getByRole("combobox", { name: "Evidence for" }), "Zinc");
    expect(await over.findByText(/Matched by identifier/)).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(order()).toEqual(["a", "b", "c"]);
  });
});
