/** Two answers to one question, side by side in ranks and words. */
import type { Candidate, Ranking } from "@/api/contract";
import { isTied, ranksOf } from "@/components/ranking/model";
import { orderWords } from "@/components/ranking/words";
import { REASON_WORDS, UNSURE_WORDS } from "@/lib/answerWords";
import type { Answer } from "@/lib/offline";

export interface Row {
  label: string;
  mine: string;
  saved: string;
  differs: boolean;
}

export function compare(candidates: Pick<Candidate, "id" | "name">[], mine: Answer, saved: Answer): Row[] {
  const [ranks, others] = [ranksIn(mine.ranking), ranksIn(saved.ranking)];
  const names = new Map(candidates.map(({ id, name }) => [id, name]));
  const order = mine.ranking
    .flat()
    .map((id) => row(names.get(id) ?? id, ranks.get(id) ?? "", others.get(id) ?? ""));
  return [
    ...order,
    row("Confidence", confidence(mine), confidence(saved)),
    row("Reasons", reasons(mine), reasons(saved)),
    row("Comment", mine.comment || "none", saved.comment || "none"),
    ...(mine.unsure_reason || saved.unsure_reason ? [row("Not sure", unsure(mine), unsure(saved))] : []),
  ];
}

/** All of an answer, line by line, to be kept somewhere else. */
export function answerLines(candidates: Pick<Candidate, "id" | "name">[], answer: Answer): string[] {
  return [
    ...orderWords(answer.ranking, candidates),
    `Confidence: ${confidence(answer)}`,
    `Reasons: ${reasons(answer)}`,
    ...(answer.unsure_reason ? [`Not sure: ${unsure(answer)}`] : []),
    ...(answer.comment ? [`Comment: ${answer.comment}`] : []),
  ];
}

const row = (label: string, mine: string, saved: string): Row => ({ label, mine, saved, differs: mine !== saved });

/** '1', or '2, tied' for a candidate that shares its rank. */
function ranksIn(ranking: Ranking): Map<string, string> {
  return new Map([...ranksOf(ranking)].map(([id, rank]) => [id, isTied(ranking, id) ? `${rank}, tied` : String(rank)]));
}

const confidence = (answer: Answer) => (answer.confidence === null ? "none" : `${answer.confidence} of 5`);

function reasons(answer: Answer): string {
  return Object.entries(REASON_WORDS)
    .filter(([code]) => (answer.reasons as string[]).includes(code))
    .map(([, words]) => words)
    .join(", ") || "none";
}

function unsure(answer: Answer): string {
  return answer.unsure_reason ? UNSURE_WORDS[answer.unsure_reason] : "no";
}
