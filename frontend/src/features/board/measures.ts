import type { BatchAgreement, BoardBatch, NoValueReason, Stat } from "@/api/contract";
import { coefficient, percent, plural } from "@/lib/format";
import { missing } from "@/lib/words";

export type Measure = "kendall-w" | "tau-b" | "top-1";

interface MeasureWords {
  key: Measure;
  label: string;
  /** What the number says, in one line. */
  hint: string;
  scale: [number, number];
  of: (agreement: BatchAgreement) => Stat;
  show: (value: number) => string;
}

export const MEASURES: [MeasureWords, ...MeasureWords[]] = [
  {
    key: "kendall-w",
    label: "Kendall’s W",
    hint: "All experts together: 0 is no agreement, 1 the same order",
    scale: [0, 1],
    of: (agreement) => agreement.kendall_w,
    show: coefficient,
  },
  {
    key: "tau-b",
    label: "tau-b",
    hint: "Mean over pairs of experts: −1 is opposite, 1 the same order",
    scale: [-1, 1],
    of: (agreement) => agreement.tau_b,
    show: coefficient,
  },
  {
    key: "top-1",
    label: "top-1",
    hint: "How often two experts put the same first",
    scale: [0, 1],
    of: (agreement) => agreement.top1,
    show: percent,
  },
];

/** The measure that the address names; the first where it names none that exists. */
export function measureNamed(name: string | null): MeasureWords {
  return MEASURES.find(({ key }) => key === name) ?? MEASURES[0];
}

export type Shown =
  | { kind: "value"; text: string; range: string; long: string; stat: Stat; scale: [number, number] }
  | { kind: "words"; text: string; long: string };

const COMPUTED = { text: "being computed", long: "Answers came in; the agreement is being computed." };

/** What the agreement cell of a batch says: a number with its interval, or why there is none. */
export function agreementOf(batch: BoardBatch, measure: MeasureWords): Shown {
  const { agreement } = batch;
  if (!agreement) {
    if (batch.answered + batch.skipped > 0) return { kind: "words", ...COMPUTED };
    return worded("too_few_rankings");
  }
  const stat = measure.of(agreement);
  if (stat.value === null) return agreement.stale ? { kind: "words", ...COMPUTED } : worded(stat.reason);
  const text = measure.show(stat.value);
  const range = rangeOf(stat, measure);
  const resting = `over ${plural(stat.n, "question")}`;
  return {
    kind: "value",
    text,
    range: agreement.stale ? COMPUTED.text : (range ?? NO_INTERVAL.text),
    long: `${measure.label} ${text}, ${range ? `95% interval ${range}` : NO_INTERVAL.text}, ${resting}`,
    stat,
    scale: measure.scale,
  };
}

const NO_INTERVAL = {
  text: "no interval",
  long: "It needs more questions that two experts put in order.",
};

function worded(reason: NoValueReason | null): Shown {
  const { short, long } = missing(reason);
  return { kind: "words", text: short, long };
}

function rangeOf({ low, high }: Stat, { show }: MeasureWords): string | null {
  return low === null || high === null ? null : `${show(low)} to ${show(high)}`;
}

/** Each reason for a missing number or interval, once, for the line under the table. */
export function reasonsShown(batches: BoardBatch[], measure: MeasureWords): { text: string; long: string }[] {
  const said = new Map<string, string>();
  for (const batch of batches) {
    const shown = agreementOf(batch, measure);
    if (shown.kind === "words") said.set(shown.text, shown.long);
    else if (shown.range === NO_INTERVAL.text) said.set(NO_INTERVAL.text, NO_INTERVAL.long);
  }
  return [...said].map(([text, long]) => ({ text, long }));
}
