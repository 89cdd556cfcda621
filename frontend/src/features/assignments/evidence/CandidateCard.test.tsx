import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { entityQuery } from "@/domains/graphs/graphQueries";
import { createQueryClient } from "@/lib/queryClient";
import { jsonResponse, mockServer } from "@/test/visit";
import type { CandidateEvidence } from "./api";
import { CandidateCard } from "./CandidateCard";

const GRAPH = { slug: "demo", name: "Demo graph", snapshot: "abc-def", number: 2 };
const ENTITY = { id: "D:1", name: "Zinc", type: "Drug", degree: 5 };
const RELATION = { relation: "interacts", phrase: "interacts with", symmetric: true };
const FIRST = { title: "Summary", text: "A metal.", source: "" };
const EVIDENCE: CandidateEvidence = {
  candidate: "a", name: "Zinc", match_method: "identifier", unmatched_reason: null, matched_on: "D:1",
  entity: ENTITY, summary: FIRST, sections: 2, rest: null, relations: [],
};

it("stores the entity as the explorer reads it, with both sides of a symmetric relation as one", async () => {
  const document = [FIRST, { title: "Uses", text: "In lozenges.", source: "" }];
  const relations = [{ ...RELATION, outgoing: false, count: 2 }, { ...RELATION, outgoing: true, count: 3 }];
  const details = { snapshot: "abc-def", number: 0, synonyms: [], identifiers: [], document, relations };
  const requests = mockServer(() => jsonResponse({ ...ENTITY, ...details }));
  const queries = createQueryClient();
  render(
    <QueryClientProvider client={queries}>
      <CandidateCard assignment="a1" graph={GRAPH} evidence={EVIDENCE} isSettled={false} hasPages />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Show 1 more section of its document" }));
  expect(await screen.findByText("In lozenges.")).toBeVisible();
  expect(requests.map(({ path }) => path)).toEqual(["/api/v1/graphs/demo/entities/D%3A1?snapshot=abc-def"]);
  const stored = queries.getQueryData(entityQuery(GRAPH, "D:1").queryKey);
  expect(stored?.relations).toEqual([{ ...RELATION, outgoing: true, count: 5 }]);
});

it("links to no page of a graph that the study keeps closed, and has its document all the same", async () => {
  const requests = mockServer(() => jsonResponse({}, 404));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CandidateCard assignment="a1" graph={GRAPH} evidence={{ ...EVIDENCE, rest: [{ title: "Uses", text: "In lozenges.", source: "" }] }} isSettled={false} hasPages={false} />
    </QueryClientProvider>,
  );
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByText("Zinc")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show 1 more section of its document" }));
  expect(screen.getByText("In lozenges.")).toBeVisible();
  expect(requests).toEqual([]);
});
