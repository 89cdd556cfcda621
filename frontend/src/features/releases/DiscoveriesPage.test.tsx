import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { DiscoveriesPage } from "./DiscoveriesPage";

const LINK = {
  item: "1", subject: "X:1", subject_name: "One", subject_type: "Drug", object: "X:2", object_name: "Two", object_type: "Disease",
  year: 2016, date_source: "", importance: 0.5, components: {}, component_values: {}, foreseen_by: [],
};

const CURVE = { auc: 0.875, points: [[0, 0], [0, 0.5], [0.25, 1], [1, 1]] };
const CURVES = {
  split: "dev", positives: 2, negatives: 20, degrees: { auc: 0.5, points: [[0, 0], [1, 1]] },
  results: [
    { entry: { submission: "1", model: "gcn", name: "GCN" }, curve: CURVE },
    { entry: { submission: "2", model: null, name: null }, curve: { ...CURVE, auc: 0.75 } },
  ],
};

function answerTo(path: string, discoveries: object): object {
  if (path.endsWith("/roc-curves")) return CURVES;
  return path.endsWith("/discoveries") ? discoveries : { slug: "links", name: "Links", graph: null };
}

function open(entries: number, links = [LINK]) {
  const discoveries = { split: "dev", years: { 2016: links.length }, entries, total: links.length, results: links };
  mockServer(({ path }) => jsonResponse(answerTo(path, discoveries)));
  renderRoute([{ path: "/releases/:slug/discoveries", Component: DiscoveriesPage }], "/releases/links/discoveries");
}

describe("the page of discoveries", () => {
  it("states how many entries of the board it lists at most", async () => {
    open(100);
    expect(await screen.findByText("Only the best 100 entries of the board are listed.")).toBeInTheDocument();
  });

  it("shows 25 links, and the others when they are requested, from the first of which the reader goes on", async () => {
    open(0, Array.from({ length: 60 }, (_, at) => ({ ...LINK, item: String(at + 1), subject_name: `Drug ${at + 1}` })));
    const user = userEvent.setup();
    expect(await screen.findByText("60 links, dev items, 0 entries.")).toBeInTheDocument();
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(25);
    await user.click(screen.getByRole("button", { name: "Show 25 more" }));
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(50);
    expect(document.activeElement).toHaveTextContent("Drug 26 and Two");
    await user.click(screen.getByRole("button", { name: "Show 10 more" }));
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(60);
    expect(document.activeElement).toHaveTextContent("Drug 51 and Two");
    expect(screen.queryByRole("button", { name: /more/ })).not.toBeInTheDocument();
  });

  it("marks years that are synthetic, and names what states the others", async () => {
    open(0, ["synthetic", "FDA approval", ""].map((source, at) => ({ ...LINK, item: String(at), date_source: source })));
    const texts = (await screen.findAllByText(/first seen in/)).map((one) => one.textContent);
    const rest = "Drug and Disease, first seen in 2016";
    expect(texts).toEqual([`${rest} (synthetic)`, `${rest} (FDA approval)`, rest]);
  });

  it("states nothing of entries where there are none", async () => {
    open(0);
    expect(await screen.findByText("1 link, dev items, 0 entries.")).toBeInTheDocument();
    expect(screen.queryByText(/best entries/)).not.toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "ROC curves" })).not.toBeInTheDocument();
  });

  it("shows the ROC curves of the best entries beside that of the degrees alone", async () => {
    open(2);
    const table = await screen.findByRole("table", { name: "Area under each curve" });
    const rows = within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
    expect(rows).toEqual([" GCN0.875", " an anonymous entry0.750", " Degrees alone0.500"]);
    expect(within(table).getByRole("link", { name: "GCN" })).toHaveAttribute("href", "/models/gcn");
    expect(screen.getByText(/2 links and 20 negatives of the dev items/)).toBeInTheDocument();
    const lines = document.querySelectorAll("polyline");
    expect([...lines].map((line) => line.getAttribute("data-place"))).toEqual(["0", "1", "none"]);
    expect(lines[0]?.getAttribute("points")?.split(" ")).toHaveLength(4);
  });
});
