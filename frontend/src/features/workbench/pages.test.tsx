import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, reply, serve, visit, type Asked } from "@/test/visit";
import { QuestionSetsPage } from "./QuestionSetsPage";
import { RnsPage } from "./RnsPage";
import { anRns, aRow, aSet } from "./samples";

afterEach(() => vi.unstubAllGlobals());

const openSets = (path = "/workbench") => visit([{ path: "workbench", Component: QuestionSetsPage }], path);

describe("the question sets", () => {
  it("list the questions of the only one, with what is kept of them, part by part", async () => {
    serve(({ path }) => {
      if (path.endsWith("/question-sets")) return reply({ results: [aSet()] });
      if (path.includes("cursor")) return reply({ next: null, previous: null, results: [aRow(2)] });
      return reply({ next: "http://elsewhere/api/v1/question-sets/s1/questions?cursor=2", previous: null, results: [aRow(1)] });
    });
    openSets();
    expect(await screen.findByRole("link", { name: "Question number 1" })).toHaveAttribute("href", "/workbench/q1");
    expect(screen.getByText(/^60 questions. Looked up in Demo graph, version 2. Partitions: 4 by the models and 60 by RNS./)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show more of 60" }));
    expect(await screen.findByRole("link", { name: "Question number 2" })).toBeInTheDocument();
  });

  it("say what will be here while there is none", async () => {
    serve(() => reply({ results: [] }));
    openSets();
    expect(await screen.findByText(/Question sets will be listed here once/)).toBeInTheDocument();
  });

  it("say that nothing can be scored where no graph knows the names", async () => {
    serve(() => reply({ results: [aSet({ graphs: [], public: false })] }));
    openSets();
    expect(await screen.findByText(/were not looked up in any graph/)).toBeInTheDocument();
    expect(screen.getByText("not public")).toBeInTheDocument();
  });

  it("that cannot be read are tried again on request", async () => {
    let fails = true;
    serve(({ path }) => {
      if (fails) return problem(503, "busy", "The server has too much to do.");
      return path.endsWith("/question-sets") ? reply({ results: [aSet()] }) : reply({ next: null, previous: null, results: [aRow(1)] });
    });
    openSets();
    await screen.findByText("The server has too much to do.");
    fails = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Question number 1" })).toBeInTheDocument();
  });
});

const ASPIRIN_HIT = { id: "D:1", name: "Aspirin", type: "Drug", degree: 3, matched: { kind: "name", text: "Aspirin", snippet: null } };

function openRns(path: string, answer: (asked: Asked) => globalThis.Response): Asked[] {
  const asked = serve((one) => {
    if (one.path.includes("/entities/")) return reply({ id: "D:1", name: "Aspirin", type: "Drug", relations: [] });
    if (one.path.includes("/rns")) return answer(one);
    if (one.path.includes("/search")) return reply({ snapshot: "abc", results: [ASPIRIN_HIT], facets: [] });
    if (one.path.includes("/graphs/demo")) return reply({ name: "Demo graph", slug: "demo", latest: "abc", versions: [] });
    return undefined;
  });
  visit([{ path: "explore/:slug/rns", Component: RnsPage }], path);
  return asked;
}

const BOTH = "/explore/demo/rns?existing=D:1&serendipity=D:2";

describe("the page for one's own sets", () => {
  it("asks for both sets first, and for nothing before", async () => {
    const asked = openRns("/explore/demo/rns?existing=D:1", () => reply(anRns()));
    expect(await screen.findByText(/Choose at least one entity for each set/)).toBeInTheDocument();
    expect(asked.some(({ path }) => path.includes("/rns"))).toBe(false);
  });

  it("explains each part in a sentence, and asks for the place among random sets second", async () => {
    const percentile = { draws: 200, relevance: 82, novelty: 11, surprise: 20.5, total: 25 };
    const asked = openRns(BOTH, ({ json }) => reply(anRns((json as { percentile?: boolean }).percentile ? { percentile } : {})));
    expect(await screen.findByText(/lie 0.63 apart on average, where 0 is the same place/)).toBeInTheDocument();
    expect(screen.getByText(/The existing set tells 8.0 × 10⁻⁶ bits/)).toBeInTheDocument();
    expect(screen.getByText(/arrive in the whole graph differs by so much/)).toBeInTheDocument();
    expect(await screen.findByText("At the 82nd percentile of 200 random sets of the same sizes and types.")).toBeInTheDocument();
    const sent = asked.filter(({ path }) => path.endsWith("/rns")).map(({ json }) => json as Record<string, unknown>);
    expect(sent.map(({ percentile: wanted, weights }) => [wanted, Boolean(weights)])).toEqual([[undefined, false], [true, true]]);
    expect(screen.getByText(/0.89 \(0.85 to 0.93\); the number of links alone 0.69/)).toBeInTheDocument();
  });

  it("weighs the parts in the page", async () => {
    const asked = openRns(BOTH, () => reply(anRns()));
    await userEvent.click(await screen.findByRole("button", { name: "R: relevance alone" }));
    const before = asked.filter(({ json }) => json && !(json as { percentile?: boolean }).percentile).length;
    expect(screen.getByText("RNS", { selector: "dt" }).parentElement).toHaveTextContent("RNS−0.630");
    await waitFor(() => expect(asked.at(-1)?.json).toMatchObject({ weights: { relevance: 1, novelty: 0, surprise: 0 } }));
    expect(asked.filter(({ json }) => json && !(json as { percentile?: boolean }).percentile)).toHaveLength(before);
  });

  it("takes no entity into both sets, and says why", async () => {
    const asked = openRns("/explore/demo/rns?existing=D:1", () => reply(anRns()));
    await userEvent.type(await screen.findByRole("combobox", { name: "Add a serendipitous entity" }), "aspirin");
    await userEvent.click(await screen.findByRole("option", { name: /Aspirin/ }));
    expect(await screen.findByText("Aspirin is in the other set already.")).toBeInTheDocument();
    expect(asked.some(({ path }) => path.includes("/rns"))).toBe(false);
  });

  it("says what is wrong at the set where it is wrong", async () => {
    const fault = { place: "serendipity", code: "unknown_entity", message: "There is no entity D:2 in this graph.", expected: "" };
    openRns(BOTH, () => problem(422, "invalid", "The sets could not be measured.", [fault]));
    expect(await screen.findByText("The sets could not be measured.")).toBeInTheDocument();
    expect(screen.getByText("There is no entity D:2 in this graph.").closest("section")).toHaveAccessibleName("Serendipity");
  });
});
