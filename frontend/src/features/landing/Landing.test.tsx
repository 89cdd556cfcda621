import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { LandingPage } from "./LandingPage";
import type { SiteSummary } from "./summaryQuery";

const ENTRY = {
  slug: null, note: "", rank_best: 1, rank_worst: 2, low: null, high: null, interval: "", submission: null, is_simulated: false,
};
const SUMMARY: SiteSummary = {
  counts: { graphs: 1, entities: 1188, edges: 2801, questions: 72, entries: 140 },
  graph: "demo",
  examples: [{ graph: "demo", source: { id: "DRUGBANK:DB00203", name: "Sildenafil" }, target: { id: "DOID:6432", name: "lung disease" } }],
  tracks: [
    {
      track: "stark-prime",
      title: "PrimeKG",
      paper: "STaRK",
      description: "",
      tables: 1,
      entries: 16,
      models: 16,
      evaluated: {
        id: "demo",
        title: "Demo release",
        metric_label: "MRR",
        part: "",
        unit: "percent",
        scale: "%",
        high: 100,
        items: 60,
        date: "2026-01-01",
        entries: 2,
        simulated: 1,
        reference: null,
        best: [
          { ...ENTRY, name: "One", text: "40.0", value: 40, low: 30, high: 50, interval: "30.0 to 50.0", submission: "1" },
          { ...ENTRY, name: null, text: "20.0", value: 20, is_simulated: true, submission: "2" },
        ],
      },
      printed: {
        id: "printed", title: "Table 5", metric_label: "MRR", part: "", unit: "percent", scale: "%", high: 100, items: 98, date: "2024", entries: 9, simulated: 0, reference: null,
        best: [{ ...ENTRY, name: "Two", text: "33.0", value: 33 }],
      },
    },
  ],
};

const visit = () => {
  mockServer(({ path }) => {
    if (path === "/api/v1/site-summary") return jsonResponse(SUMMARY);
    return path === "/api/v1/me" ? jsonResponse({ user: null }) : undefined;
  });
  return renderRoute([{ path: "/", Component: LandingPage }, { path: "*", element: <h1>Elsewhere</h1> }], "/");
};

it("shows what is here in numbers", async () => {
  visit();
  const facts = await screen.findByRole("list", { name: "Here today" });
  await within(facts).findByText("1,188");
  expect(within(facts).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "72 questions",
    "140 leaderboard entries",
    "1,188 entities",
    "2,801 edges",
  ]);
});

it("opens an example, and what was typed, in the explorer", async () => {
  const router = visit();
  const example = await screen.findByRole("link", { name: "Sildenafil → lung disease" });
  expect(example).toHaveAttribute("href", "/explore/demo/paths?from=DRUGBANK%3ADB00203&to=DOID%3A6432");
  await userEvent.type(screen.getByRole("searchbox"), "aspirin{Enter}");
  expect(router.state.location).toMatchObject({ pathname: "/explore/demo", search: "?q=aspirin" });
});

it("shows the first models with their intervals, and what is simulated", async () => {
  visit();
  const track = (await screen.findByRole("link", { name: "STaRK: PrimeKG" })).closest("div");
  const rows = within(track ?? document.body).getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(track).toHaveTextContent("As printed: Two 33.0 MRR (STaRK paper, 2024), on other items.");
  expect(rows).toEqual(["One40.0, 95% interval 30.0 to 50.0", "Anonymous entrysimulated20.0"]);
});

it("leads from a surprise to the graph of the examples, where another is the one to search in", async () => {
  mockServer(({ path }) => {
    if (path === "/api/v1/site-summary") return jsonResponse({ ...SUMMARY, graph: "small" });
    return path === "/api/v1/me" ? jsonResponse({ user: null }) : undefined;
  });
  renderRoute([{ path: "/", Component: LandingPage }, { path: "*", element: <h1>Elsewhere</h1> }], "/");
  const address = (link: HTMLElement) => link.getAttribute("href");
  expect(address(await screen.findByRole("link", { name: /Sildenafil/ }))).toContain("demo");
  const surprise = address(screen.getByRole("link", { name: /^Start from a surprise/ }));
  expect(surprise).toContain("demo");
  expect(surprise).not.toContain("small");
});
