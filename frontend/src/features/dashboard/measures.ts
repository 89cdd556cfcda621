import type { BatchAgreement, DashboardBatch, Measure, Statistic } from "@/api/contract";
import type { DashboardInfo, MeasureInfo, ReasonLabel } from "@/domains/studies/studyKind";
import { formatPlural } from "@/lib/format";

/** The kind's measures, results only where the server has sent them; then those that the kind describes as the server
 * names them. */
export function listMeasures({ measures, describeMeasure }: DashboardInfo, batches: DashboardBatch[]): MeasureInfo[] {
  const sent = batches.flatMap(({ agreement }) => agreement?.measures ?? []);
  const shown = measures.filter(({ name, isResult }) => !isResult || sent.some((one) => one.name === name));
  if (!describeMeasure) return shown;
  const listed = new Map(shown.map((measure) => [measure.name, measure]));
  for (const measure of sent) {
    const described = listed.has(measure.name) ? null : describeMeasure(measure);
    if (described) listed.set(measure.name, described);
  }
  return [...listed.values()];
}

/** The measure that the URL names; the first where it names none that exists. */
export function measureByKey(measures: MeasureInfo[], key: string | null): MeasureInfo | undefined {
  return measures.find((measure) => measure.key === key) ?? measures[0];
}

type MeasureDisplay =
  | { kind: "value"; text: string; range: string; long: string; stat: Statistic; scale: [number, number] }
  | { kind: "words"; text: string; long: string };

const UNKNOWN_NOTE = { text: "not known yet", long: "This has not been computed yet." };
const COMPUTED_NOTE = { text: "being computed", long: "There are new answers; the agreement is being computed." };

/** The content of a batch's agreement cell: a number with its interval, or why there is none. */
export function measureDisplay(batch: DashboardBatch, measure: MeasureInfo): MeasureDisplay {
  const { agreement } = batch;
  if (!agreement) {
    if (batch.answered + (batch.outcomes.skipped ?? 0) > 0) return { kind: "words", ...COMPUTED_NOTE };
    return { kind: "words", ...measure.missing.tooFew };
  }
  const stat = findMeasure(agreement, measure);
  if (!stat) return { kind: "words", ...UNKNOWN_NOTE };
  if (stat.value === null) return agreement.stale ? { kind: "words", ...COMPUTED_NOTE } : { kind: "words", ...reasonLabel(measure, stat.reason) };
  const text = measure.format(stat.value);
  const range = intervalLabel(stat, measure);
  const none = stat.interval_reason === "still_open" ? STILL_OPEN : NO_INTERVAL;
  const basis = `over ${formatPlural(stat.n, measure.basis?.unit ?? "question")}`;
  return {
    kind: "value",
    text,
    range: agreement.stale ? COMPUTED_NOTE.text : (range ?? none.text),
    long: `${measure.label} ${text}, ${range ? `95% interval ${range}` : none.text}, ${basis}`,
    stat,
    scale: measure.scale,
  };
}

const findMeasure = ({ measures }: BatchAgreement, { name }: MeasureInfo): Measure | undefined =>
  measures.find((measure) => measure.name === name);

const NO_INTERVAL = { text: "no interval", long: "It needs more questions answered by two experts." };
const STILL_OPEN = { text: "interval once closed", long: "While the study is open you look more than once, for which a fixed 95% interval is wrong." };

/** The kind's label of the server's reason. */
function reasonLabel({ missing }: MeasureInfo, reason: string | null): ReasonLabel {
  if (reason === null) return UNKNOWN_NOTE;
  const text = reason.replaceAll("_", " ");
  return missing.reasons[reason] ?? { text, long: `The number is missing: ${text}.` };
}

function intervalLabel({ low, high }: Statistic, { format }: MeasureInfo): string | null {
  return low === null || high === null ? null : `${format(low)} to ${format(high)}`;
}

/** Each reason for a missing number or interval, once, for the line under the table. */
export function missingValueReasons(batches: DashboardBatch[], measure: MeasureInfo): { text: string; long: string }[] {
  const reasons = new Map<string, string>();
  for (const batch of batches) {
    const shown = measureDisplay(batch, measure);
    if (shown.kind === "words") reasons.set(shown.text, shown.long);
    else for (const { text, long } of [NO_INTERVAL, STILL_OPEN]) if (shown.range === text) reasons.set(text, long);
  }
  return [...reasons].map(([text, long]) => ({ text, long }));
}

/** Whether any batch shows an interval of the measure. */
export function hasIntervals(batches: DashboardBatch[], { name }: MeasureInfo): boolean {
  return batches.some(({ agreement }) => agreement?.measures.some((one) => one.name === name && one.low !== null));
}
