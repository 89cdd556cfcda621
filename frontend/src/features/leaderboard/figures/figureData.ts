/** What the figures draw of their table of entries by axes. */
import type { Figure, FigureAxis, FigureEntry, FigureValue } from "@/api/contract";
import { formatParameters, scoreText } from "@/domains/evaluation/labels";

export const KIND_LABELS: Record<FigureEntry["kind"], string> = {
  printed: "as printed",
  evaluated: "evaluated here",
  baseline: "baseline, evaluated here",
  simulated: "simulated",
};

export const MOST_COMPARED = 3;
export const NOBODY = "";

export const entryLabel = ({ name, setting }: FigureEntry) => `${name ?? "Anonymous entry"}${setting ? `, ${setting}` : ""}`;
export const optionLabel = (entry: FigureEntry) => `${entryLabel(entry)} (${KIND_LABELS[entry.kind]})`;

export const valueAt = (entry: FigureEntry, axis: Pick<FigureAxis, "key">): FigureValue | undefined => entry.values.find((one) => one.axis === axis.key);

/** '0 to 100'; of a unit without an end, 'from 0'. */
export const rangeText = ({ low, high }: FigureAxis) => (high === null ? `from ${low}` : `${low} to ${high}`);

/** Where a value is on its axis, from 0 to 1. */
export function share(value: number, { low, high }: FigureAxis): number {
  if (high === null || high <= low) return 0;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** Metrics in the order of the axes, each once. */
export function metricsOf({ axes }: Figure): FigureAxis[] {
  return axes.filter((axis, at) => axes.findIndex(({ metric }) => metric === axis.metric) === at);
}

/** The axis of a metric and a part of the items: those of the address, else the one that most entries have. */
export function chooseAxis(figure: Figure, metric: string | null, slice: string | null): FigureAxis | undefined {
  const of = (test: (axis: FigureAxis) => boolean) => figure.axes.filter(test).toSorted((one, other) => countAt(figure, other) - countAt(figure, one));
  const [wanted] = of((axis) => axis.metric === metric && axis.slice === slice);
  return wanted ?? of((axis) => axis.metric === metric)[0] ?? of(() => true)[0];
}

const countAt = ({ entries }: Figure, axis: FigureAxis) => entries.filter((entry) => valueAt(entry, axis)).length;

/** The entries to compare: those of the address, else the first ones with the most values, printed before evaluated. */
export function chooseEntries({ entries }: Figure, ids: string[]): FigureEntry[] {
  const chosen = ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? []);
  if (ids.length > 0) return chosen.slice(0, MOST_COMPARED);
  return entries.toSorted((one, other) => other.values.length - one.values.length).slice(0, MOST_COMPARED);
}

/** Axes on which all of them have a value: on others a shape could not be closed. */
export const sharedAxes = (axes: FigureAxis[], entries: FigureEntry[]) => axes.filter((axis) => entries.every((entry) => valueAt(entry, axis)));

/** 'DeepSeek-V3, 671 billion, as printed: 78.7' */
export function pointText(entry: FigureEntry, axis: FigureAxis): string {
  const value = valueAt(entry, axis);
  const size = entry.parameters === null ? "" : `, ${formatParameters(entry.parameters)}`;
  return `${entryLabel(entry)}${size}, ${KIND_LABELS[entry.kind]}: ${value ? scoreText(value.value, axis) : "no value"}`;
}

/** Who leads on how many of the axes, of entries of one kind. */
export function leaderSentence(figure: Figure, kind: FigureEntry["kind"]): string {
  const entries = figure.entries.filter((entry) => entry.kind === kind);
  const leaders = figure.axes.flatMap((axis) => {
    const values = entries.flatMap((entry) => valueAt(entry, axis)?.value ?? []);
    return values.length < 2 ? [] : entries.filter((entry) => valueAt(entry, axis)?.value === Math.max(...values)).map(({ name }) => name ?? "Anonymous entry");
  });
  const counts = [...new Set(leaders)].map((name) => ({ name, count: leaders.filter((one) => one === name).length }));
  const [first, second] = counts.toSorted((one, other) => other.count - one.count);
  if (!first) return "";
  const rest = second ? `, ${second.name} on ${second.count}` : "";
  return `Of the entries ${kind === "printed" ? "as printed" : KIND_LABELS[kind]}, ${first.name} leads on ${first.count} of ${figure.axes.length} metrics${rest}.`;
}

/** How the mean of the printed entries, else of all, changes from the simplest to the most complex questions. */
export function declineSentence({ entries }: Figure, axes: FigureAxis[]): string {
  const printed = entries.filter(({ kind }) => kind === "printed");
  const counted = (printed.length > 0 ? printed : entries).filter((entry) => axes.every((axis) => valueAt(entry, axis)));
  const [first, last] = [axes[0], axes.at(-1)];
  if (!first || !last || first === last || counted.length === 0) return "";
  const mean = (axis: FigureAxis) => counted.reduce((sum, entry) => sum + (valueAt(entry, axis)?.value ?? 0), 0) / counted.length;
  return `The mean ${first.label} of ${counted.length} entries ${printed.length > 0 ? "as printed" : "evaluated here"} is ${scoreText(mean(first), first)} on ${first.slice} and ${scoreText(mean(last), last)} on ${last.slice} questions.`;
}

export function scaleSentence({ entries }: Figure, axis: FigureAxis): string {
  const sized = entries.filter((entry) => valueAt(entry, axis) && entry.parameters !== null && entry.kind === "printed");
  if (sized.length < 2) return "";
  const score = (entry: FigureEntry) => (axis.lower_is_better ? -1 : 1) * (valueAt(entry, axis)?.value ?? 0);
  const best = sized.reduce((one, other) => (score(other) > score(one) ? other : one));
  const largest = sized.reduce((one, other) => ((other.parameters ?? 0) > (one.parameters ?? 0) ? other : one));
  if (best === largest) return `Of the entries as printed, the largest is also the best: ${pointText(best, axis)}.`;
  return `Of the entries as printed, the best is not the largest. Best: ${pointText(best, axis)}. Largest: ${pointText(largest, axis)}.`;
}
