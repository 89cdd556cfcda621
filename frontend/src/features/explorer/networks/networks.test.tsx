import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import type { NetworkComparison } from "../api";
import { makeGraph } from "../testing";
import { NetworksPage } from "./NetworksPage";

const GRAPHS = [makeGraph({ slug: "mined", name: "Mined" }), makeGraph({ id: "g2", slug: "curated", name: "Curated" })];
const hub = (name: string, degrees: (number | null)[], isPrinted = false) => ({ id: `X:${name}`, name, type: "Gene", degrees, is_printed: isPrinted });
const figures = { snapshot: "s", entities: 10, links: 20, mean: 4, median: 3, few_share: 0.5, bins: [{ low: 1, high: 1, entities: 4 }, { low: 2, high: 3, entities: 6 }], undated: 0 };
const COMPARED: NetworkComparison = {
  networks: [
    { ...figures, slug: "mined", name: "Mined", hubs: [hub("Patients", [9, null], true), hub("TP53", [5, 7])], years: [{ year: 1999, links: 5 }, { year: 2001, links: 20 }] },
    { ...figures, slug: "curated", name: "Curated", undated: 8, hubs: [hub("TP53", [5, 7])], years: [{ year: 2000, links: 12 }] },
  ],
  shared: [{ one: "mined", other: "curated", entities: 3, links: 2, of_one: 0.1, of_other: null, correlation: -0.5 }],
};

function open(address: string) {
  mockServer(({ path }) => jsonResponse(path.includes("network-comparison") ? COMPARED : { results: GRAPHS }));
  return renderRoute([{ path: "/networks", Component: NetworksPage }], address);
}

const rowsOf = async (name: string) => within(await screen.findByRole("table", { name })).getAllByRole("row").slice(1).map(({ textContent }) => textContent);

it("compares the graphs that are chosen, and has them in the address", async () => {
  open("/networks?graph=mined");
  expect(await screen.findByText("Choose two to four graphs.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("checkbox", { name: "Curated" }));
  expect(await rowsOf("Links of each network")).toEqual([" Mined10204.0350%", " Curated10204.0350%"]);
});

it("marks hubs that the paper calls general, beside their links in the other networks", async () => {
  open("/networks?graph=mined&graph=curated");
  expect(await rowsOf("Entities with the most links of Mined")).toEqual(["Patients general9absentGene", "TP5357Gene"]);
  expect(await rowsOf("Entities with the most links of Curated")).toEqual(["TP5375Gene"]);
  expect(screen.getByText(/1 of these 2 is among the hubs of the text-mined network/)).toBeInTheDocument();
});

it("has what the networks share, and their links until each year", async () => {
  open("/networks?graph=mined&graph=curated");
  expect(await rowsOf("What the networks share")).toEqual(["Mined and Curated3210%none\u22120.50"]);
  expect(await rowsOf("Links until each year")).toEqual(["199950", "2000512", "20012012"]);
  expect(screen.getByText(/^8 links of/)).toHaveTextContent("8 links of Curated without a year are left out.");
  expect(await rowsOf("Entities by number of links")).toEqual(["144", "2 to 366"]);
});
