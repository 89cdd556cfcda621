import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { problemResponse, jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { makeRns, makeQuestionRow, makeQuestionSet } from "./fixtures";
import { QuestionSetsPage } from "./QuestionSetsPage";
import { RnsPage } from "./RnsPage";

const openSets = (path = "/workbench") => renderRoute([{ path: "workbench", Component: QuestionSetsPage }], path);

describe("the question sets", () => {
  it("list the questions of the only one, with what is kept of them, part by part", async () => {
    mockServer(({ path }) => {
      if (path.endsWith("/question-sets")) return jsonResponse({ results: [makeQuestionSet()] });
      if (path.includes("cursor")) return jsonResponse({ next: null, previous: null, results: [makeQuestionRow(2)] });
      return jsonResponse({ next: "http://elsewhere/api/v1/question-sets/s1/questions?cursor=2", previous: null, results: [makeQuestionRow(1)] });
    });
    openSets();
    expect(await screen.findByRole("link", { name: "Question number 1" })).toHaveAttribute("href", "/workbench/q1");
    expect(screen.getByText(/^60 questions. Matched in Demo graph, version 2. Partitions: 4 by the models and 60 by RNS./)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show more questions" }));
    expect(await screen.findByRole("link", { name: "Question number 2" })).toBeInTheDocument();
  });

  it("name the batch of each question where numbers begin anew in every batch", async () => {
    const rows = [1, 2].map((batch) => ({ ...makeQuestionRow(1), id: `q${batch}`, text: `Question of file ${batch}`, batch_number: batch }));
    mockServer(({ path }) => jsonResponse({ next: null, previous: null, results: path.endsWith("/question-sets") ? [makeQuestionSet()] : rows }));
    openSets();
    const headers = await screen.findAllByRole("rowheader");
    expect(headers.map((one) => one.textContent)).toEqual(["Batch 1, 1Question of file 1", "Batch 2, 1Question of file 2"].map((text) => `${text}Suzetrigine, for 62% of the weights`));
  });

  it("are searched and ordered at the server, and the address carries both", async () => {
    const requests = mockServer(({ path }) => jsonResponse({ next: null, matching: 1, results: path.endsWith("/question-sets") ? [makeQuestionSet()] : [makeQuestionRow(1)] }));
    const router = openSets("/workbench?order=methods");
    expect(await screen.findByRole("combobox", { name: "Order" })).toHaveValue("methods");
    await userEvent.type(screen.getByRole("searchbox", { name: "Find a question or a candidate" }), "pain");
    await waitFor(() => expect(requests.at(-1)?.path).toMatch(/questions\?text=pain&order=methods$/));
    expect(router.state.location.search).toBe("?order=methods&text=pain");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order" }), "As in the file");
    expect(router.state.location.search).toBe("?text=pain");
  });

  it("say what will be here while there is none", async () => {
    mockServer(() => jsonResponse({ results: [] }));
    openSets();
    expect(await screen.findByText(/No public question set yet/)).toBeInTheDocument();
  });

  it("say that nothing can be scored where no graph knows the names", async () => {
    mockServer(() => jsonResponse({ results: [makeQuestionSet({ graphs: [], public: false })] }));
    openSets();
    expect(await screen.findByText(/are not matched to any graph/)).toBeInTheDocument();
    expect(screen.getByText("not public")).toBeInTheDocument();
  });

  it("that cannot be read are tried again on request", async () => {
    let fails = true;
    mockServer(({ path }) => {
      if (fails) return problemResponse(503, "busy", "The server has too much to do.");
      return path.endsWith("/question-sets") ? jsonResponse({ results: [makeQuestionSet()] }) : jsonResponse({ next: null, previous: null, results: [makeQuestionRow(1)] });
    });
    openSets();
    await screen.findByText("The server has too much to do.");
    fails = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Question number 1" })).toBeInTheDocument();
  });
});

const ASPIRIN_HIT = { id: "D:1", name: "Aspirin", type: "Drug", degree: 3, matched: { kind: "name", text: "Aspirin", snippet: null } };

function openRns(path: string, answer: (request: RecordedRequest) => globalThis.Response, also = "/rns"): RecordedRequest[] {
  const requests = mockServer((one) => {
    if (one.path.includes(also)) return answer(one);
    if (one.path.includes("/entities/")) return jsonResponse({ id: "D:1", name: "Aspirin", type: "Drug", relations: [] });
    if (one.path.includes("/rns")) return answer(one);
    if (one.path.includes("/search")) return jsonResponse({ snapshot: "abc", results: [ASPIRIN_HIT], facets: [] });
    if (one.path.includes("/graphs/demo")) return jsonResponse({ name: "Demo graph", slug: "demo", latest: "abc", versions: [] });
    return undefined;
  });
  renderRoute([{ path: "explore/:slug/rns", Component: RnsPage }], path);
  return requests;
}

const BOTH = "/explore/demo/rns?existing=D:1&serendipity=D:2";

describe("the page for one's own sets", () => {
  it("asks for both sets first, and for nothing before", async () => {
    const requests = openRns("/explore/demo/rns?existing=D:1", () => jsonResponse(makeRns()));
    expect(await screen.findByText(/Choose at least one entity for each set/)).toBeInTheDocument();
    expect(requests.some(({ path }) => path.includes("/rns"))).toBe(false);
  });

  it("offers sets of the graph's own surprises, which one click loads", async () => {
    const uses = [["X:1", "epilepsy"], ["X:2", "obesity"]].map(([id, name]) => ({ id, name, type: "Disease", degree: 1 }));
    const surprises = jsonResponse({ snapshot: "abc", uses: 1, results: [{ drug: { id: "D:1", name: "Aspirin" }, usual: uses[0], distant: uses[1] }] });
    const requests = openRns("/explore/demo/rns", ({ path }) => (path.includes("/surprises") ? surprises : jsonResponse(makeRns())), "/surprises");
    await userEvent.click(await screen.findByRole("link", { name: "epilepsy and obesity" }));
    expect(await screen.findByText(/two sets: 0.63. 0 is identical/)).toBeInTheDocument();
    expect(requests.find(({ path }) => path.endsWith("/rns"))?.json).toMatchObject({ existing: ["X:1"], serendipity: ["X:2"] });
    expect(screen.queryByRole("heading", { name: "Or load an example" })).not.toBeInTheDocument();
  });

  it("explains each part in a sentence, and asks for the place among random sets second", async () => {
    const percentile = { draws: 200, relevance: 82, novelty: 11, surprise: 20.5, total: 25 };
    const requests = openRns(BOTH, ({ json }) => jsonResponse(makeRns((json as { percentile?: boolean }).percentile ? { percentile } : {})));
    expect(await screen.findByText(/two sets: 0.63. 0 is identical/)).toBeInTheDocument();
    expect(screen.getByText(/Mutual information of the two sets: 8.0 × 10⁻⁶ bits/)).toBeInTheDocument();
    expect(screen.getByText(/arrive in the whole graph. 0 is the same places/)).toBeInTheDocument();
    expect(await screen.findByText("Closer to each other than 164 of 200 random sets of the same sizes and types.")).toBeInTheDocument();
    expect(screen.getByText("More than 50 of 200 random sets of the same sizes and types.")).toBeInTheDocument();
    const sent = requests.filter(({ path }) => path.endsWith("/rns")).map(({ json }) => json as Record<string, unknown>);
    expect(sent.map(({ percentile: wanted, weights }) => [wanted, Boolean(weights)])).toEqual([[undefined, false], [true, true]]);
    expect(screen.getByText(/0.89 \(0.85 to 0.93\); the number of links alone 0.69/)).toBeInTheDocument();
    expect(screen.getByText(/mean reciprocal rank 0.210, 40% among the first ten; by the number of links alone mean reciprocal rank 0.060/)).toBeInTheDocument();
  });

  it("weighs the parts in the page", async () => {
    const requests = openRns(BOTH, () => jsonResponse(makeRns()));
    await userEvent.click(await screen.findByRole("button", { name: "Relevance only" }));
    const before = requests.filter(({ json }) => json && !(json as { percentile?: boolean }).percentile).length;
    expect(screen.getByText("RNS", { selector: "dt" }).parentElement).toHaveTextContent("RNS−0.630");
    await waitFor(() => expect(requests.at(-1)?.json).toMatchObject({ weights: { relevance: 1, novelty: 0, surprise: 0 } }));
    expect(requests.filter(({ json }) => json && !(json as { percentile?: boolean }).percentile)).toHaveLength(before);
  });

  it("takes no entity into both sets, and says why", async () => {
    const requests = openRns("/explore/demo/rns?existing=D:1", () => jsonResponse(makeRns()));
    await userEvent.type(await screen.findByRole("combobox", { name: "Add a serendipitous entity" }), "aspirin");
    await userEvent.click(await screen.findByRole("option", { name: /Aspirin/ }));
    expect(await screen.findByText("Aspirin is already in the other set.")).toBeInTheDocument();
    expect(requests.some(({ path }) => path.includes("/rns"))).toBe(false);
  });

  it("says what is wrong at the set where it is wrong", async () => {
    const fault = { place: "serendipity", code: "unknown_entity", message: "There is no entity D:2 in this graph.", expected: "" };
    openRns(BOTH, () => problemResponse(422, "invalid", "The sets could not be measured.", [fault]));
    expect(await screen.findByText("The sets could not be measured.")).toBeInTheDocument();
    expect(screen.getByText("There is no entity D:2 in this graph.").closest("section")).toHaveAccessibleName("Serendipity");
  });

  it("shows an error of a set once, with nothing to try again", async () => {
    const fault = { place: "serendipity", code: "overlapping_sets", message: "D:1 is in both sets.", expected: "" };
    openRns(BOTH, () => problemResponse(422, "overlapping_sets", fault.message, [fault]));
    expect((await screen.findByText(fault.message)).closest("section")).toHaveAccessibleName("Serendipity");
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });
});
