import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { components } from "@/api/generated/schema";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { JudgesPage } from "./JudgesPage";

type Judges = components["schemas"]["ClaimJudges"];
const figure = { value: 0.75, low: 0.6, high: 0.86, n: 60, is_approximate: false };
const check: Judges["checks"][number] = {
  endpoint: "here",
  model: "tiny",
  prompt_version: "2",
  votes: 1,
  frozen: "claims.jsonl",
  occasion: "2026-11-24",
  created_at: "2026-11-24T10:00:00Z",
  claims: 60,
  has_drifted: true,
  difference: -0.2,
  low: -0.3,
  high: -0.1,
  support_difference: 0.05,
  p_agreement: 0.001,
  p_support: 0.4,
  changed: 0.25,
  smallest_drift: 0.12,
};

function open(judges: Judges) {
  mockServer(({ path }) => (path === "/api/v1/judges" ? jsonResponse(judges) : undefined));
  renderRoute([{ path: "/judges", Component: JudgesPage }], "/judges");
}

test("the agreement of a verifier is divided by types of entities and by graph", async () => {
  const groups = [{ kind: "entities" as const, group: "Drug and Gene", verdicts: 20, agreement: figure, kappa: null }, { kind: "graph" as const, group: "others", verdicts: 40, agreement: null, kappa: null }];
  const agreements = [{ source: "both" as const, verdicts: 60, rationales: 20, agreement: figure, kappa: null, reason: "", simulated: 12, groups }];
  open({ verifiers: [{ verifier: "plain", version: "2", model: "", model_size: "", endpoint: "", agreements }], checks: [] });
  await userEvent.click(await screen.findByText(/By types of entities and by graph/));
  const rows = within(screen.getByRole("table", { name: "Parts of the agreement of plain verifier 2" })).getAllByRole("row");
  expect(rows[1]).toHaveTextContent(/^Drug and Gene.*Types of entities.*Graph and papers.*20.*75%/);
  expect(rows[2]).toHaveTextContent(/^others.*Graph.*40.*none/);
});

test("verifiers stand with the experts' agreement, and checks with what changed", async () => {
  const agreements = [{ source: "both" as const, verdicts: 60, rationales: 20, agreement: figure, kappa: null, reason: "", simulated: 12, groups: [] }];
  open({
    verifiers: [{ verifier: "plain", version: "2", model: "", model_size: "", endpoint: "", agreements }],
    checks: [check, { ...check, occasion: "earlier", has_drifted: false, low: null, high: null }],
  });
  const agreement = within(await screen.findByRole("table", { name: "Agreement of each verifier" })).getAllByRole("row");
  expect(agreement[1]).toHaveTextContent(/plain verifier 2.*6012 of 60 verified by simulated experts20.*75%, 95% interval 60% to 86%.*undefined: one verdict only/);
  const rows = within(screen.getByRole("table", { name: "Checks for drift" })).getAllByRole("row");
  expect(rows[1]).toHaveTextContent(/tiny at here, prompt 2.*drifted-20.0 points, 95% interval -30.0 points to -10.0 points, p 0.0010\+5.0 points, p 0.400025%/);
  expect(rows[2]).toHaveTextContent(/no drift of 12% or more-20.0 points, no interval/);
});

test("verifiers at two servers of one name have a row each", async () => {
  const errors = vi.spyOn(console, "error");
  const agreements = [{ source: "both" as const, verdicts: 60, rationales: 20, agreement: figure, kappa: null, reason: "", simulated: 12, groups: [] }];
  const verifier = { verifier: "model" as const, version: "2", model: "tiny", model_size: "135-million-parameter model", endpoint: "here", agreements };
  open({ verifiers: [verifier, verifier], checks: [] });
  expect(await screen.findAllByRole("rowheader", { name: "tiny at here, prompts 2, a 135-million-parameter model" })).toHaveLength(2);
  expect(errors).not.toHaveBeenCalled();
});

test("without a study or a check the page says how to get one", async () => {
  open({ verifiers: [], checks: [] });
  expect(await screen.findByText(/No study of claims has ended yet/)).toBeVisible();
  expect(screen.getByText(/No judge has been checked yet/)).toBeVisible();
});
