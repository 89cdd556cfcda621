import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { NamingPapers, Paper } from "@/domains/graphs/paperQueries";
import { jsonResponse } from "@/test/visit";
import { renderExplorer, serveGraph, SNAPSHOT } from "./testing";

function makePaper(id: string, changes: Partial<Paper> = {}): Paper {
  return {
    id, is_synthetic: false, url: `https://pubmed.ncbi.nlm.nih.gov/${id}/`, date: "2004-05", title: `Paper ${id}`, abstract: "", note: "", ...changes,
  };
}

const SYNTHETIC = makePaper("SYN:4", {
  is_synthetic: true, url: null, date: "", title: "Made up", abstract: "A text.", note: "Written for this demo.",
});

function makeFound(changes: Partial<NamingPapers> = {}): NamingPapers {
  const collection = {
    slug: "demo-papers", name: "Demo papers", source: "", licence: "CC0", digest: "d", papers: 9, undated: 1, synthetic: 1,
    is_public: true, is_demo: true, created_at: "2026-11-01T10:00:00Z",
  };
  return { collection, papers: [makePaper("123"), SYNTHETIC], count: 2, undated: 0, is_complete: true, ...changes };
}

function serve(...results: NamingPapers[]) {
  return serveGraph((_request, url) => (url.pathname.endsWith("/papers") ? jsonResponse({ snapshot: SNAPSHOT, results }) : undefined));
}

const section = () => screen.findByRole("region", { name: "Papers that name it" });

it("lists papers with date and a link to PubMed, and marks what was made up", async () => {
  serve(makeFound());
  renderExplorer("/explore/demo/e/D:1");
  const papers = within(await section());
  expect(await papers.findByRole("link", { name: /PMID 123/ })).toHaveAttribute("href", "https://pubmed.ncbi.nlm.nih.gov/123/");
  const synthetic = papers.getByText("Made up").closest("li");
  expect(synthetic).toHaveTextContent("No dateSYN:4Synthetic: this paper does not exist");
  expect(within(synthetic as HTMLElement).queryByRole("link")).not.toBeInTheDocument();
  await userEvent.click(papers.getByText("Text"));
  expect(papers.getByText("Written for this demo.")).toBeVisible();
});

it("asks for the papers as of the cut-off of the address, and counts the undated ones", async () => {
  const requests = serve(makeFound({ undated: 3 }));
  renderExplorer("/explore/demo/e/D:1?until=2010");
  expect(await screen.findByText("3 undated papers left out.")).toBeInTheDocument();
  expect(requests.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/papers\?.*first_seen_until=2010/));
});

it("shows more papers on request", async () => {
  const requests = serve(makeFound({ count: 40 }));
  renderExplorer("/explore/demo/e/D:1");
  const papers = within(await section());
  expect(await papers.findByText(/40 papers, the first 2 shown/)).toBeInTheDocument();
  await userEvent.click(papers.getByRole("button", { name: "Show more papers" }));
  await papers.findByRole("button", { name: "Show fewer papers" });
  expect(requests.map(({ path }) => path)).toContainEqual(expect.stringMatching(/\/papers\?limit=100/));
});

it("states that no paper names the entity", async () => {
  serve(makeFound({ papers: [], count: 0 }));
  renderExplorer("/explore/demo/e/D:1");
  expect(await screen.findByText(/No paper here has its name/)).toBeInTheDocument();
});

it("is absent where there is no collection", async () => {
  const requests = serve();
  renderExplorer("/explore/demo/e/D:1");
  await screen.findByRole("heading", { name: "Relations" });
  await waitFor(() => expect(requests.some(({ path }) => path.includes("/papers"))).toBe(true));
  expect(screen.queryByText("Papers that name it")).not.toBeInTheDocument();
});
