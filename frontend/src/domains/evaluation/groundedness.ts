import type { components } from "@/api/generated/schema";
import { modelText } from "@/domains/endpoints/labels";
import { formatCount, formatPlural } from "@/lib/format";
import { readListQuery, readQuery } from "@/lib/readQuery";
import { boardKey } from "./queries";

type Schemas = components["schemas"];
export type SubmissionGroundings = Schemas["SubmissionGroundings"];
export type NewSubmissionGrounding = Schemas["NewSubmissionGroundingRequest"];
export type GroundingView = Schemas["GroundingView"];
export type ClaimJudge = Schemas["ClaimJudge"];
export type GroundednessCell = Schemas["GroundednessCell"];
export type CorrectedCell = Schemas["CorrectedCell"];
export type BoardGroundedness = Schemas["BoardGroundednessColumns"];
export type JudgedColumns = Schemas["JudgedColumns"];
export type VerifierAgreement = Schemas["VerifierAgreement"];
export type AccuracyBins = Schemas["AccuracyBins"];
export type AccuracyBin = Schemas["AccuracyBin"];
export type Accuracy = Schemas["Accuracy"];
export type BoardBestOfN = Schemas["BoardBestOfN"];
export type SampledSetting = Schemas["SampledSetting"];
export type BestOfN = Schemas["BestOfN"];
export type SelectionAccuracy = Schemas["SelectionAccuracy"];
export type ErrorFlags = Schemas["ErrorFlags"];

export const groundingsUrl = (submission: string) => `/api/v1/submissions/${submission}/groundings`;
export const groundingsKey = (submission: string) => ["submissions", submission, "groundings"];
export const submissionGroundingsQuery = (submission: string) => readQuery<SubmissionGroundings>(groundingsKey(submission), groundingsUrl(submission));

export type Collection = Schemas["Collection"];
export const collectionsQuery = readListQuery<Collection>(["literature"], "/api/v1/literature", { staleTime: 60_000 });

/** Shares of supported claims of the entries that stand, by judge. */
export const boardGroundednessQuery = (release: string, split: string) =>
  readQuery<BoardGroundedness>([...boardKey(release), "groundedness", split], `/api/v1/boards/${release}/groundedness?split=${split}`);

/** Accuracy of the most grounded of several answers, by task and model. */
export const boardBestOfNQuery = (release: string, split: string) =>
  readQuery<BoardBestOfN>([...boardKey(release), "best-of-n", split], `/api/v1/boards/${release}/best-of-n?split=${split}`);

export const SOURCE_LABELS: Record<VerifierAgreement["source"], string> = { graph: "Graph", literature: "Papers", both: "Graph and papers" };

export const sourceLabel = (source: string) => (SOURCE_LABELS as Record<string, string>)[source] ?? source;

export const sourceInSentence = (source: string) => sourceLabel(source).toLowerCase();

/** Name and version: scores of different ones are never in one column. */
export const verifierName = ({ verifier, model, endpoint, version }: Pick<ClaimJudge, "verifier" | "model" | "endpoint" | "version">) => (model ? `${model} at ${endpoint}, prompts ${version}` : `${verifier} verifier ${version}`);

/** With the size of a model and what the verdicts rest on. */
export function judgeSentence(judge: ClaimJudge): string {
  const papers = judge.literature_name ? ` and ${judge.literature_name}` : "";
  const cutoff = judge.cutoff === null ? "" : `, up to ${judge.cutoff}`;
  return `${modelText(verifierName(judge), judge.model_size)}, on ${judge.graph_name}${papers}${cutoff}`;
}

export const judgeKey = (judge: ClaimJudge) => [judge.verifier, judge.version, judge.model, judge.endpoint, judge.snapshot, judge.literature_digest, judge.cutoff].join(" ");

/** How far a verifier may be trusted, from one source. */
export function agreementText({ source, agreement, kappa, verdicts, simulated }: VerifierAgreement): string {
  const place = sourceInSentence(source);
  if (agreement === null) return `${place}: no expert has verified claims of this verifier in an ended study`;
  const share = `${percent(100 * agreement.value)} (${intervalOf(scaled(agreement.low), scaled(agreement.high))})`;
  const note = simulated === 0 ? "" : `, ${simulated === verdicts ? "all" : formatCount(simulated)} by simulated experts`;
  return `${place}: ${share}, ${kappaText(kappa)}, ${formatPlural(verdicts, "verified claim")}${note}`;
}

const scaled = (value: number | null) => (value === null ? null : 100 * value);

const percent = (value: number) => `${value.toFixed(1)}%`;

export const intervalOf = (low: number | null, high: number | null) => (low === null || high === null ? "no interval" : `${low.toFixed(1)} to ${high.toFixed(1)}`);

export const accuracyText = ({ value, low, high, n }: Accuracy) => `${percent(value)} (${intervalOf(low, high)}), n ${formatCount(n)}`;

/** What stands below the value: its interval and of how many rationales it is. */
export function cellNote({ low, high, n, undefined: without, failed, at_least: least }: GroundednessCell): string {
  const bare = without > 0 ? `, ${formatCount(without)} without a claim` : "";
  const lost = failed > 0 ? `, ${formatCount(failed)} failed${least === null ? "" : ` (${percent(least)} if these count as 0)`}` : "";
  return `${intervalOf(low, high)}, n ${formatCount(n)}${bare}${lost}`;
}

/** How many verdicts alone would be as exact, and how far the verifier agrees with those who gave them. */
export function correctedNote({ low, high, is_approximate: isApproximate, verified, effective_verdicts: effective, kappa, value, at_least: least }: CorrectedCell): string {
  const worth = effective === null ? "" : `, as exact as ${formatPlural(Math.round(effective), "verdict")} alone`;
  return `${intervalOf(low, high)}${isApproximate ? " (approximate)" : ""}, ${formatCount(verified)} verified ${verified === 1 ? "claim" : "claims"}${worth}, ${kappaText(kappa)}${least < value ? `, ${percent(least)} if failed rationales count as 0` : ""}`;
}

function kappaText(kappa: CorrectedCell["kappa"]): string {
  if (kappa === null) return "κ undefined";
  const { value, low, high } = kappa;
  return low === null || high === null ? `κ ${value.toFixed(2)} (no interval)` : `κ ${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

export const cellValue = ({ value }: Pick<GroundednessCell, "value">) => (value === null ? "undefined" : percent(value));

export const spanText = ({ low, high }: AccuracyBin) => `${Math.round(low)} to ${Math.round(high)}%`;
