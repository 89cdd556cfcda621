import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, renderRoute } from "@/test/visit";
import { CutoffControl, UndatedNote } from "./CutoffControl";
import { makeEntity, makeNeighbour, makeRelation, renderExplorer, serveGraph, SNAPSHOT } from "./testing";

function show(path: string, unit: "year" | "pmid" | null) {
  const range = unit === "year" ? [1975, 2023] : unit && [1, 2_000_000];
  return renderRoute([{ path: "/explore", element: <CutoffControl graph={{ date_unit: unit, date_range: range }} /> }], path);
}

it("puts the year into the address, and takes it away", async () => {
  const router = show("/explore?hops=2", "year");
  const slider = screen.getByRole("slider", { name: /As of year/ });
  expect(slider).toHaveAttribute("aria-valuetext", "all years");
  fireEvent.change(slider, { target: { value: "2011" } });
  fireEvent.change(slider, { target: { value: "2010" } });
  expect(slider).toHaveAttribute("aria-valuetext", "2010");
  await waitFor(() => expect(router.state.location.search).toBe("?hops=2&until=2010"));
  await userEvent.click(screen.getByRole("button", { name: "Show all dates" }));
  await waitFor(() => expect(router.state.location.search).toBe("?hops=2"));
});

it("starts at the year of the address, within the years of the graph", async () => {
  show("/explore?until=1999", "year");
  expect(screen.getByRole("slider")).toHaveValue("1999");
  show("/explore?until=3000", "year");
  expect(screen.getAllByRole("slider").at(-1)).toHaveValue("2023");
});

it.each(["x", "-5", "0", "1e3", "1234567890"])("refuses %s with a sentence", async (text) => {
  const router = show("/explore", "pmid");
  await userEvent.type(screen.getByLabelText("As of PubMed number"), `${text}{Enter}`);
  expect(await screen.findByText(/whole number/)).toBeInTheDocument();
  expect(router.state.location.search).toBe("");
});

it("is absent where edges have no dates, unless the address has one", async () => {
  show("/explore", null);
  expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  show("/explore?until=2010", null);
  expect(await screen.findByText(/have no dates/)).toBeInTheDocument();
});

it("counts the undated edges", () => {
  renderRoute([{ path: "/", element: <><UndatedNote undated={1200} /><UndatedNote undated={0} /></> }], "/");
  expect(screen.getAllByRole("status")).toHaveLength(1);
  expect(screen.getByRole("status")).toHaveTextContent("1,200 undated edges left out.");
});

it("asks for the neighbours of an entity as of the year of the address", async () => {
  const relation = makeRelation();
  const requests = serveGraph((_request, url) => {
    if (url.pathname.endsWith("/neighbours")) {
      return jsonResponse({ snapshot: SNAPSHOT, count: 1, results: [makeNeighbour(1)], undated: 3, next: null });
    }
    if (url.pathname.endsWith("/papers")) return jsonResponse({ snapshot: SNAPSHOT, results: [] });
    return url.pathname.includes("/entities/") ? jsonResponse(makeEntity({ relations: [relation] })) : undefined;
  });
  renderExplorer("/explore/demo/e/D:1?until=2010");
  expect((await screen.findAllByText("3 undated edges left out."))[0]).toBeInTheDocument();
  const sent = requests.filter(({ path }) => path.includes("/neighbours"));
  expect(sent.every(({ path }) => path.includes("first_seen_until=2010"))).toBe(true);
});

it("counts the undated edges of the focus beside its neighbourhood", async () => {
  const relations = [makeRelation(), makeRelation({ relation: "causes", phrase: "causes" })];
  serveGraph((_request, url) => {
    if (url.pathname.endsWith("/neighbours")) {
      const undated = url.searchParams.get("relation") === "causes" ? 4 : 3;
      return jsonResponse({ snapshot: SNAPSHOT, count: 1, results: [makeNeighbour(1)], undated, next: null });
    }
    return url.pathname.endsWith("/entities/D%3A1") ? jsonResponse(makeEntity({ relations })) : undefined;
  });
  renderExplorer("/explore/demo/canvas?focus=D:1&until=2010&show=table");
  expect(await screen.findByText("7 undated edges of Aspirin left out.")).toBeInTheDocument();
});
