import { Problem } from "@/api/client";
import type { Job } from "@/domains/jobs/jobs";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";

export type ImportError = ReturnType<typeof importError>;

const NOTHING_IMPORTED = "The name and the files are still chosen.";
/** Without an answer nobody knows whether they arrived; sending them twice does no harm. */
const RETRYABLE_CODES = "Importing the same files again changes nothing.";

/** A refused import, sorted by where it is to be shown. */
export function importError(error: unknown) {
  const body = error instanceof Problem ? error.body : null;
  const all = body?.errors ?? [];
  const errors = all.filter((fault) => fault.place !== "name");
  const name = all.find((fault) => fault.place === "name")?.message;
  const taken = body?.code === "name_taken" ? body.detail : undefined;
  // The server lists only the first of many.
  const total = typeof body?.faults_total === "number" ? body.faults_total : errors.length;
  return { message: `${errorMessage(error)} ${body ? NOTHING_IMPORTED : RETRYABLE_CODES}`, name: name ?? taken, errors, total };
}

/** The refusal of an import that ran as a job; null where it did not fail. */
export function jobError({ error, result }: { error: Job["error"]; result: { faults_total?: number } }): ImportError | null {
  if (error === null) return null;
  const errors = error.errors;
  return { message: `${error.detail} ${NOTHING_IMPORTED}`, name: undefined, errors, total: result.faults_total ?? errors.length };
}

export function errorsTitle({ errors, total }: ImportError): string {
  if (total <= errors.length) return formatPlural(errors.length, "error");
  return `The first ${formatCount(errors.length)} of ${formatCount(total)} errors`;
}
