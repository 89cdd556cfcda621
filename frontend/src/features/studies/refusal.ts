import { Problem, type Fault } from "@/api/client";
import { count, plural } from "@/lib/format";
import { sentenceOf } from "@/lib/problems";

export interface Refusal {
  /** What happened, over the whole. */
  sentence: string;
  /** What is wrong with the name, which is said at its field. */
  name: string | undefined;
  /** Every other fault. */
  faults: Fault[];
  /** How many there are in all, where the server lists only the first. */
  total: number;
}

const KEPT = "The name and the files are still chosen.";
/** Without an answer nobody knows whether they arrived; sending them twice does no harm. */
const REPEATABLE = "Importing the same files again changes nothing.";

/** A refused import, sorted by where it is to be shown. */
export function refusalOf(error: unknown): Refusal {
  const body = error instanceof Problem ? error.body : null;
  const errors = body?.errors ?? [];
  const faults = errors.filter((fault) => fault.place !== "name");
  const name = errors.find((fault) => fault.place === "name")?.message;
  const taken = body?.code === "name_taken" ? body.detail : undefined;
  const total = typeof body?.faults_total === "number" ? body.faults_total : faults.length;
  return { sentence: `${sentenceOf(error)} ${body ? KEPT : REPEATABLE}`, name: name ?? taken, faults, total };
}

export function faultsTitle({ faults, total }: Refusal): string {
  if (total <= faults.length) return plural(faults.length, "fault");
  return `The first ${count(faults.length)} of ${count(total)} faults`;
}
