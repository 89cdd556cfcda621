/** The explorer's words: how things were found, how sure a source is, how many of how many. */
import { count, plural } from "@/lib/format";
import type { Evidence, Hit, Order } from "./api";

/** Why a result is here, where its name alone does not show it. */
export function matchWords({ name, matched }: Hit): string | null {
  const { kind, text } = matched;
  if (kind === "identifier") return `identifier ${text}`;
  if (kind === "synonym") return `also called ${text}`;
  if (kind === "typo") return `similar to ${text}`;
  if (kind === "document") return "in its document";
  return text && text !== name && kind === "prefix" ? `also called ${text}` : null;
}

export const NO_EVIDENCE = "no evidence recorded";

/** What states an edge, in a few words. */
export function evidenceWords(evidence: Evidence | null): string {
  if (!hasEvidence(evidence)) return NO_EVIDENCE;
  const { source, level, score, p_value: p } = evidence;
  const parts = [source, level];
  if (score !== null) parts.push(`score ${number(score)}`);
  if (p !== null) parts.push(`p = ${number(p)}`);
  return parts.filter(Boolean).join(", ") || plural(evidence.publications.length, "publication");
}

export function hasEvidence(evidence: Evidence | null): evidence is Evidence {
  if (!evidence) return false;
  const { source, level, score, p_value: p, publications } = evidence;
  return Boolean(source || level) || score !== null || p !== null || publications.length > 0;
}

export function number(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 0.001 && size < 100_000
    ? String(Number(value.toPrecision(3)))
    : scientific(value);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function scientific(value: number): string {
  const [digits = "", power = "0"] = value.toExponential(1).split("e");
  const raised = [...String(Math.abs(Number(power)))].map((digit) => RAISED[Number(digit)]).join("");
  return `${digits.replace("-", "−")} × 10${Number(power) < 0 ? "⁻" : ""}${raised}`;
}

export function ofHowMany(shown: number, all: number): string {
  return shown === all ? `all ${count(all)} shown` : `${count(shown)} of ${count(all)} shown`;
}

export const ORDER_WORDS: Record<Order, { label: string; long: string }> = {
  probability: {
    label: "Probability",
    long: "How likely a random walk from the first entity takes exactly these steps. Paths through entities with few links come first.",
  },
  degree: {
    label: "Degree penalty",
    long: "A step between two entities that have many links of the same relation counts less, so that paths through what is linked to everything come last.",
  },
};
