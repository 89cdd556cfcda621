import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { makeJob } from "@/domains/jobs/fixtures";
import { stubSockets } from "@/test/fakeSocket";
import { jsonResponse, makeUser, problemResponse, type RecordedRequest } from "@/test/visit";
import type { MetapathTest, TestedMetapath } from "./api";
import { makePaths, renderExplorer, serveGraph, SNAPSHOT } from "./testing";

beforeEach(stubSockets);

const SHARED: TestedMetapath = {
  metapath: "Drug/>treats/Disease/<treats/Drug", phrase: "Drug treats Disease, which is treated by Drug", paths: 3,
  observed: 0.1234, mean: 0.02, deviation: 0.01, z_score: 10.34, draws: 200, as_high: 0, p_value: 1 / 201, p_adjusted: 4 / 201, exchanged: 0.4,
};
const DIRECT: TestedMetapath = { ...SHARED, metapath: "Drug/>treats/Disease", phrase: "Drug treats Disease", paths: 1, deviation: 0, z_score: null, as_high: 200, p_value: 1, p_adjusted: 1, exchanged: 0 };

function makeTest(change: Partial<MetapathTest> = {}): MetapathTest {
  return {
    snapshot: SNAPSHOT,
    source: { id: "D:1", name: "Aspirin", type: "Drug", degree: 2 },
    target: { id: "X:1", name: "Disease 1", type: "Disease", degree: 1 },
    metapath: "", hops: 2, draws: 200, seed: 0, job: null, result: null,
    ...change,
  };
}

const ADDRESS = "/explore/demo/paths/test?from=D:1&to=X:1";
const job = { id: "j1", state: "queued" as const, percent: 0, error: null };

interface Options {
  address?: string;
  isSignedIn?: boolean;
  start?: () => globalThis.Response;
}

function open(test: () => MetapathTest, { address = ADDRESS, isSignedIn = true, start = () => jsonResponse({}, 500) }: Options = {}): RecordedRequest[] {
  const requests = serveGraph(({ method }, url) => {
    if (url.pathname.endsWith("/metapath-test")) return method === "POST" ? start() : jsonResponse(test());
    if (url.pathname.endsWith("/jobs/j1")) return jsonResponse(makeJob({ id: "j1", state: "queued", jobs_before: 0 }));
    if (url.pathname.endsWith("/me") && isSignedIn) return jsonResponse({ user: makeUser() });
    return undefined;
  });
  renderExplorer(address);
  return requests;
}

describe("the path test", () => {
  it("shows each kind beside the permuted graphs, the smallest p first, and states what p means", async () => {
    open(() => makeTest({ job: { ...job, state: "succeeded" }, result: { metapaths: [DIRECT, SHARED], family: 4, other_paths: 4, is_complete: true } }));
    const table = await screen.findByRole("table", { name: "Kinds of path beside permuted graphs" });
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("through a shared disease Drug treats Disease, which is treated by Drug30.1230.0200 ± 0.010010.340.00500.0199");
    expect(second).toHaveTextContent(/directly.*Hardly any edge could be exchanged.*none1\.00001\.0000$/);
    expect(screen.getByText("1 of 2 kinds of path is more frequent than degrees explain (adjusted p below 0.05).")).toBeInTheDocument();
    expect(screen.getByText("4 paths of rarer kinds were not tested.")).toBeInTheDocument();
    expect(screen.getByText(/200 permuted graphs, seed 0.*at least 0\.0050\. It is adjusted by Holm for the 4 kinds/)).toBeInTheDocument();
    expect(within(table).getByRole("link", { name: "directly" })).toHaveAttribute("href", "/explore/demo/paths?from=D%3A1&to=X%3A1&kind=Drug%2F%3Etreats%2FDisease&hops=2");
  });

  it.each([
    [40, { ...SHARED, p_adjusted: 40 / 201 }, /^Too few permuted graphs for 40 possible kinds of path: no adjusted p is below 0\.1990/],
    [null, { ...SHARED, p_adjusted: null }, /^One kind was chosen, so its p is not adjusted/],
  ])("claims nothing that the draws cannot show, with a family of %s", async (family, row, sentence) => {
    open(() => makeTest({ job: { ...job, state: "succeeded" }, result: { metapaths: [row], family, other_paths: 0, is_complete: true } }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.queryByText(/more frequent than degrees/)).not.toBeInTheDocument();
  });

  it("starts the test, then shows its job", async () => {
    let test = makeTest();
    const requests = open(() => test, { start: () => {
      test = makeTest({ job });
      return jsonResponse(makeJob({ id: "j1", kind: "metapath-test", state: "queued", jobs_before: 0 }), 202);
    } });
    await userEvent.click(await screen.findByRole("button", { name: "Start the test" }));
    expect(await screen.findByText(/Waiting for a worker/)).toBeInTheDocument();
    const sent = requests.find(({ method }) => method === "POST");
    expect(sent?.json).toEqual({ from: "D:1", to: "X:1", metapath: "", hops: 2, draws: 1000, seed: 0 });
  });

  it("offers a visitor to sign in", async () => {
    open(() => makeTest(), { isSignedIn: false });
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", expect.stringContaining("/sign-in?next=%2Fexplore%2Fdemo%2Fpaths%2Ftest"));
    expect(screen.queryByRole("button", { name: "Start the test" })).not.toBeInTheDocument();
  });

  it("states why a test did not start or ended without a result", async () => {
    const failed = { ...job, state: "failed" as const, error: { code: "USER_unknown_graph", detail: "The graph of this job was deleted.", errors: [] } };
    open(() => makeTest({ job: failed }), { start: () => problemResponse(409, "too_many_tests", "You have a test that waits or runs. Cancel it, or wait for its end.") });
    expect(await screen.findByText("The graph of this job was deleted.")).toBeInTheDocument();
    await userEvent.click(await screen.findByRole("button", { name: "Start the test" }));
    expect(await screen.findByText(/You have a test/)).toBeInTheDocument();
  });

  it("reads what it tests from the address, and bounds it", async () => {
    const requests = open(() => makeTest(), { address: `${ADDRESS}&hops=9&draws=100000&seed=7x&kind=Drug%2F%3Etreats%2FDisease` });
    await screen.findByRole("button", { name: "Start the test" });
    const sent = requests.find(({ path }) => path.includes("/metapath-test"));
    expect(new URL(sent?.path ?? "", "http://here").search).toBe("?from=D%3A1&to=X%3A1&metapath=Drug%2F%3Etreats%2FDisease&hops=2&draws=1000&seed=0");
    await userEvent.click(screen.getByRole("button", { name: "Test all kinds" }));
    expect(screen.getByRole("radio", { name: "2 hops" })).toBeChecked();
  });

  it("needs two different entities", async () => {
    const requests = open(() => makeTest(), { address: "/explore/demo/paths/test?from=D:1&to=D:1" });
    expect(await screen.findByText("Both ends are the same entity. Choose another one.")).toBeInTheDocument();
    expect(requests.some(({ path }) => path.includes("/metapath-test"))).toBe(false);
  });

  it("is linked from the paths and from the comparison of two entities", async () => {
    serveGraph((_request, url) => (url.pathname.endsWith("/paths") ? jsonResponse(makePaths("X:1")) : undefined));
    renderExplorer("/explore/demo/paths?from=D:1&to=X:1");
    const href = "/explore/demo/paths/test?from=D%3A1&to=X%3A1";
    expect(await screen.findByRole("link", { name: /with permuted graphs/ })).toHaveAttribute("href", href);
    renderExplorer("/explore/demo/compare?id=D:1&id=X:1");
    expect(await screen.findByRole("link", { name: /between the two with permuted graphs/ })).toHaveAttribute("href", href);
  });
});
