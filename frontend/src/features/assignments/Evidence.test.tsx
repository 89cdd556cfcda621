import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { card, AssignmentsPageHarness, order, question, setUpAssignmentsPage } from "./testing";
import type { GraphPath } from "@/domains/graphs/graphQueries";
import { findStudyKind } from "@/study-kinds/registry";
import type { CandidateEvidence, Evidence, EvidencePapersResult, EvidencePathsResult } from "./evidence/api";

setUpAssignmentsPage();

const GRAPH = { slug: "demo", name: "Demo graph", snapshot: "abc-def", number: 2 };
const PUBLICATION = { curie: "PMID:1", url: "https://pubmed.ncbi.nlm.nih.gov/1/" };
const RECORD = { source: "a label", score: null, level: "", p_value: null, publications: [PUBLICATION], first_seen: null, row_count: 1 };

const nothing = { entity: null, summary: null, sections: 0, rest: null, relations: [] };

function candidate(more: Partial<CandidateEvidence>): CandidateEvidence {
  return { candidate: "a", name: "Zinc", match_method: null, unmatched_reason: "not_in_graph", matched_on: "", ...nothing, ...more };
}

const ZINC = candidate({
  match_method: "identifier",
  unmatched_reason: null,
  matched_on: "DRUGBANK:DB01593",
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
  match_method: "name",
  unmatched_reason: null,
  matched_on: "Balsalazide",
  entity: { id: "X:1", name: "Balsalazide", type: "Drug", degree: 1 },
});

const evidence: Evidence = {
  graph: GRAPH,
  has_pages: true,
  is_complete: true,
  named: [],
  candidates: [ZINC, BALSALAZIDE, candidate({ candidate: "c", unmatched_reason: "several_names" })],
};

function step(phrase: string, known: boolean): GraphPath["steps"][number] {
  return { edge: 1, relation: phrase, phrase, forward: true, symmetric: false, evidence: known ? RECORD : null };
}

function entity(name: string) {
  return { entity: { id: name, name, type: "Disease", degree: 1 } };
}

function paths(end: string): EvidencePathsResult {
  const steps = [entity("Cold"), step("is treated by", true), entity("Copper"), step("is near", false), entity(end)];
  const path: GraphPath = { rank: 1, weight: 0.5, metapath: "m", steps };
  const counts = { shown: 1, total: 3, hidden_through_hubs: 2, hub_links: 1000, capped: false, capped_by: null };
  const details = { snapshot: "abc-def", summary: "", order: "probability", formula: "", metapaths: [], other_metapaths: 0, undated: null } as const;
  return { candidate: "a", named: [], paths: { ...counts, ...details, metapaths: [], paths: [path] } };
}

const COLLECTION = {
  slug: "papers", name: "Test papers", source: "", licence: "CC0", digest: "d", papers: 2, undated: 0, synthetic: 1,
  is_public: true, is_demo: false, created_at: "2026-11-01T10:00:00Z",
};
const papers: EvidencePapersResult = {
  candidate: "a",
  results: [{
    collection: COLLECTION,
    papers: [
      { id: "123", is_synthetic: false, url: "https://pubmed.ncbi.nlm.nih.gov/123/", date: "2004", title: "Zinc in colds", abstract: "", note: "" },
      { id: "SYN:1", is_synthetic: true, url: null, date: "", title: "A made-up paper", abstract: "", note: "" },
    ],
    count: 2,
    undated: 0,
    is_complete: true,
  }],
};

const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });

function harnessWithGraph(): { harness: AssignmentsPageHarness; requests: string[] } {
  const harness = new AssignmentsPageHarness();
  const requests: string[] = [];
  harness.graph = GRAPH;
  harness.evidence = (path) => {
    requests.push(path);
    if (path.includes("/papers")) return json(papers);
    return json(path.includes("/paths") ? paths(path.includes("candidate=b") ? "Balsalazide" : "Zinc metal") : evidence);
  };
  return { harness, requests };
}

const panel = () => within(screen.getByRole("complementary", { name: "Help and questions" }));

describe("evidence beside the cards", () => {
  beforeEach(() => {
    localStorage.removeItem("serendib-evidence");
    vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }));
  });

  it("names the kinds of links as the explorer does, without the comma that waits for an object", async () => {
    const { harness } = harnessWithGraph();
    await harness.open();
    const links = await panel().findByRole("region", { name: "Its links in the graph" });
    expect(within(links).getAllByRole("term").map(({ textContent }) => textContent)).toEqual(["treats", "can cause, as a side effect"]);
  });

  it("is open from the start and shows what was matched, how, and the paths, while the focus and the order stay", async () => {
    const { harness } = harnessWithGraph();
    await harness.open();
    const before = order();
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
    expect(harness.saved(1).version).toBe(0);
  });

  it("lists the papers that name the candidate and marks those that were made up", async () => {
    const { harness } = harnessWithGraph();
    await harness.open();
    const section = within(await panel().findByRole("region", { name: "Papers that name it" }));
    expect(section.getByRole("link", { name: /PMID 123/ })).toHaveAttribute("href", "https://pubmed.ncbi.nlm.nih.gov/123/");
    expect(section.getByText("A made-up paper").closest("li")).toHaveTextContent("Synthetic: this paper does not exist");
  });

  it("follows the candidate that has focus, says when only the name agrees, and what is not known", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await user.keyboard("j");
    expect(await panel().findByText("Matched by name alone")).toBeVisible();
    await user.keyboard("j");
    expect(await panel().findByText(/Several entities of this graph have this name/)).toBeVisible();
    expect(card(3)).toHaveFocus();
  });

  it("marks a step, a paper and a path as what decided, by key and by mouse, and takes a mark back", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    const first = await panel().findByRole("button", { name: "Cold is treated by Copper" });
    await user.keyboard("w");
    expect(first).toHaveFocus();
    await user.keyboard("{Enter}{ArrowDown}");
    expect(first).toHaveAttribute("aria-pressed", "true");
    expect(panel().getByRole("button", { name: "PubMed 1 decided" })).toHaveFocus();
    card(1).focus();
    await user.click(panel().getByRole("button", { name: "This whole path decided" }));
    expect(card(1)).toHaveFocus();
    const path = "Cold is treated by Copper; Copper is near Zinc metal";
    const marks = within(screen.getByRole("list", { name: "What decided" }));
    expect(marks.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Because: Cold is treated by Copper", `Because: ${path}`]);
    await user.click(marks.getByRole("button", { name: "Remove the mark: Cold is treated by Copper" }));
    expect(first).toHaveAttribute("aria-pressed", "false");
    const because = [{ type: "path", candidate: "a", edges: [1, 1], step: null, paper: "", text: path }];
    await waitFor(() => expect(harness.saved(1).payload).toMatchObject({ because }));
    await waitFor(() => expect(harness.events(1).filter((kind) => kind === "because")).toHaveLength(3));
  });

  it("goes there with E, and back with Escape", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await user.keyboard("j");
    await panel().findByText("Matched by name alone");
    await user.keyboard("e");
    expect(panel().getByRole("region", { name: "Evidence" })).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
    expect(card(2)).toHaveFocus();
  });

  it("records that it was opened and each candidate that was viewed, not those passed by", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await panel().findByText(/Matched by identifier/);
    await waitFor(() => expect(harness.events(1)).toEqual(["opened", "evidence_opened", "evidence_viewed"]), { timeout: 4000 });
    await user.keyboard("jj");
    await waitFor(() => expect(harness.events(1)).toHaveLength(4), { timeout: 4000 });
    const recorded = harness.server.of(harness.ids[0] ?? "").entries.map(({ new: what }) => what);
    expect(recorded.slice(1)).toEqual([
      { candidate: "a", snapshot: "abc-def" },
      { candidate: "a", snapshot: "abc-def", entity: "DRUGBANK:DB01593", how: "identifier" },
      { candidate: "c", snapshot: "abc-def", entity: null, how: null },
    ]);
    expect(harness.result(1)).toBe("untouched");
  });

  it("stays open at the next question and shows that one's", async () => {
    const { harness, requests } = harnessWithGraph();
    const { user } = await harness.open();
    await panel().findByText(/Matched by identifier/);
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(requests).toContain(`/api/v1/assignments/${harness.ids[1]}/evidence`));
    expect(card(1)).toHaveFocus();
  });

  it("stays closed on this device once it was closed, asks for nothing then, and opens with E", async () => {
    const { harness, requests } = harnessWithGraph();
    const { user, page } = await harness.open();
    await panel().findByText(/Matched by identifier/);
    await user.click(panel().getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("complementary")).not.toBeInTheDocument();
    expect(card(1)).toHaveFocus();
    page.unmount();
    requests.length = 0;
    const { user: later } = await harness.open();
    expect(requests).toEqual([]);
    await later.keyboard("e");
    expect(await panel().findByText(/Matched by identifier/)).toBeVisible();
    expect(card(1)).toHaveFocus();
  });

  it("comes back when the keys are closed, and the focus goes back to the card", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await panel().findByText(/Matched by identifier/);
    await user.keyboard("j?");
    expect(screen.getByRole("complementary", { name: "Help and questions" })).toHaveFocus();
    await user.click(panel().getByRole("button", { name: "Close" }));
    expect(await panel().findByText("Matched by name alone")).toBeVisible();
    expect(card(2)).toHaveFocus();
  });

  it("puts what is stated directly first, and folds long detours", async () => {
    const { harness } = harnessWithGraph();
    const long = [entity("Cold"), step("is near", true), entity("Copper"), step("is near", true), entity("Iron"), step("is near", true), entity("Zinc metal")];
    const direct = [entity("Cold"), step("is treated by", true), entity("Zinc metal")];
    harness.evidence = (path) => {
      if (path.includes("/papers")) return json(papers);
      if (!path.includes("/paths")) return json(evidence);
      const listed = paths("Zinc metal");
      const [two] = listed.paths?.paths ?? [];
      const ranked = [{ ...two, rank: 1, steps: long }, { ...two, rank: 2 }, { ...two, rank: 3, steps: direct }];
      return json({ ...listed, paths: { ...listed.paths, paths: ranked } });
    };
    await harness.open();
    const statements = await panel().findAllByText(/is treated by|is near/);
    expect(statements[0]).toHaveTextContent("Cold is treated by Zinc metal");
    expect(panel().getByText(/Through 2 steps/).closest("details")).toHaveAttribute("open");
    expect(panel().getByText(/Through 3 steps/).closest("details")).not.toHaveAttribute("open");
  });

  it("holds up no answer while its server is silent", async () => {
    const { harness } = harnessWithGraph();
    harness.evidence = () => new Promise<Response>(() => {});
    const { user } = await harness.open();
    await user.keyboard("aa");
    await question(2);
    await waitFor(() => expect(harness.result(1)).toBe("confirmed"));
  });

  it("without a network says so in its place only, and tries again when asked", async () => {
    const { harness } = harnessWithGraph();
    const answer = harness.evidence;
    let isAway = true;
    harness.evidence = (path) => (isAway ? Promise.reject(new TypeError("Failed to fetch")) : answer(path));
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { user } = await harness.open();
    expect(await panel().findByText(/Evidence needs a connection. Your answer does not/)).toBeVisible();
    isAway = false;
    await user.click(panel().getByRole("button", { name: "Try again" }));
    expect(await panel().findByText(/Matched by identifier/)).toBeVisible();
    vi.restoreAllMocks();
  });
});

describe("a study without a graph", () => {
  it("has no evidence, no button for it, and E does nothing", async () => {
    const harness = new AssignmentsPageHarness();
    const { user } = await harness.open();
    expect(screen.queryByRole("button", { name: /Evidence/ })).not.toBeInTheDocument();
    await user.keyboard("e?");
    const views = within(await screen.findByRole("radiogroup", { name: "What to show here" }));
    expect(views.getAllByRole("radio").map((one) => one.textContent)).toEqual(["Definition", "Questions", "Keys"]);
  });
});

describe("a question of a kind that has nothing to show evidence for", () => {
  it("has no evidence, although the study has a graph", async () => {
    const { harness, requests } = harnessWithGraph();
    const ranking = findStudyKind("ranking");
    if (!ranking) throw new Error("there is no such kind");
    const subjects = vi.spyOn(ranking, "evidenceSubjects").mockReturnValue([]);
    const { user } = await harness.open();
    expect(screen.queryByRole("button", { name: /Evidence/ })).not.toBeInTheDocument();
    await user.keyboard("?");
    const views = within(await screen.findByRole("radiogroup", { name: "What to show here" }));
    expect(views.queryByRole("radio", { name: "Evidence" })).toBeNull();
    expect(requests).toEqual([]);
    subjects.mockRestore();
  });
});

describe("a question whose evidence is hidden", () => {
  it("is like one of a study without a graph, requests nothing, and the next one has its evidence", async () => {
    const { harness, requests } = harnessWithGraph();
    harness.withoutEvidence.add(1);
    const { user } = await harness.open();
    expect(screen.queryByRole("button", { name: /Evidence/ })).not.toBeInTheDocument();
    await user.keyboard("eaa");
    await question(2);
    await waitFor(() => expect(requests).toContain(`/api/v1/assignments/${harness.ids[1]}/evidence`));
    expect(requests.filter((path) => path.includes(harness.ids[0] ?? ""))).toEqual([]);
  });
});

describe("on a narrow screen", () => {
  const peek = () => screen.findByRole("button", { name: /^Evidence for/ });

  it("one line peeks above the bar: what is stated of the candidate that has focus", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await waitFor(async () => expect(await peek()).toHaveTextContent("Evidence for Zinc: nothing direct, 1 path through 2 steps"));
    await waitFor(() => expect(harness.events(1)).toEqual(["opened", "evidence_viewed"]), { timeout: 4000 });
    await user.click(card(3));
    await waitFor(async () => expect(await peek()).toHaveTextContent("Evidence for NADH: not found in this graph"));
    await waitFor(() => expect(harness.events(1)).toEqual(["opened", "evidence_viewed", "evidence_viewed"]), { timeout: 4000 });
    const recorded = harness.server.of(harness.ids[0] ?? "").entries.map(({ new: what }) => what);
    expect(recorded[1]).toMatchObject({ candidate: "a", peek: true });
  });

  it("opens a sheet over the cards that begins at the candidate that had focus, and gives the focus back", async () => {
    const { harness } = harnessWithGraph();
    const { user } = await harness.open();
    await user.click(card(2));
    await user.click(await peek());
    const over = within(await screen.findByRole("dialog"));
    expect(await over.findByText("Matched by name alone")).toBeVisible();
    await user.selectOptions(over.getByRole("combobox", { name: "Evidence for" }), "Zinc");
    expect(await over.findByText(/Matched by identifier/)).toBeVisible();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(await peek()).toHaveFocus();
    expect(order()).toEqual(["a", "b", "c"]);
  });
});
