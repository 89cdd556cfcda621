import { modelText } from "@/domains/endpoints/labels";
import { formatPercent } from "@/lib/format";
import type { ClaimCounts, Grounding, Mention, Source, Verdict } from "./queries";

export { SOURCE_LABELS } from "@/domains/evaluation/groundedness";

export const VERDICT_LABELS: Record<Verdict, string> = {
  supported: "Supported",
  contradicted: "Contradicted",
  not_enough: "Not enough evidence",
};

export const STANCE_LABELS = { supports: "For the claim", contradicts: "Against the claim" } as const;

export const METHOD_LABELS: Record<Mention["method"], string> = {
  exact: "by its name",
  synonym: "by a synonym",
  typo: "by a similar spelling",
  bm25: "by its words",
};

/** Why a model gave no verdict. */
const FAULT_LABELS: Record<string, string> = {
  unreadable: "The model's answer could not be read.",
  truncated: "The model's answer was cut off.",
  empty: "The model gave no answer.",
  filtered: "The endpoint withheld the answer.",
  rejected: "The endpoint rejected the request.",
};

export const faultLabel = (fault: string) => FAULT_LABELS[fault] ?? "The model gave no verdict.";

export function shareText({ supported, claims, share }: ClaimCounts): string {
  if (share === null) return "Undefined: no claims";
  return `${formatPercent(share)}, ${supported} of ${claims}`;
}

export function verifierText({ verifier, verifier_version: version, model, model_size: size }: Pick<Grounding, "verifier" | "verifier_version" | "model" | "model_size">): string {
  return verifier === "plain" ? `plain verifier, version ${version}: it compares English words and edges; claims in other languages stay open` : `${modelText(model, size)}, prompts ${version}`;
}

/** The sources that have verdicts, the widest last. */
export function sourcesOf({ groundedness }: Pick<Grounding, "groundedness">): Source[] {
  return (["graph", "literature", "both"] as const).filter((source) => source in groundedness);
}
