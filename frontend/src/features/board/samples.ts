import type { BatchAgreement, Board, BoardBatch, ExpertProgress, Stat } from "@/api/contract";

/** Boards for tests: small, whole, and changed where a test says so. */
export function stat(value: number | null, more: Partial<Stat> = {}): Stat {
  return { value, low: null, high: null, n: value === null ? 0 : 9, reason: null, interval_reason: null, ...more };
}

export function agreement(more: Partial<BatchAgreement> = {}): BatchAgreement {
  return {
    kendall_w: stat(0.612, { low: 0.5, high: 0.71 }),
    tau_b: stat(-0.25, { low: -0.5, high: 0.004 }),
    top1: stat(0.5, { low: 0.25, high: 0.75 }),
    questions: 9,
    not_sure_left_out: 1,
    skipped_left_out: 0,
    computed_at: "2026-03-02T10:00:00Z",
    stale: false,
    ...more,
  };
}

export function batch(more: Partial<BoardBatch> = {}): BoardBatch {
  return {
    id: "batch-1",
    number: 1,
    name: "Heart and lungs",
    questions: 10,
    experts: 2,
    answered: 12,
    expected: 20,
    skipped: 1,
    active: [],
    median_active_ms: 41_000,
    confirmed: 6,
    changed: 4,
    not_sure: 2,
    changed_share: 0.4,
    agreement: agreement(),
    ...more,
  };
}

export function unanswered(more: Partial<BoardBatch> = {}): BoardBatch {
  const nothing = { answered: 0, skipped: 0, confirmed: 0, changed: 0, not_sure: 0 };
  return batch({ ...nothing, median_active_ms: null, changed_share: null, agreement: null, ...more });
}

export function expert(more: Partial<ExpertProgress> = {}): ExpertProgress {
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
    changed_share: 0.4,
    last_at: "2026-03-02T10:00:00Z",
    ...more,
  };
}

export function board(more: Partial<Board> = {}): Board {
  return {
    study: { id: "study-1", name: "Drugs and genes", status: "open", is_demo: false },
    version: 7,
    computed_at: "2026-03-02T10:00:00Z",
    totals: {
      answered: 12,
      expected: 20,
      median_active_ms: 41_000,
      changed_share: 0.4,
      not_sure_share: 2 / 12,
      experts: 2,
      active: [],
      finish_at: "2026-03-05T10:00:00Z",
    },
    batches: [batch()],
    recent: [],
    experts: [expert()],
    ...more,
  };
}
