import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Board } from "@/domains/evaluation/queries";
import { AuditPanel } from "./AuditPanel";

const METRIC = { id: "f1", label: "F1", description: "", direction: "higher", unit: "percent" };
const AUDIT = { resolution_floor: 1.9, separated_share: 19 / 60, neighbours: 60, half_splits: 50, stable_half_splits: 48, rank_reason: null, clusters: 400 };
const show = (audit: object | null) => render(<AuditPanel board={{ main_metric: "f1", metrics: [METRIC], audit } as Board} />);
const sentences = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("the panel states the floor, the ties and the half-splits", () => {
  show(AUDIT);
  const [floor, ties, halves] = sentences();
  expect(floor).toMatch(/^A difference of 1\.9\d* points in F1 would be found/);
  expect(ties).toBe("41 of 60 neighbours on the board are tied: their ranks overlap.");
  expect(halves).toContain("halved at random 50 times: in 48 of them the first entry is first in both halves");
});

test.each([["few_clusters", "Ranks and intervals are approximate. Independent groups of items: 9."], ["too_few_clusters", "The items are too few to exclude any rank. Independent groups of items: 9."]])("%s is a sentence, and what is unknown has none", (reason, sentence) => {
  show({ ...AUDIT, resolution_floor: null, separated_share: null, half_splits: 0, rank_reason: reason, clusters: 9 });
  expect(sentences()).toEqual([sentence]);
});

test("a board without entries has no panel", () => {
  show(null);
  expect(screen.queryByRole("region")).toBeNull();
});
