import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeJob } from "@/domains/jobs/fixtures";
import { jsonResponse, mockServer, problemResponse, makeUser, renderRoute, setWindowWidth } from "@/test/visit";
import { GroundingPage } from "./GroundingPage";
import { GroundingsPage } from "./GroundingsPage";
import type { Claim, ClaimVerdict, Evidence, Grounding } from "./queries";
import { segmentText, unplacedClaims } from "./segments";

const EDGE: Evidence = {
  kind: "edge", stance: "supports", score: 1, sentence: null,
  edge: {
    edge: 4, source: { id: "DRUGBANK:DB00945", name: "Aspirin", type: "Drug" }, target: { id: "HP:0002315", name: "Headache", type: "Phenotype" },
    relation: "treats", phrase: "treats", first_seen: 2001, date_source: "", publications: [],
  },
};
const SENTENCE: Evidence = {
  kind: "sentence", stance: "contradicts", score: 0.8, edge: null,
  sentence: { paper: "12345", title: "A <b>trial</b>", date: "2004-05", note: "A summary of ours.", sentence: 2, text: "Aspirin did not help." },
};
const verdict = (source: ClaimVerdict["source"], change: Partial<ClaimVerdict> = {}): ClaimVerdict => ({ source, verdict: "not_enough", probability: null, support: null, fault: "", papers_read: 1, edges_read: 2, evidence: [], ...change });
const RATIONALE = "😀 Aspirin treats headache. Zinc is a metal.";
const FIRST: Claim = {
  number: 1, text: "Aspirin treats headache.", start: 2, end: 26,
  mentions: [{ start: 0, end: 7, text: "Aspirin", identifier: "DRUGBANK:DB00945", name: "Aspirin", type: "Drug", method: "exact", score: 1, alternatives: [] }],
  context: { papers: ["12345"], edges: [4, 5], edges_between: 1 },
  verdicts: [verdict("graph", { verdict: "supported", evidence: [EDGE] }), verdict("literature", { verdict: "contradicted", evidence: [SENTENCE] }), verdict("both", { evidence: [EDGE, SENTENCE] })],
};
const SECOND: Claim = { number: 2, text: "Zinc is an element.", start: null, end: null, mentions: [], context: { papers: [], edges: [], edges_between: 0 }, verdicts: [verdict("graph"), verdict("literature"), verdict("both", { fault: "truncated" })] };
const counts = (supported: number, claims = 2) => ({ supported, contradicted: 0, claims, share: claims ? supported / claims : null });
const GROUNDING: Grounding = {
  id: "g1", batch: "b1", line: 1, state: "ended", error: null, hypothesis: "Aspirin helps against pain.", rationale: RATIONALE, claims: [FIRST, SECOND],
  groundedness: { graph: counts(1), literature: counts(0), both: counts(0) },
  graph: "demo", graph_name: "Demo graph", snapshot: "abc", literature: { name: "Demo papers", slug: "demo-papers", digest: "" }, cutoff: 2010,
  verifier: "plain", verifier_version: "1", model: "", model_size: "", is_public: false, is_own: true, is_withheld: false, job: null, bibtex: "@misc{x}",
  created_at: "2026-11-01T10:00:00Z", ended_at: "2026-11-01T10:00:05Z",
};

const open = (address = "/groundings/g1") => renderRoute([{ path: "/groundings/:id", Component: GroundingPage }, { path: "/groundings", Component: GroundingsPage }], address);

function serve(grounding: Grounding) {
  return mockServer(({ method, path, json }) => {
    if (path === "/api/v1/groundings/quota") return jsonResponse({ used: 1, limit: 100, next_at: "2026-11-02T00:00:00Z", longest_hypothesis: 2000, longest_rationale: 20_000, most_claims: 200, most_rows: 1000 });
    if (path === "/api/v1/groundings" && method === "POST") return jsonResponse(grounding, 202);
    if (path === "/api/v1/groundings") return jsonResponse({ next: null, results: [grounding] });
    if (path === "/api/v1/groundings/g1") return method === "PATCH" ? jsonResponse({ ...grounding, ...(json as object) }) : jsonResponse(grounding);
    if (path === "/api/v1/groundings/g1/agreement") return jsonResponse([{ source: "both", verdicts: 0, rationales: 0, agreement: null, kappa: null, reason: "No expert has judged such claims yet.", simulated: 0, groups: [] }]);
    if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
    if (path === "/api/v1/literature") return jsonResponse({ results: [{ slug: "demo-papers", name: "Demo papers", papers: 300 }] });
    if (path === "/api/v1/endpoints") return jsonResponse({ results: [] });
    return undefined;
  });
}

/** The keys of all writes from now on. */
function recordKeys() {
  const keys: (string | null)[] = [];
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    if (init.method === "POST") keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return send(path, init);
  });
  return keys;
}

describe("the text of a rationale", () => {
  it("is divided by characters, whatever their width", () => {
    const segments = segmentText(RATIONALE, [FIRST, SECOND]);
    expect(segments.map(({ text, claim }) => [text, claim?.number])).toEqual([["😀 ", undefined], ["Aspirin treats headache.", 1], [" Zinc is a metal.", undefined]]);
    expect(unplacedClaims(segments, [FIRST, SECOND])).toEqual([SECOND]);
  });

  it("is shown once where claims overlap", () => {
    const inside = { ...FIRST, number: 3, start: 4, end: 9 };
    const later = { ...FIRST, number: 4, start: 20, end: 30 };
    const segments = segmentText(RATIONALE, [inside, later, FIRST]);
    expect(segments.map(({ text }) => text).join("")).toBe(RATIONALE);
    expect(segments.map(({ others }) => others.map(({ number }) => number))).toEqual([[], [3], [], []]);
    expect(unplacedClaims(segments, [inside, later, FIRST])).toEqual([]);
  });

  it("has a claim inside another one beside that one, whatever overlaps both", () => {
    const later = { ...FIRST, number: 3, start: 20, end: 30 };
    const inside = { ...FIRST, number: 4, start: 22, end: 25 };
    const segments = segmentText(RATIONALE, [FIRST, later, inside]);
    expect(segments.map(({ claim, others }) => [claim?.number, others.map(({ number }) => number)])).toEqual([
      [undefined, []],
      [1, [4]],
      [3, []],
      [undefined, []],
    ]);
  });
});

describe("a grounding", () => {
  it("marks claims with their verdict in words, and shows what it rests on", async () => {
    serve(GROUNDING);
    open();
    const text = await screen.findByRole("region", { name: "Rationale" });
    expect(within(text).getByRole("link", { name: /Aspirin treats headache. 1 not enough evidence/ })).toHaveAttribute("aria-current", "true");
    const details = screen.getByRole("region", { name: "Claim 1" });
    expect(within(details).getByRole("region", { name: "For the claim" })).toHaveTextContent("Aspirin treats HeadacheEdge of the graph, first seen 2001");
    const against = within(details).getByRole("region", { name: "Against the claim" });
    expect(against).toHaveTextContent("A <b>trial</b>, 2004-05, PMID 12345");
    expect(against).toHaveTextContent("A summary of ours.");
    expect(within(details).getByRole("region", { name: "Linked entities" })).toHaveTextContent("‘Aspirin’ is Aspirin (Drug), by its name");
    expect(screen.getByText("plain verifier, version 1: it compares English words and edges; claims in other languages stay open")).toBeVisible();
    expect(screen.getByText("50%, 1 of 2")).toBeVisible();
    const experts = await screen.findByText("No expert has judged such claims yet.");
    expect(screen.getByRole("region", { name: "Agreement with experts" })).toContainElement(experts);
  });

  it("marks two claims of the same words, both in the text", async () => {
    const second = { ...FIRST, number: 2, text: "Aspirin is a drug.", verdicts: [verdict("both", { verdict: "supported" })] };
    serve({ ...GROUNDING, claims: [FIRST, second] });
    open();
    const text = await screen.findByRole("region", { name: "Rationale" });
    expect(text).toHaveTextContent("Aspirin treats headache. 1 not enough evidence 2 supported Zinc is a metal.");
    expect(screen.queryByText("Claims that are not in the text word for word")).not.toBeInTheDocument();
    await userEvent.click(within(text).getByRole("link", { name: "2 supported" }));
    expect(await screen.findByRole("region", { name: "Claim 2" })).toHaveTextContent("Aspirin is a drug.");
  });

  it("shows the verdicts of one source, and goes through the claims by keyboard", async () => {
    serve(GROUNDING);
    open("/groundings/g1?source=graph");
    expect(await screen.findByRole("link", { name: /1 supported/ })).toBeVisible();
    screen.getByRole("button", { name: "Next claim" }).focus();
    await userEvent.keyboard("{Enter}");
    const details = await screen.findByRole("region", { name: "Claim 2" });
    expect(within(details).getByText("The model's answer was cut off.")).toBeVisible();
    expect(within(details).getByText("No entity of the graph was recognised in this claim.")).toBeVisible();
    expect(screen.getByText("Claims that are not in the text word for word")).toBeVisible();
    screen.getByRole("link", { name: /Aspirin treats headache/ }).focus();
    await userEvent.keyboard("{Enter}");
    expect(await screen.findByRole("region", { name: "Claim 1" })).toBeVisible();
  });

  it("is published by its owner", async () => {
    const requests = serve(GROUNDING);
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Make it public" }));
    expect(await screen.findByText("Everybody who has the address reads this page.")).toBeVisible();
    expect(requests.find(({ method }) => method === "PATCH")?.json).toEqual({ is_public: true });
  });

  it("says that groundedness without claims is undefined", async () => {
    const none = counts(0, 0);
    serve({ ...GROUNDING, claims: [], groundedness: { graph: none, literature: none, both: none } });
    open();
    expect(await screen.findByText("This text states no claims, so its groundedness is undefined.")).toBeVisible();
    expect(screen.queryByText("Undefined: no claims")).toBeNull();
    expect(screen.queryByRole("radiogroup", { name: "Verdicts from" })).toBeNull();
    expect(screen.queryByRole("region", { name: "Agreement with experts" })).toBeNull();
  });

  it("says why it failed", async () => {
    serve({ ...GROUNDING, state: "failed", claims: [], groundedness: {}, error: { code: "USER_X", detail: "The papers were deleted.", errors: [] } });
    open();
    expect(await screen.findByRole("alert")).toHaveTextContent("The papers were deleted.");
  });
});

describe("on a phone", () => {
  beforeEach(() => setWindowWidth(390));

  it("brings the details of a claim that is chosen in the text, and the reader back", async () => {
    const shown: string[] = [];
    Element.prototype.scrollIntoView = function (this: Element) {
      shown.push(this.textContent ?? "");
    };
    serve(GROUNDING);
    open();
    await userEvent.click(await screen.findByRole("link", { name: /Zinc is an element/ }));
    const heading = await screen.findByRole("heading", { name: "Claim 2 of 2" });
    await waitFor(() => expect(heading).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Back to the text" }));
    expect(screen.getByRole("link", { name: /Zinc is an element/ })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(heading).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Next claim" }).previousElementSibling ?? heading);
    expect(await screen.findByRole("heading", { name: "Claim 1 of 2" })).not.toHaveFocus();
    expect(shown).toEqual(["Claim 2 of 2", expect.stringContaining("Zinc is an element."), "Claim 2 of 2"]);
    Reflect.deleteProperty(Element.prototype, "scrollIntoView");
  });
});

describe("the address of a private grounding", () => {
  it("offers a visitor to sign in", async () => {
    mockServer(({ path }) => (path === "/api/v1/me" ? jsonResponse({ user: null }) : undefined));
    open();
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/sign-in?next=%2Fgroundings%2Fg1");
  });

  it("is for its owner alone, which is said when it is copied", async () => {
    serve(GROUNDING);
    const user = userEvent.setup();
    open();
    await user.click(await screen.findByRole("button", { name: "Copy link" }));
    expect(await screen.findByText("Link copied. Only you can open it.")).toBeVisible();
  });
});

describe("states of the pages", () => {
  const QUOTA = { used: 1, limit: 100, next_at: "", longest_hypothesis: 2000, longest_rationale: 20_000, most_claims: 200, most_rows: 1000 };
  const PRICED = { id: "e1", name: "Priced", model: "m", price_in: "1.0", price_out: "2.0" };

  function serveList(list: (path: string) => Response, endpoints: object[] = []) {
    return mockServer(({ method, path }) => {
      if (path.endsWith("/quota")) return jsonResponse(QUOTA);
      if (path === "/api/v1/groundings/files") return jsonResponse({ job: "j1", groundings: ["g1", "g2", "g3"] }, 202);
      if (path.startsWith("/api/v1/jobs/j1")) return jsonResponse(makeJob({ state: "succeeded", percent: 100, result: { groundings: 3, ended: 1, failed: 2, reasons: [{ detail: "No claims.", count: 2 }] } }));
      if (path.startsWith("/api/v1/groundings") && method === "GET") return list(path);
      if (path === "/api/v1/groundings/g1/agreement") return jsonResponse([{ source: "both", verdicts: 0, rationales: 0, agreement: null, kappa: null, reason: "No expert has judged such claims yet.", simulated: 0, groups: [] }]);
    if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
      if (path === "/api/v1/endpoints") return jsonResponse({ results: endpoints });
      return jsonResponse({ results: [] });
    });
  }

  it("says that there are no groundings yet", async () => {
    serveList(() => jsonResponse({ next: null, results: [] }));
    open("/groundings");
    expect(await screen.findByText("None yet. What you ground above stays here.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show more groundings" })).toBeNull();
  });

  it("says that the list could not be read, and leaves the form usable", async () => {
    serveList(() => problemResponse(422, "broken", "The list cannot be read now."));
    open("/groundings");
    expect(await screen.findByText("The list cannot be read now.")).toBeVisible();
    expect(screen.getByLabelText("Rationale")).toBeEnabled();
  });

  it("shows further groundings on request", async () => {
    serveList((path) => path.includes("cursor=")
      ? jsonResponse({ next: null, results: [{ ...GROUNDING, id: "g2", hypothesis: "An early one." }] })
      : jsonResponse({ next: "http://proxy/api/v1/groundings?cursor=abc", results: [GROUNDING] }));
    open("/groundings");
    await userEvent.click(await screen.findByRole("button", { name: "Show more groundings" }));
    expect(await screen.findByRole("link", { name: "An early one." })).toBeVisible();
    expect(screen.getByRole("link", { name: GROUNDING.hypothesis })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show more groundings" })).toBeNull();
  });

  it("says how many rationales of a file failed, and why", async () => {
    serveList(() => jsonResponse({ next: null, results: [] }));
    open("/groundings");
    await userEvent.click(await screen.findByRole("radio", { name: "A file" }));
    await screen.findByRole("button", { name: "Ground this file" });
    const picker = document.querySelector<HTMLInputElement>("input[type=file]");
    await userEvent.upload(picker ?? document.body, new File(["{}"], "rows.jsonl"));
    await userEvent.click(screen.getByRole("button", { name: "Ground this file" }));
    expect(await screen.findByText(/2 of 3 rationales of the file failed/)).toBeVisible();
    expect(screen.getByText("No claims.")).toBeVisible();
    expect(screen.queryByText(/of the file have their verdicts/)).toBeNull();
  });

  it("says who can import a graph where there is none", async () => {
    mockServer(({ path }) => {
      if (path === "/api/v1/me") return jsonResponse({ user: makeUser() });
      return jsonResponse(path.endsWith("/quota") ? QUOTA : { next: null, results: [] });
    });
    open("/groundings");
    expect(await screen.findByText(/Request one from a coordinator or an administrator/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Import a graph" })).toBeNull();
  });

  it("leaves a text that is too long as it is, and does not send it", async () => {
    serveList(() => jsonResponse({ next: null, results: [] }));
    open("/groundings");
    const field = await screen.findByLabelText("Rationale");
    const text = "😀".repeat(20_001);
    await userEvent.click(field);
    await userEvent.paste(text);
    expect(field).toHaveValue(text);
    expect(screen.getByText("20,001 of at most 20,000 characters.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Ground this rationale" })).toBeDisabled();
  });

  it("leaves what was typed while another form is shown", async () => {
    serveList(() => jsonResponse({ next: null, results: [] }));
    open("/groundings");
    await userEvent.type(await screen.findByLabelText("Rationale"), "Aspirin.");
    await userEvent.click(screen.getByRole("radio", { name: "A file" }));
    expect(await screen.findByRole("button", { name: "Ground this file" })).toBeVisible();
    expect(screen.getByLabelText("Rationale")).not.toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: "One rationale" }));
    expect(screen.getByLabelText("Rationale")).toBeVisible();
    expect(screen.getByLabelText("Rationale")).toHaveValue("Aspirin.");
  });

  it("names the fault of a cut-off once, in its field", async () => {
    const message = "A cut-off is a year here. Write it with four digits.";
    mockServer(({ method, path }) => {
      if (method === "POST") return problemResponse(422, "cutoff", message, [{ place: "cutoff", message, code: "cutoff" }]);
      if (path.endsWith("/quota")) return jsonResponse(QUOTA);
      if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
      return jsonResponse({ next: null, results: [] });
    });
    open("/groundings");
    await userEvent.type(await screen.findByLabelText("Rationale"), "Aspirin.");
    const cutoff = screen.getByLabelText("Cut-off");
    await userEvent.type(cutoff, "0");
    expect(screen.getByText("Enter a whole number of 1 or more, or leave this empty.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Ground this rationale" })).toBeDisabled();
    await userEvent.clear(cutoff);
    await userEvent.type(cutoff, "99999999");
    await userEvent.click(screen.getByRole("button", { name: "Ground this rationale" }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("takes no priced endpoint without a budget", async () => {
    serveList(() => jsonResponse({ next: null, results: [] }), [PRICED]);
    open("/groundings");
    await userEvent.type(await screen.findByLabelText("Rationale"), "Aspirin treats headache.");
    await userEvent.selectOptions(screen.getByLabelText("Verifier"), await screen.findByRole("option", { name: "Priced: m" }));
    const send = screen.getByRole("button", { name: "Ground this rationale" });
    expect(send).toBeDisabled();
    const budget = screen.getByLabelText("Budget in US dollars");
    await userEvent.type(budget, "0");
    expect(send).toBeDisabled();
    await userEvent.type(budget, ".50");
    expect(send).toBeEnabled();
  });

  it("lets a rationale and a hypothesis in a right-to-left language take their own direction", async () => {
    const text = "האספירין מעכב COX-1.";
    serve({ ...GROUNDING, hypothesis: text, rationale: text, claims: [{ ...FIRST, text, start: 0, end: text.length }] });
    open();
    const rationale = await screen.findByRole("region", { name: "Rationale" });
    expect(within(rationale).getByText(text).tagName).toBe("BDI");
    expect(within(rationale).getByText(text).closest("p")).toHaveAttribute("dir", "auto");
    expect(screen.getAllByText(text).map((one) => one.tagName)).toEqual(["BDI", "BDI", "BDI"]);
  });

  it("isolates names and mentions that would turn round what follows", async () => {
    const turned = "\u202eAspirin";
    const mentions = FIRST.mentions.map((one) => ({ ...one, text: turned, name: turned, type: turned }));
    serve({ ...GROUNDING, graph_name: turned, claims: [{ ...FIRST, mentions }] });
    open();
    const linked = await screen.findByRole("region", { name: "Linked entities" });
    expect(within(linked).getAllByText(turned).map((one) => one.tagName)).toEqual(["BDI", "BDI", "BDI"]);
    expect(screen.getAllByText(turned).every((one) => one.tagName === "BDI")).toBe(true);
  });

  it("says that claims are withheld from an owner who may no longer read the sources", async () => {
    serve({ ...GROUNDING, claims: [], is_withheld: true });
    open();
    expect(await screen.findByText(/You may no longer read the graph or the papers/)).toBeVisible();
    expect(screen.getByText(RATIONALE)).toHaveAttribute("dir", "auto");
    expect(screen.queryByRole("link", { name: "Evidence as CSV" })).toBeNull();
    expect(screen.getByRole("button", { name: "Make it public" })).toBeEnabled();
  });
});

describe("a new grounding", () => {
  it("is sent with graph, papers and cut-off, and opens", async () => {
    const requests = serve(GROUNDING);
    open("/groundings");
    await userEvent.type(await screen.findByLabelText("Rationale"), "Aspirin treats headache.");
    await userEvent.type(screen.getByLabelText("Cut-off"), "2010");
    await userEvent.click(screen.getByRole("button", { name: "Ground this rationale" }));
    expect(await screen.findByRole("heading", { name: "Grounded claims" })).toBeVisible();
    expect(requests.find(({ method }) => method === "POST")?.json).toEqual({
      graph: "demo", hypothesis: "", rationale: "Aspirin treats headache.", literature: "demo-papers", cutoff: 2010, endpoint: null, budget: "0", is_public: false,
    });
  });

  it("shows why the server refuses it, and keeps the text", async () => {
    mockServer(({ method, path }) => {
      if (method === "POST") return problemResponse(422, "too_many_claims", "This rationale has more than 200 claims. Divide it into shorter ones.");
      if (path.endsWith("/quota")) return jsonResponse({ used: 1, limit: 100, next_at: "", longest_hypothesis: 2000, longest_rationale: 20_000, most_claims: 200, most_rows: 1000 });
      if (path === "/api/v1/groundings/g1/agreement") return jsonResponse([{ source: "both", verdicts: 0, rationales: 0, agreement: null, kappa: null, reason: "No expert has judged such claims yet.", simulated: 0, groups: [] }]);
    if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
      return jsonResponse({ results: [] });
    });
    open("/groundings");
    await userEvent.type(await screen.findByLabelText("Rationale"), "Many claims.");
    await userEvent.click(screen.getByRole("button", { name: "Ground this rationale" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("more than 200 claims");
    expect(screen.getByLabelText("Rationale")).toHaveValue("Many claims.");
  });

  it("of a file is one job, and its faults are listed with their lines", async () => {
    const faults = [{ place: "line 2, rationale", message: "This field is missing.", code: "missing_field", expected: "a value" }];
    let isFaulty = true;
    mockServer(({ method, path }) => {
      if (method === "POST" && isFaulty) return problemResponse(422, "invalid_file", "The file has 1 faults. Correct them and send it again.", faults);
      if (method === "POST") return jsonResponse({ job: "j1", groundings: ["g1", "g2"] }, 202);
      if (path.startsWith("/api/v1/jobs/j1")) return jsonResponse(makeJob({ state: "succeeded", percent: 100 }));
      if (path === "/api/v1/groundings/g1") return jsonResponse(GROUNDING);
      if (path.endsWith("/quota")) return jsonResponse({ used: 1, limit: 100, next_at: "", longest_hypothesis: 2000, longest_rationale: 20_000, most_claims: 200, most_rows: 1000 });
      if (path === "/api/v1/groundings/g1/agreement") return jsonResponse([{ source: "both", verdicts: 0, rationales: 0, agreement: null, kappa: null, reason: "No expert has judged such claims yet.", simulated: 0, groups: [] }]);
    if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
      return jsonResponse({ results: [] });
    });
    const keys = recordKeys();
    open("/groundings");
    await userEvent.click(await screen.findByRole("radio", { name: "A file" }));
    await screen.findByRole("button", { name: "Ground this file" });
    const picker = document.querySelector<HTMLInputElement>("input[type=file]");
    await userEvent.upload(picker ?? document.body, new File(["{}"], "rows.jsonl"));
    await userEvent.click(screen.getByRole("button", { name: "Ground this file" }));
    expect(await screen.findByText("line 2, rationale")).toBeVisible();
    isFaulty = false;
    await userEvent.click(screen.getByRole("button", { name: "Ground this file" }));
    expect(await screen.findByText("2 rationales of the file have their verdicts. They are in the list below.")).toBeVisible();
    expect(await screen.findByRole("link", { name: "All rationales of the file and their groundedness" })).toHaveAttribute("href", "/grounding-batches/b1");
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });
});

describe("proposed hypotheses", () => {
  const FREE = { id: "e1", name: "Free", model: "m", price_in: "0", price_out: "0" };
  const PROPOSAL = {
    id: "p1", state: "queued", error: null, model: "m", model_size: "8-billion-parameter model", backgrounds: 2, count: 5, least_gap: 30, selection: { pairs: 0, hypotheses: 0, undefined: 0, ungraded: 0, close: 0, unanswered: {} }, results: [], job: null, budget: { amount: "0.500000", spent: "0.400000" },
  };
  const QUOTA = { used: 1, limit: 100, next_at: "", longest_hypothesis: 2000, longest_rationale: 20_000, most_claims: 200, most_rows: 1000 };

  function serveProposal(ended: object) {
    return mockServer(({ method, path }) => {
      if (path.endsWith("/quota")) return jsonResponse(QUOTA);
      if (path === "/api/v1/hypothesis-proposals" && method === "POST") return jsonResponse(PROPOSAL, 202);
      if (path === "/api/v1/hypothesis-proposals/p1/resume") return jsonResponse(PROPOSAL);
      if (path === "/api/v1/hypothesis-proposals/p1") return jsonResponse({ ...PROPOSAL, ...ended });
      if (path === "/api/v1/graphs") return jsonResponse({ results: [{ slug: "demo", name: "Demo graph", versions: [] }] });
      if (path === "/api/v1/endpoints") return jsonResponse({ results: [FREE] });
      if (path === "/api/v1/groundings") return jsonResponse({ next: null, results: [] });
      return jsonResponse({ results: [] });
    });
  }

  async function request() {
    open("/groundings");
    await userEvent.click(await screen.findByRole("radio", { name: "Propose hypotheses" }));
    await userEvent.type(await screen.findByLabelText("Backgrounds"), "Aspirin is known.{Enter}It is old.{Enter}{Enter}Zinc is a metal.");
    const models = screen.getByLabelText("Model that proposes");
    await userEvent.selectOptions(models, await within(models).findByRole("option", { name: "Free: m" }));
    await userEvent.click(screen.getByRole("button", { name: "Propose hypotheses" }));
  }

  it("are requested for each background, and their pairs can be downloaded", async () => {
    const requests = serveProposal({ state: "ended", selection: { ...PROPOSAL.selection, pairs: 2, hypotheses: 10 } });
    const keys = recordKeys();
    await request();
    expect(await screen.findByRole("link", { name: "Pairs for a study" })).toHaveAttribute("href", "/api/v1/hypothesis-proposals/p1/pairs.json");
    expect(screen.getByText(/10 hypotheses, 2 pairs/)).toBeVisible();
    expect(screen.getByText(/an? 8-billion-parameter model/)).toBeVisible();
    expect(keys).toHaveLength(1);
    expect(requests.find(({ method }) => method === "POST")?.json).toEqual({
      backgrounds: [{ question: "", background: "Aspirin is known.\nIt is old." }, { question: "", background: "Zinc is a metal." }],
      endpoint: "e1", verifier: null, graph: "demo", literature: null, cutoff: null, budget: "0.000000",
      count: 5, seed: 0, least_gap: 30,
    });
  });

  it("say why they failed", async () => {
    serveProposal({ state: "failed", error: { code: "USER_BUDGET_EXHAUSTED", detail: "Raise the budget.", errors: [] } });
    await request();
    expect(await screen.findByText("Raise the budget.")).toBeVisible();
    expect(screen.queryByRole("link", { name: "Pairs for a study" })).toBeNull();
  });

  it("go on with another budget after a failure", async () => {
    const requests = serveProposal({ state: "failed", error: { code: "USER_BUDGET_EXHAUSTED", detail: "Raise the budget.", errors: [] } });
    await request();
    const budget = await screen.findByLabelText("Budget in US dollars, with what is spent");
    expect(budget).toHaveValue("0.500000");
    expect(document.querySelector("form form")).toBeNull();
    await userEvent.clear(budget);
    await userEvent.type(budget, "2");
    await userEvent.click(screen.getByRole("button", { name: "Resume" }));
    expect(await screen.findByText(/^The model proposes, then/)).toBeVisible();
    expect(requests.find(({ path }) => path === "/api/v1/hypothesis-proposals/p1/resume")?.json).toEqual({ budget: "2" });
  });
});
