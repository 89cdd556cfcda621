/** Prices, sizes and abilities of language models as words. */
import { formatList, LARGE_UNITS } from "@/lib/format";
import type { Capabilities, Endpoint, UsableBy } from "./queries";

/** '135-million-parameter model'. */
export function sizeLabel(parameters: number | null): string {
  if (parameters === null) return "";
  const [size, unit] = LARGE_UNITS.find(([least]) => parameters >= least) ?? [1, ""];
  return `${Number((parameters / size).toPrecision(3))}${unit && `-${unit}`}-parameter model`;
}

/** 'smollm2, a 135-million-parameter model', where the size is known. */
export const modelText = (name: string, size: string) => (size ? `${name}, a ${size}` : name);

/** US dollars: cents, and more digits below ten cents. */
export function formatMoney(text: string): string {
  const amount = Number(text);
  if (amount === 0) return "$0";
  if (amount < 0.000_001) return "under $0.000001";
  return `$${amount < 0.1 ? Number(amount.toPrecision(2)).toFixed(6).replace(/0+$/, "") : amount.toFixed(2)}`;
}

type Priced = Pick<Endpoint, "price_in" | "price_out">;

export const hasPrice = ({ price_in: input, price_out: output }: Priced) => input !== null && output !== null;

/** Of a million tokens; empty where it is unknown. */
export function priceText({ price_in: input, price_out: output }: Priced): string {
  if (input === null || output === null) return "";
  if (Number(input) === 0 && Number(output) === 0) return "free of charge";
  return `${formatMoney(input)} in and ${formatMoney(output)} out`;
}

export const PRICE_UNKNOWN = "Its price is unknown. An administrator sets one before it can be used.";

export const USABLE_BY: Record<UsableBy, string> = {
  administrators: "Administrators",
  everyone: "Everyone who is signed in",
  named: "Named people",
};

type Check = "schema_output" | "object_output" | "tool_calls" | "logprobs" | "repeats" | "counts_tokens";

export const CHECKS: Record<Check, { name: string; sentence: string }> = {
  schema_output: { name: "JSON schema", sentence: "Follows a strict JSON schema" },
  object_output: { name: "JSON object", sentence: "Gives a JSON object and nothing else" },
  tool_calls: { name: "tool calls", sentence: "Calls a tool with valid arguments" },
  logprobs: { name: "log-probabilities", sentence: "Returns log-probabilities" },
  repeats: { name: "repeatable answers", sentence: "Repeats its answer at temperature 0" },
  counts_tokens: { name: "token counts", sentence: "Counts tokens plausibly" },
};

const checks = Object.keys(CHECKS) as Check[];

/** '4 of 6 checks passed: JSON schema, …'. */
export function probeSummary(capabilities: Capabilities): string {
  const names = (result: boolean | null) => checks.filter((check) => (capabilities[check] ?? null) === result).map((check) => CHECKS[check].name);
  const [passed, unknown] = [names(true), names(null)];
  const start = `${passed.length} of ${checks.length} checks passed${passed.length > 0 ? `: ${formatList(passed)}` : ""}.`;
  return unknown.length > 0 ? `${start} Not checked: ${formatList(unknown)}.` : start;
}

export function checkResult(value: boolean | null | undefined): string {
  if (value === null || value === undefined) return "Could not be checked";
  return value ? "Yes" : "No";
}

/** Each check with its result and the server's reason. */
export function probeRows(capabilities: Capabilities) {
  return checks.map((check) => ({
    check,
    sentence: CHECKS[check].sentence,
    result: checkResult(capabilities[check]),
    note: noteOf(check, capabilities),
  }));
}

function noteOf(check: Check, { notes, token_ratio: ratio }: Capabilities): string {
  const note = notes?.[check] ?? "";
  if (check !== "counts_tokens" || note || ratio === null || ratio === undefined) return note;
  return `It counts ${Number(ratio.toPrecision(2))} tokens where our estimate counts one.`;
}
