/** Computations in words. */
import { number } from "@/lib/evidenceWords";
import { count, plural, timeLeft } from "@/lib/format";
import { CHOICES, OPTION_NAMES, type Options } from "../options";
import { listWords } from "../words";
import type { Computation, Kind } from "./api";

export const KINDS: { value: Kind; label: string; hint: string; action: string; options: (keyof Options)[] }[] = [
  {
    value: "transition",
    label: "Walks in a graph",
    hint: "Where long walks end up. Novelty needs it; computed once for each version of a graph.",
    action: "Compute the walks",
    options: ["direction", "dangling", "weighted"],
  },
  {
    value: "embedding",
    label: "Vectors of a graph",
    hint: "What relevance compares, with how well they tell links from pairs without one.",
    action: "Compute the vectors",
    options: ["method"],
  },
  {
    value: "partition",
    label: "Partitions of a question set",
    hint: "The best split of every question's candidates, with what it needs of the graph first.",
    action: "Compute the partitions",
    options: OPTION_NAMES,
  },
];

export const STATE_WORDS: Record<Computation["state"], string> = {
  queued: "Waiting for a worker",
  running: "Under way",
  done: "Done",
  failed: "Not computed",
  cancelled: "Cancelled",
};

const TITLES: Record<Computation["kind"], string> = {
  transition: "Walks",
  embedding: "Vectors",
  partition: "Partitions",
  scoring: "A file of sets",
};

/** 'Partitions of Drug repurposing questions, in drug-repurposing-demo'. */
export function titleOf({ kind, graph }: Computation, setName: string | null): string {
  return `${TITLES[kind]}${setName ? ` of ${setName}` : ""}, in ${graph}`;
}

/** Options other than what holds by itself, as an address has them. */
export function chosenOf({ parameters }: Computation): Partial<Options> {
  const chosen = OPTION_NAMES.flatMap((name) => {
    const value = String(parameters[name]);
    const [standard, ...others] = CHOICES[name].values.map((one) => one.value as string);
    return value !== standard && others.includes(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(chosen) as Partial<Options>;
}

/** What was asked for beyond what holds by itself. */
export function choicesOf(computation: Computation): string {
  const chosen = chosenOf(computation);
  const said = OPTION_NAMES.flatMap((name) => {
    const value = CHOICES[name].values.find((one) => one.value === chosen[name]);
    return value ? [`${CHOICES[name].label.toLowerCase()}: ${value.label.toLowerCase()}`] : [];
  });
  const { size } = computation.parameters;
  if (typeof size === "number") said.push(`serendipity sets of ${size}`);
  return said.join("; ");
}

export function progressWords({ state, doing, percent: done, seconds_left: left }: Computation): string {
  if (state !== "running") return STATE_WORDS[state];
  const rest = left === null ? "" : `, ${timeLeft(1000 * left)}`;
  return `${STATE_WORDS.running}${doing ? `: ${doing}` : ""}, ${Math.floor(done)}%${rest}`;
}

/** What came of it, in one line. */
export function resultWords({ kind, result }: Computation): string {
  if (kind === "transition") return result.error === undefined ? "" : `Wrong by at most ${number(result.error)} in all.`;
  if (kind === "embedding") return result.dimensions === undefined ? "" : `Vectors of ${result.dimensions} numbers, ${count(result.without_vector ?? 0)} entities without one.`;
  if (kind === "scoring") return scoredWords(result.sets ?? 0, result.failed ?? 0);
  return partitionWords(result);
}

export function scoredWords(sets: number, failed: number): string {
  if (failed === 0) return `${plural(sets, "set")} scored.`;
  return `${count(sets - failed)} of ${plural(sets, "set")} scored; ${plural(failed, "line")} could not be.`;
}

const HOW: Record<string, string> = { exact: "exact", greedy: "by a greedy search", stopped: "by a search that ran out of its budget", open: "as good as others within the error of single precision" };

function partitionWords({ questions = 0, new: added = 0, how = {}, left_out_total: left = 0 }: Computation["result"]): string {
  const kinds = Object.entries(how).map(([name, many]) => `${count(many)} ${HOW[name] ?? name}`);
  const said = [`${plural(questions, "question")} partitioned${kinds.length > 0 ? `, ${listWords(kinds)}` : ""}; ${count(added)} of them new or different.`];
  if (left > 0) said.push(`${plural(left, "question")} left out.`);
  return said.join(" ");
}

export function usedWords(used: number, quota: number): string {
  return `${count(used)} of your ${count(quota)} sets of the last 24 hours used.`;
}
