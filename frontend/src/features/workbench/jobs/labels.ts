/** Computations in words. */
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import { formatCount, formatList, formatPlural } from "@/lib/format";

import { OPTION_CHOICES, OPTION_NAMES, type Options } from "../options";
import type { Computation, ComputationResult, Kind } from "./api";

export const KINDS: { value: Kind; label: string; hint: string; action: string; options: (keyof Options)[] }[] = [
  {
    value: "transition",
    label: "Walks in a graph",
    hint: "Stationary probabilities of random walks. Novelty needs them, once for each graph version.",
    action: "Compute the walks",
    options: ["direction", "dangling", "weighted"],
  },
  {
    value: "embedding",
    label: "Vectors of a graph",
    hint: "Embeddings that relevance compares, with their link prediction quality.",
    action: "Compute the vectors",
    options: ["method"],
  },
  {
    value: "partition",
    label: "Partitions of a question set",
    hint: "The best partition of every question's candidates, after the graph's own computations.",
    action: "Compute the partitions",
    options: OPTION_NAMES,
  },
];

const KIND_TITLES: Record<Computation["kind"], string> = {
  transition: "Walks",
  embedding: "Vectors",
  partition: "Partitions",
  scoring: "A file of sets",
};

/** 'Partitions of Drug repurposing questions, in drug-repurposing-demo'. */
export function computationTitle({ kind, graph }: Computation, setName: string | null): string {
  return `${KIND_TITLES[kind]}${setName ? ` of ${setName}` : ""}, in ${graph}`;
}

/** Options other than what holds by itself, as an address has them. */
export function nonDefaultOptions({ options }: Computation): Partial<Options> {
  const chosen = OPTION_NAMES.flatMap((name) => {
    const value = String(options[name]);
    const [standard, ...others] = OPTION_CHOICES[name].values.map((one) => one.value as string);
    return value !== standard && others.includes(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(chosen) as Partial<Options>;
}

/** The parameters that differ from their defaults. */
export function optionsText(computation: Computation): string {
  const chosen = nonDefaultOptions(computation);
  const parts = OPTION_NAMES.flatMap((name) => {
    const value = OPTION_CHOICES[name].values.find((one) => one.value === chosen[name]);
    return value ? [`${OPTION_CHOICES[name].label.toLowerCase()}: ${value.label.toLowerCase()}`] : [];
  });
  const { size } = computation.options;
  if (typeof size === "number") parts.push(`serendipity sets of ${size}`);
  return parts.join("; ");
}

export function resultText({ kind, job: { result } }: Computation): string {
  if (kind === "transition") return result.error === undefined ? "" : `Total error at most ${formatNumber(result.error)}.`;
  if (kind === "embedding") return result.dimensions === undefined ? "" : `Vectors of ${result.dimensions} numbers, ${formatCount(result.without_vector ?? 0)} entities without one.`;
  if (kind === "scoring") return scoredText(result.sets ?? 0, result.failed ?? 0);
  return partitionsText(result);
}

function scoredText(sets: number, failed: number): string {
  if (failed === 0) return `${formatPlural(sets, "set")} scored.`;
  return `${formatCount(sets - failed)} of ${formatPlural(sets, "set")} scored; ${formatPlural(failed, "line")} could not be.`;
}

const PARTITION_METHOD_LABELS: Record<string, string> = { exact: "exact", greedy: "by a greedy search", stopped: "by a search that reached its limit", open: "tied within the error of single precision" };

function partitionsText({ questions = 0, new: added = 0, how = {}, left_out_total: left = 0 }: ComputationResult): string {
  const kinds = Object.entries(how).map(([name, many]) => `${formatCount(many)} ${PARTITION_METHOD_LABELS[name] ?? name}`);
  const parts = [`${formatPlural(questions, "question")} partitioned${kinds.length > 0 ? `, ${formatList(kinds)}` : ""}; ${formatCount(added)} of them new or different.`];
  if (left > 0) parts.push(`${formatPlural(left, "question")} left out.`);
  return parts.join(" ");
}

export function quotaText(used: number, quota: number): string {
  return `${formatCount(used)} of your ${formatCount(quota)} sets used in the last 24 hours.`;
}
