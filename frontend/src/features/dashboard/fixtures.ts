import type { BatchAgreement, Dashboard, DashboardBatch, ExpertProgress, Measure, Statistic } from "@/api/contract";

/** Small, complete dashboards for tests, with the changes that a test needs. */
export function makeStatistic(value: number | null, more: Partial<Statistic> = {}): Statistic {
  return { value, low: null, high: null, n: value === null ? 0 : 9, reason: null, interval_reason: null, ...more };
}

export const makeMeasure = (name: string, statistic: Statistic): Measure => ({ name, label: name, ...statistic });

export function makeShares(changed: number | null, notSure: number | null = null): Measure[] {
  return [makeMeasure("changed_share", makeStatistic(changed)), makeMeasure("not_sure_share", makeStatistic(notSure))];
}

export function makeAgreement(more: Partial<BatchAgreement> = {}): BatchAgreement {
  return {
    measures: [
      makeMeasure("kendall_w", makeStatistic(0.612, { low: 0.5, high: 0.71 })),
      makeMeasure("tau_b", makeStatistic(-0.25, { low: -0.5, high: 0.004 })),
      makeMeasure("top1", makeStatistic(0.5, { low: 0.25, high: 0.75 })),
    ],
    questions: 9,
    left_out: { not_sure: 1, skipped: 0 },
    computed_at: "2026-03-02T10:00:00Z",
    stale: false,
    ...more,
  };
}

export function makeBatch(more: Partial<DashboardBatch> = {}): DashboardBatch {
  return {
    id: "batch-1",
    number: 1,
    name: "Heart and lungs",
    questions: 10,
    experts: 2,
    answered: 12,
    expected: 20,
    active: [],
    median_active_ms: 41_000,
    outcomes: { confirmed: 6, changed: 4, not_sure: 2, skipped: 1 },
    shares: makeShares(0.4),
    agreement: makeAgreement(),
    ...more,
  };
}

export function makeUnansweredBatch(more: Partial<DashboardBatch> = {}): DashboardBatch {
  const outcomes = { confirmed: 0, changed: 0, not_sure: 0, skipped: 0 };
  return makeBatch({ answered: 0, outcomes, median_active_ms: null, shares: makeShares(null), agreement: null, ...more });
}

export function makeExpert(more: Partial<ExpertProgress> = {}): ExpertProgress {
  return {
    id: "expert-1",
    name: "Dr Ada",
    email: "ada@hospital.example",
    is_simulated: false,
    consented: true,
    batches: [{ id: "batch-1", number: 1, answered: 6, total: 10 }],
    answered: 6,
    total: 10,
    median_active_ms: 41_000,
    outcomes: { confirmed: 4, changed: 2, not_sure: 0, skipped: 0 },
    shares: makeShares(0.4),
    last_at: "2026-03-02T10:00:00Z",
    reminded_at: null,
    flags: [],
    qualification: null,
    ...more,
  };
}

export function makeDashboard(more: Partial<Dashboard> = {}): Dashboard {
  return {
    evidence: null,
    shows_results: true,
    study: { id: "study-1", name: "Drugs and genes", status: "open", is_demo: false, kind: "ranking", moves: ["paused", "closed"] },
    version: 7,
    computed_at: "2026-03-02T10:00:00Z",
    totals: {
      answered: 12,
      expected: 20,
      median_active_ms: 41_000,
      outcomes: { confirmed: 6, changed: 4, not_sure: 2, skipped: 1 },
      shares: makeShares(0.4, 2 / 12),
      experts: 2,
      active: [],
      finish_at: "2026-03-05T10:00:00Z",
    },
    batches: [makeBatch()],
    recent: [],
    experts: [makeExpert()],
    ...more,
  };
}
