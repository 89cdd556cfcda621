import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SampledSetting } from "@/domains/evaluation/groundedness";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { BestOfNSection } from "./BestOfNSection";

const judge = { verifier: "plain", version: "2", model: "", model_size: "", endpoint: "", graph: "g", graph_name: "G", snapshot: "s", literature: "", literature_name: "", literature_digest: "", cutoff: null };
const accuracy = { value: 64, low: 55, high: 73, n: 100, method: "bootstrap" };
const setting: SampledSetting = {
  task: "truthhypo-kg",
  prompt_version: "1",
  model: "tiny",
  model_size: "135-million-parameter model",
  endpoint: "here",
  temperature: 0.7,
  samples: 5,
  reason: "",
  comparison: {
    greedy: "g",
    samples: ["a", "b", "c", "d", "e"],
    judge,
    source: "graph",
    items: 100,
    tied: 12,
    undefined: 3,
    selections: [
      { selection: "groundedness", accuracy, difference: null, difference_low: null, difference_high: null, p_value: null },
      { selection: "greedy", accuracy: { ...accuracy, value: 58 }, difference: 6, difference_low: 1.5, difference_high: 10.5, p_value: 0.01 },
      { selection: "majority", accuracy: { ...accuracy, value: 66, low: null, high: null }, difference: -2, difference_low: null, difference_high: null, p_value: null },
    ],
  },
};

function show(settings: SampledSetting[]) {
  mockServer(({ path }) => (path.startsWith("/api/v1/boards/pairs/best-of-n") ? jsonResponse({ split: "dev", settings }) : undefined));
  renderRoute([{ path: "/", element: <BestOfNSection release="pairs" split="dev" /> }], "/");
}

test("the most grounded answer stands beside greedy decoding and the majority, with intervals", async () => {
  show([setting]);
  const table = await screen.findByRole("table", { name: /Accuracy by selection, truthhypo-kg, prompt 1, tiny at here, a 135-million-parameter model: 5 samples at temperature 0.7/ });
  const rows = within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
  expect(rows[0]).toContain("most grounded sample64.0%55.0 to 73.0");
  expect(rows[1]).toContain("greedy decoding58.0%55.0 to 73.0+6.01.5 to 10.5");
  expect(rows[2]).toContain("majority of the samples66.0%no interval-2.0no interval");
  expect(screen.getByText(/100 items: 12 with equally grounded answers, 3 without a claim/)).toBeVisible();
});

test("a setting that cannot be compared states the reason", async () => {
  show([{ ...setting, comparison: null, reason: "No verifier has grounded all samples." }]);
  expect(await screen.findByText("No verifier has grounded all samples.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

test("a comparison that could not be loaded is named", async () => {
  mockServer(() => problemResponse(500, "broken", "The server failed."));
  renderRoute([{ path: "/", element: <BestOfNSection release="pairs" split="dev" /> }], "/");
  expect(await screen.findByRole("alert")).toHaveTextContent("Accuracy of the most grounded answers could not be loaded. The server failed.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});
