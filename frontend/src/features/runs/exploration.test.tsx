import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { ExplorationPage } from "./ExplorationPage";
import type { Run, Trajectory } from "./queries";

const ASPIRIN = { id: "D:1", name: "aspirin", type: "Drug" };
const ASTHMA = { id: "DOID:1", name: "asthma", type: "Disease" };
const FEVER = { id: "DOID:2", name: "fever", type: "Disease" };
const ZINC = { id: "D:2", name: "zinc", type: "Drug" };
const edge = (source: typeof ASPIRIN, target: typeof ASPIRIN, weight: number | null = 0.5) => ({ source, relation: "treats", phrase: "treats", target, weight, prognosis: -1 });
const LEVEL = { faults: [], relations: [], reason: "It is close.", description: "One disease.", goes_on: true, decision_reason: "There is more.", cost: "0.002000" };
const TRAJECTORY: Trajectory = {
  split: "dev", position: 3, qid: "7", partition: "expert", root: "D:1", root_name: "aspirin", question: "Which drugs treat pain?", level: 2, has_ended: true,
  ending: "model_stopped", leaves: 2, requests: 5, calls: 5, tokens_in: 900, tokens_out: 80, cost: "0.004000", digest: "d", phase: "ended",
  summaries: [{ level: 1, text: "It reached asthma.", fault: "" }],
  levels: [
    {
      ...LEVEL, level: 1, frontier: [ASPIRIN], chosen: [ASTHMA],
      relations: [{ node: ASPIRIN, offered: [{ name: "treats", phrases: ["treats"], edges: 4 }], chosen: ["treats"], reason: "", fault: "" }],
      edges: [{ ...edge(ASPIRIN, ASTHMA), is_chosen: true }, { ...edge(ASPIRIN, FEVER), is_chosen: false }],
    },
    { ...LEVEL, level: 2, frontier: [ASTHMA], chosen: [ZINC], goes_on: false, decision_reason: "It drifts.", edges: [{ ...edge(ASTHMA, ZINC), is_chosen: true }] },
  ],
  paths: [
    { leaf: ASTHMA, depth: 1, strength: 0.5, is_hit: false, edges: [edge(ASPIRIN, ASTHMA)] },
    { leaf: ZINC, depth: 2, strength: 0.25, is_hit: true, edges: [edge(ASPIRIN, ASTHMA), edge(ASTHMA, ZINC)] },
  ],
};
const RUN = {
  id: "r1", release: { slug: "walks", title: "Walks" }, endpoint: { id: "e1", name: "local", model: "small-2", parameters: null }, model: { slug: "small", name: "Small" },
  state: "ended", submissions: [], progress: { items: 1, done: 1 },
} as unknown as Run;

function open(address = "", trajectory = TRAJECTORY, run = RUN) {
  mockServer(({ path }) => {
    if (path === "/api/v1/runs/r1/explorations/dev/3") return jsonResponse(trajectory);
    return path === "/api/v1/runs/r1" ? jsonResponse(run) : undefined;
  });
  return renderRoute([{ path: "/runs/:id/explorations/:split/:position", Component: ExplorationPage }], `/runs/r1/explorations/dev/3${address}`);
}

const slider = () => screen.findByRole<HTMLInputElement>("slider", { name: "Step of the walk" });
const level = (number: number) => screen.findByRole("article", { name: `Level ${number}` });

describe("an exploration", () => {
  it("shows its last level, and goes back by the buttons; the address has the level", async () => {
    const router = open();
    expect(await slider()).toHaveAttribute("aria-valuetext", "level 2 of 2");
    expect(within(await level(2)).getByText("The model stopped: It drifts.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "One level back" }));
    const first = await level(1);
    expect(within(first).getByText("Chosen: asthma.")).toBeVisible();
    expect(within(first).getByText("Why: It is close.")).toBeVisible();
    expect(within(first).getByText("It reached asthma.")).toBeVisible();
    await userEvent.click(within(first).getByText("Relations and edges that were offered"));
    expect(within(first).getByText(/aspirin treats fever, weight 0.50, unfavourable prognosis/)).toBeVisible();
    expect(router.state.location.search).toBe("?level=1");
  });

  it("opens at the level of its address, with the drawing in words", async () => {
    open("?level=1");
    expect(await slider()).toHaveValue("1");
    expect(await screen.findByRole("img", { name: "Drawing of the walk. At level 1, 2 entities were offered and 1 chosen." })).toBeVisible();
  });

  it("counts one offered entity in the singular", async () => {
    open("?level=2");
    expect(await screen.findByRole("img", { name: /^Drawing of the walk. At level 2, 1 entity was offered and 1 chosen/ })).toBeVisible();
  });

  it.each(["?level=99", "?level=x", "?level=-1"])("takes %s for the last level", async (address) => {
    open(address);
    expect(await slider()).toHaveValue("2");
  });

  it("ranks its paths, with the hits", async () => {
    open();
    const rows = within(await screen.findByRole("table", { name: "Paths, the strongest first" })).getAllByRole("row").slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([expect.stringContaining("asthma"), expect.stringContaining("aspirin treats asthma, treats zinc")]);
    expect(within(rows[1] as HTMLElement).getByText("Hit")).toBeVisible();
    expect(screen.getByText(/1 of them in the serendipity set/)).toBeVisible();
  });

  it("states no hit where the server states none", async () => {
    open("", { ...TRAJECTORY, split: "test", paths: TRAJECTORY.paths.map((path) => ({ ...path, is_hit: null })) });
    await screen.findByRole("table", { name: "Paths, the strongest first" });
    expect(screen.queryByText("Hit")).not.toBeInTheDocument();
    expect(screen.queryByText(/serendipity set/)).not.toBeInTheDocument();
    expect(screen.getByText(/Which leaves are hits is hidden for these items/)).toBeVisible();
  });

  it("replays from the start until it is paused", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Play" }));
    expect(await slider()).toHaveValue("0");
    expect(screen.getByText(/The exploration starts at aspirin/)).toBeVisible();
    await waitFor(async () => expect(await slider()).toHaveValue("1"), { timeout: 4_000 });
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await slider()).toHaveValue("1");
  });

  it("shows why where the exploration may not be seen", async () => {
    mockServer(({ path }) => (path === "/api/v1/runs/r1" ? jsonResponse(RUN) : problemResponse(404, "not_found", "This run has no exploration of this item, or you may not see it.")));
    renderRoute([{ path: "/runs/:id/explorations/:split/:position", Component: ExplorationPage }], "/runs/r1/explorations/test/3");
    expect(await screen.findByText(/you may not see it/)).toBeVisible();
  });
});
