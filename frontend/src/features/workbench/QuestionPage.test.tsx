import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { problemResponse, jsonResponse, mockServer, renderRoute } from "@/test/visit";
import type { Workbench } from "./api";
import { makeWorkbench, makeExplanation } from "./fixtures";
import { QuestionPage } from "./QuestionPage";

const PATH = "/workbench/q7";

function open(bench: Workbench | globalThis.Response = makeWorkbench(), path = PATH) {
  const requests = mockServer(({ path: at }) => {
    const url = new URL(at, "http://here");
    if (url.pathname.endsWith("/serendipity-paths")) {
      const names = makeWorkbench().candidates.map(({ name }) => name);
      const named = (which: string) => url.searchParams.getAll(which).map((one) => names[Number(one)] ?? "");
      return jsonResponse(makeExplanation(named("existing"), named("serendipity")[0] ?? ""));
    }
    if (url.pathname.endsWith("/workbench")) return bench instanceof globalThis.Response ? bench.clone() : jsonResponse(bench);
    return undefined;
  });
  const router = renderRoute([{ path: "workbench/:questionId", Component: QuestionPage }], path);
  return { requests, router };
}

const chosen = async () => (await screen.findByText(/^Chosen here/)).textContent;
const slider = () => screen.getByRole("slider", { name: "Weights of relevance, novelty and surprise" });
const row = (name: string) => screen.getByRole("button", { name }).closest("tr") as HTMLElement;

/** The same candidates and winners, with splits that win nowhere. */
function withSplits(count: number): Workbench {
  const bench = makeWorkbench();
  const splits = bench.splits!;
  const grown = (values: number[], more: number) => [...values, ...Array.from({ length: count - values.length }, () => more)];
  const change = {
    relevance: grown(splits.relevance, -0.9), novelty: grown(splits.novelty, 0.5), mutual_information: grown(splits.mutual_information, 0.5),
    surprise: grown(splits.surprise, 0.05), sets: [...splits.sets, ...Array.from({ length: count - 5 }, () => [0])], count,
  };
  return { ...bench, splits: { ...splits, ...change } };
}

/** How many nodes and attributes of the page change while the point goes over the same places. */
async function touchedWhileMoving(bench: Workbench): Promise<number> {
  open(bench);
  await chosen();
  await screen.findAllByText(/^From /);
  let touched = 0;
  const observer = new MutationObserver((records) => (touched += records.length));
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  slider().focus();
  for (let at = 0; at < 20; at += 1) fireEvent.keyDown(slider(), { key: at % 2 ? "ArrowLeft" : "ArrowUp" });
  await Promise.resolve();
  touched += observer.takeRecords().length;
  observer.disconnect();
  return touched;
}

describe("the workbench of a question", () => {
  it("shows each candidate's figures, the partition chosen now, and those of the others", async () => {
    open();
    expect(await chosen()).toBe("Chosen here: Suzetrigine");
    expect(row("Suzetrigine")).toHaveTextContent(/R −0.600 N 1.000 S 0.700.*0.367.*2.0 × 10⁻⁵.*serendipitous.*serendipitous.*existing/);
    expect(row("Ketamine")).toHaveTextContent("no vector: treated as unlike all others");
    expect(screen.getByText(/^5 candidates, serendipity set of 1. Exact: all 5 partitions tried/)).toBeInTheDocument();
    expect(screen.getByText("The methods differ on Suzetrigine and Tapentadol.")).toBeInTheDocument();
    expect(screen.getByText(/^RNS and the experts share 0 of 1 serendipitous candidate; expected by chance: 0.20/)).toBeInTheDocument();
    expect(screen.getByText(/tau-b −0.25/)).toBeInTheDocument();
  });

  it("follows the keys on the point at once, and reads no scores for it", async () => {
    const { requests, router } = open();
    await chosen();
    await screen.findAllByText(/^From /);
    const before = requests.length;
    slider().focus();
    await userEvent.keyboard("{Home}");
    expect(await chosen()).toBe("Chosen here: Tapentadol");
    expect(slider()).toHaveAttribute("aria-valuetext", "relevance 1.00, novelty 0.00, surprise 0.00");
    await userEvent.keyboard("{PageUp}");
    expect(await chosen()).toBe("Chosen here: Suzetrigine");
    await userEvent.keyboard("{End}{Shift>}{ArrowLeft}{/Shift}{ArrowUp}{ArrowUp}");
    expect(slider()).toHaveAttribute("aria-valuetext", "relevance 0.10, novelty 0.88, surprise 0.02");
    await waitFor(() => expect(router.state.location.search).toMatch(/^\?w=0.098/));
    // Only the explanation follows, once the weights have rested.
    expect(requests.slice(before).filter(({ path }) => !path.includes("serendipity-paths"))).toEqual([]);
  });

  it("follows a pointer, which outside the triangle means the nearest place inside", async () => {
    open();
    await chosen();
    const edge = document.querySelector("svg polygon:last-of-type") as SVGElement;
    const picture = edge.closest("svg") as SVGSVGElement;
    vi.spyOn(picture, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 344, 301));
    fireEvent.pointerDown(edge, { clientX: 20, clientY: 288, button: 0, buttons: 1 });
    expect(await chosen()).toBe("Chosen here: Tapentadol");
    fireEvent.pointerMove(edge, { clientX: 172, clientY: -400, buttons: 1 });
    expect(slider()).toHaveAttribute("aria-valuetext", "relevance 0.00, novelty 0.00, surprise 1.00");
    fireEvent.pointerMove(edge, { clientX: 20, clientY: 288, buttons: 0 });
    expect(slider()).toHaveAttribute("aria-valuenow", "100");
    expect(slider()).toHaveFocus();
  });

  it("keeps three numbers on the simplex, and says what is no weight", async () => {
    open();
    await chosen();
    const relevance = screen.getByRole("spinbutton", { name: "Relevance" });
    await userEvent.clear(relevance);
    expect(screen.getByRole("alert")).toHaveTextContent("A number from 0 to 1");
    await userEvent.type(relevance, "0.6");
    expect(screen.getByRole("spinbutton", { name: "Novelty" })).toHaveValue(0.2);
    expect(screen.getByRole("spinbutton", { name: "Surprise" })).toHaveValue(0.2);
    await userEvent.clear(relevance);
    await userEvent.type(relevance, "7");
    expect(relevance).toHaveAttribute("aria-invalid", "true");
    await userEvent.tab();
    expect(relevance).toHaveAttribute("aria-invalid", "false");
  });

  it("starts from presets, calibrated where there is one, and says how far that is to be trusted", async () => {
    const weights = { relevance: 0.9, novelty: 0, surprise: 0.1 };
    const calibration: Workbench["calibration"] = {
      weights, learned: true, n: 40, folds: 5, chance: 0.2, equal: 0.41, agreement: { value: 0.55, low: 0.4, high: 0.7 },
      parts: (["relevance", "novelty", "surprise"] as const).map((part) => ({
        part, fitted: 0.3, low: 0, high: 1, spread: 0.1, influence: 0.1, p: 0.5, is_significant: part !== "novelty",
      })),
    };
    open(makeWorkbench({ calibration, presets: [...makeWorkbench().presets, { name: "calibrated", weights }] }));
    expect(await chosen()).toBe("Chosen here: Tapentadol");
    expect(screen.getByRole("button", { name: "Calibrated" })).toHaveAttribute("aria-pressed", "true");
    expect(screen.getByText(/in 40 questions. On held-out questions they find 55%/)).toHaveTextContent("(95% interval 40 to 70%); by chance 20%, with equal weights 41%.");
    expect(screen.getByText(/weight of novelty does not differ from noise/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Surprise only" }));
    expect(await chosen()).toBe("Chosen here: Suzetrigine");
  });

  it("says in words who is chosen on which share of the map", async () => {
    open();
    await chosen();
    const shares = within(screen.getByRole("region", { name: "Weights" })).getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(shares.slice(0, 2).join(" ")).toMatch(/^1Suzetrigine\d+% 2Tapentadol\d+%$/);
  });

  it("is what the address says, and says that it is approximate where not all was tried", async () => {
    const splits = { ...makeWorkbench().splits!, exact: false, count: 53_130 };
    open(makeWorkbench({ splits, size: 2 }), `${PATH}?w=1,0,0&c=3`);
    expect(await chosen()).toBe("Chosen here: Tapentadol");
    expect(screen.getByRole("heading", { name: "Why Oxycodone" })).toBeInTheDocument();
    expect(screen.getByText(/Approximate: of 53,130 partitions, 5 that win somewhere on a grid of weights/)).toBeInTheDocument();
    expect(screen.getByText(/share of the triangle, approximate/)).toBeInTheDocument();
  });

  it("says that splits tie, and that the first is taken", async () => {
    const splits = { ...makeWorkbench().splits!, relevance: [0, 0, 0, 0, 0], novelty: [1, 1, 1, 1, 1], surprise: [0, 0, 0, 0, 0] };
    open(makeWorkbench({ splits }));
    expect(await chosen()).toBe("Chosen here: Suzetrigine, the first by identifier of 5 that score the same");
  });

  it("reads the paths of the candidate that is looked at, from each other one", async () => {
    const { requests, router } = open();
    await chosen();
    const through = await screen.findByRole("region", { name: "Through a disease" });
    expect(within(through).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Tapentadol (Drug) treats Pain (Disease) is treated by Suzetrigine (Drug)The same from Ibuprofen, Oxycodone and Ketamine.",
    ]);
    expect(screen.getByRole("link", { name: "From Tapentadol" }).closest("li")).toHaveTextContent("From Tapentadol 12");
    expect(screen.getAllByRole("link", { name: "Pain" })[0]).toHaveAttribute("href", "/explore/demo/e/X:1?snapshot=abc");
    await userEvent.click(screen.getByRole("button", { name: "Ketamine" }));
    expect(await screen.findByRole("heading", { name: "Why Ketamine" })).toBeInTheDocument();
    expect(router.state.location.search).toContain("c=4");
    await waitFor(() => expect(requests.at(-1)?.path).toContain("existing=0&existing=1&existing=2&existing=3&serendipity=4"));
  });

  it("asks for other options anew, keeps what is shown meanwhile, and carries them to the next question", async () => {
    const { requests, router } = open();
    await chosen();
    await userEvent.click(screen.getByText("How it is computed"));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "How links are walked" }), "out");
    await waitFor(() => expect(requests.some(({ path }) => /\/workbench\?graph=demo&snapshot=abc&direction=out/.test(path))).toBe(true));
    expect(router.state.location.search).toContain("direction=out");
    expect(screen.getByRole("link", { name: "Next question" })).toHaveAttribute("href", expect.stringMatching(/^\/workbench\/q8\?.*direction=out/));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "How links are walked" }), "both");
    expect(router.state.location.search).not.toContain("direction");
  });

  it("names in the address all that a colleague needs to see the same; the explanation follows the chosen candidate", async () => {
    const { requests, router } = open();
    await chosen();
    await screen.findAllByText(/^From /);
    const before = requests.length;
    slider().focus();
    await userEvent.keyboard("{Home}");
    await waitFor(() => expect(router.state.location.search).toBe("?w=1%2C0%2C0&graph=demo&snapshot=abc"));
    expect(await screen.findByRole("heading", { name: "Why Tapentadol" })).toBeInTheDocument();
    expect(requests.slice(before).every(({ path }) => path.includes("serendipity-paths"))).toBe(true);
  });

  it("explains what the weights choose after a drag, although another candidate was named before", async () => {
    const { router } = open(makeWorkbench(), `${PATH}?w=1,0,0&c=3`);
    await chosen();
    slider().focus();
    await userEvent.keyboard("{PageUp}");
    expect(await screen.findByRole("heading", { name: "Why Suzetrigine" })).toBeInTheDocument();
    expect(router.state.location.search).not.toContain("c=3");
  });

  it("orders the candidates as the reader wants, and the address carries it", async () => {
    const { router } = open();
    await chosen();
    const names = () => screen.getAllByRole("rowheader").map((one) => within(one).getByRole("button").textContent);
    expect(names()[0]).toBe("Suzetrigine");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Order of the candidates" }), "Relevance, highest first");
    expect(names()).toEqual(["Tapentadol", "Oxycodone", "Ibuprofen", "Ketamine", "Suzetrigine"]);
    expect(router.state.location.search).toContain("by=relevance");
  });

  it("marks the part of the bars that is the same for all", async () => {
    open();
    await chosen();
    expect(screen.getByText(/the same for all: it changes no order/)).toHaveTextContent("novelty");
  });

  it("says that the explained candidate is not chosen any more, and offers the one that is", async () => {
    const { router } = open(makeWorkbench(), `${PATH}?w=1,0,0&c=3`);
    expect(await chosen()).toBe("Chosen here: Tapentadol");
    expect(screen.getByText(/At these weights, Oxycodone is not in the serendipity set/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Show why Tapentadol" }));
    expect(await screen.findByRole("heading", { name: "Why Tapentadol" })).toBeInTheDocument();
    expect(screen.queryByText(/is not in the serendipity set/)).not.toBeInTheDocument();
    expect(router.state.location.search).toContain("c=1");
  });

  it("hands on a link to just this, before anything was touched", async () => {
    const user = userEvent.setup();
    open();
    await chosen();
    await user.click(screen.getByRole("button", { name: "Copy link" }));
    expect(await screen.findByText("Link copied")).toBeInTheDocument();
    const link = new URL(await navigator.clipboard.readText());
    expect(Object.fromEntries(link.searchParams)).toEqual({ w: "0.333333,0.333333,0.333333", graph: "demo", snapshot: "abc" });
  });

  it("hands on the candidates as a table with every parameter, as weighed now", async () => {
    const saved: Blob[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (file: Blob) => { saved.push(file); return "blob:1"; }, revokeObjectURL: () => undefined }));
    const user = userEvent.setup();
    open(makeWorkbench(), `${PATH}?w=1,0,0`);
    await chosen();
    await user.click(screen.getByRole("button", { name: "Export" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Candidates \(CSV\)/ }));
    const [heads = [], ...rows] = (await saved[0]!.text()).trimEnd().split("\r\n").map((line) => line.split(","));
    const cell = (at: number, head: string) => rows[at]?.[heads.indexOf(head)];
    expect(rows).toHaveLength(5);
    expect([cell(1, "candidate"), cell(1, "relevance"), cell(1, "RNS"), cell(1, "by RNS"), cell(1, "by experts")]).toEqual(["Tapentadol", "-0.2", "-0.2", "serendipitous", "serendipitous"]);
    expect([cell(0, "snapshot"), cell(0, "weight of relevance"), cell(0, "search"), cell(0, "option damping"), cell(0, "option support")]).toEqual(["abc", "1", "exact", "0.85", "all"]);
  });

  it("touches as little of the page under a moving hand with 5,000 splits as with five", async () => {
    const few = await touchedWhileMoving(makeWorkbench());
    cleanup();
    const many = await touchedWhileMoving(withSplits(5000));
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few);
  });

  it("leaves out a candidate that is not in the graph, and says so", async () => {
    const bench = makeWorkbench({ left_out: [4] });
    const candidates = bench.candidates.map((one) => (one.position === 4 ? { ...one, entity: null, bar: null } : one));
    open({ ...bench, candidates });
    await chosen();
    expect(screen.getByText("Not in this graph: in no partition")).toBeInTheDocument();
    expect(screen.getByText(/^5 candidates, 1 left out/)).toBeInTheDocument();
  });

  it("says what is missing where there is nothing to partition", async () => {
    const candidates = makeWorkbench().candidates.map((one) => ({ ...one, entity: null, bar: null }));
    open(makeWorkbench({ candidates, splits: null, size: null, partitions: [], comparisons: [] }));
    expect(await screen.findByText(/None of the candidates is in Demo graph, and a partition needs two/)).toBeInTheDocument();
    expect(screen.queryByRole("slider")).not.toBeInTheDocument();
  });

  it("says what somebody must compute first, with its command", async () => {
    open(new Response(JSON.stringify({
      status: 409, code: "not_computed", detail: "The vectors of this graph were not computed yet.", errors: [], command: "manage.py embed demo@2",
    }), { status: 409 }), `${PATH}?method=gcn`);
    expect(await screen.findByText("The vectors of this graph were not computed yet.")).toBeInTheDocument();
    expect(screen.getByText("manage.py embed demo@2")).toBeInTheDocument();
    expect(screen.getByRole("combobox", { name: "Relevance comes from" })).toHaveValue("gcn");
  });

  it("tells a question that is not there from one that could not be read", async () => {
    open(problemResponse(404, "not_found", "There is nothing here, or it is not yours to see."));
    expect(await screen.findByRole("heading", { name: "Question not found" })).toBeInTheDocument();
  });
});
