import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { BoardMetric, BoardPoints } from "@/domains/evaluation/queries";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { PointsChart } from "./PointsChart";

const METRIC = { id: "mrr", label: "MRR", unit: "fraction", direction: "higher", description: "" } as BoardMetric;
const point = (submission: string, x: number, score: number) => ({ submission, name: submission, x, score, low: null, high: null, is_simulated: false });

function open(points: BoardPoints, axis: "cost" | "parameters" = "cost") {
  const requests = mockServer(() => jsonResponse(points));
  renderRoute([{ path: "/", Component: () => <PointsChart release="pairs" axis={axis} metric={METRIC} filter="split=test&text=a" /> }], "/");
  return requests;
}

it("lists the front that the server computed over all entries, and states what is not drawn", async () => {
  const requests = open({ entries: 1_500, placed: 1_450, points: [point("dear", 9, 0.5), point("cheap", 1, 0.4), point("bad", 5, 0.1)], front: ["cheap", "dear"] });
  expect((await screen.findAllByRole("listitem")).map(({ textContent }) => textContent)).toEqual(["cheap: 0.400 for $1.00", "dear: 0.500 for $9.00"]);
  expect(screen.getByText("Drawn are 3 of 1,450 entries: the first ones, and the front.")).toBeInTheDocument();
  expect(screen.getByText("50 entries without a declared cost left out.")).toBeInTheDocument();
  expect(requests[0]?.path).toBe("/api/v1/boards/pairs/points?x=cost&split=test&text=a");
});

it("has sizes of models as the other axis", async () => {
  open({ entries: 1, placed: 1, points: [point("large", 7e10, 0.5)], front: ["large"] }, "parameters");
  expect(await screen.findByText("large: 0.500 with 70 billion")).toBeInTheDocument();
  expect(screen.queryByText(/left out/)).not.toBeInTheDocument();
});

it("draws models of billions of parameters at places of their own", async () => {
  open({ entries: 3, placed: 3, points: [point("small", 1.4e10, 0.4), point("middle", 7e10, 0.5), point("large", 4.05e11, 0.6)], front: [] }, "parameters");
  const chart = await screen.findByRole("group", { name: "MRR against parameters, with the Pareto front" });
  const places = [...chart.querySelectorAll("circle")].map((mark) => Number(mark.getAttribute("cx")));
  expect(new Set(places)).toHaveProperty("size", 3);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

it("states that no entry has a place", async () => {
  open({ entries: 4, placed: 0, points: [], front: [] });
  expect(await screen.findByText("No entry declares a cost.")).toBeInTheDocument();
});
