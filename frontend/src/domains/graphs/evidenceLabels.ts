/** An edge and what states it, in words; the same wherever an edge is shown. */
import type { components } from "@/api/generated/schema";
import { formatPlural } from "@/lib/format";

type Evidence = components["schemas"]["Evidence"];

export const NO_EVIDENCE = "no evidence recorded";

export function evidenceLabel(evidence: Evidence | null): string {
  if (!hasEvidence(evidence)) return NO_EVIDENCE;
  const { source, level, score, p_value: p } = evidence;
  const parts = [source, level];
  if (score !== null) parts.push(`score ${formatNumber(score)}`);
  if (p !== null) parts.push(`p = ${formatNumber(p)}`);
  const words = parts.filter(Boolean).join(", ");
  if (words) return words;
  if (evidence.publications.length > 0 || !evidence.first_seen) return formatPlural(evidence.publications.length, "publication");
  return `first seen ${firstSeenLabel(evidence.first_seen)}`;
}

/** "in PubMed 7", "in 1999" or "in 1999 (synthetic)". */
export function firstSeenLabel({ unit, value, source }: NonNullable<Evidence["first_seen"]>): string {
  return `${unit === "pmid" ? "in PubMed " : "in "}${datedBy(value, source)}`;
}

/** The source of dates that are made up, as most of the demo graph's are. */
export const SYNTHETIC = "synthetic";

/** A date with what states it. */
export function datedBy(value: number, source: string): string {
  return source ? `${value} (${source})` : String(value);
}

export function hasEvidence(evidence: Evidence | null): evidence is Evidence {
  if (!evidence) return false;
  const { source, level, score, p_value: p, publications } = evidence;
  const isDated = evidence.first_seen !== null;
  return Boolean(source || level) || score !== null || p !== null || publications.length > 0 || isDated;
}

/** A phrase as a heading or a row: 'can cause, as a side effect,' waits for its object only in a sentence. */
export function standalonePhrase(phrase: string): string {
  return phrase.replace(/,\s*$/, "");
}

export function formatNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 0.001 && size < 100_000 ? String(Number(value.toPrecision(3))) : formatScientific(value);
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function formatScientific(value: number): string {
  const [digits = "", power = "0"] = value.toExponential(1).split("e");
  const raised = [...String(Math.abs(Number(power)))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `${digits.replace("-", "−")} × 10${Number(power) < 0 ? "⁻" : ""}${raised}`;
}

/** A record's own identifier, or where an address leads. */
export function publicationLabel(curie: string): string {
  if (!/^https?:/i.test(curie) || !URL.canParse(curie)) return curie.replace(/^PMID:/, "PubMed ").replace(/^DOI:/, "doi ").replace(/^(CLINICALTRIALS|NCT):(?=NCT)/i, "");
  const { hostname, pathname, searchParams } = new URL(curie);
  const last = pathname.split("/").findLast(Boolean) ?? "";
  const what = searchParams.get("query") ?? (last.includes(".") ? "" : last);
  return [hostname.replace(/^www\./, ""), what].filter(Boolean).join(" ");
}
