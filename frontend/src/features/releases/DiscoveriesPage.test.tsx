import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { DiscoveriesPage } from "./DiscoveriesPage";

const LINK = {
  item: "1", subject: "X:1", subject_name: "One", subject_type: "Drug", object: "X:2", object_name: "Two", object_type: "Disease",
  year: 2016, importance: 0.5, components: {}, foreseen_by: [],
};

function open(entries: number) {
  const discoveries = { split: "dev", years: { 2016: 1 }, entries, total: 1, results: [LINK] };
  mockServer(({ path }) => jsonResponse(path.endsWith("/discoveries") ? discoveries : { slug: "links", name: "Links", graph: null }));
  renderRoute([{ path: "/releases/:slug/discoveries", Component: DiscoveriesPage }], "/releases/links/discoveries");
}

describe("the page of discoveries", () => {
  it("states how many entries of the board it reads at most", async () => {
    open(100);
    expect(await screen.findByText("Of the board, at most its 100 best entries are read.")).toBeInTheDocument();
  });

  it("states nothing of entries where there are none", async () => {
    open(0);
    expect(await screen.findByText("1 link, dev items, 0 entries.")).toBeInTheDocument();
    expect(screen.queryByText(/best entries/)).not.toBeInTheDocument();
  });
});
