/** One sentence about a visitor's order, beside what the literature and the graph put first. */
import type { Id } from "@/api/contract";
import { formatList, formatOrdinal } from "@/lib/format";
import type { NamedCandidate } from "../board/labels";
import { competitionRanks, type Ranking } from "../board/rankingModel";

interface FirstChoices {
  published: Id;
  rns: Id;
  /** Whether the visitor left the order that they were shown. */
  isUnchanged?: boolean;
}

export function describeOrder(ranking: Ranking, candidates: NamedCandidate[], { published, rns, isUnchanged = false }: FirstChoices): string {
  const name = (id: Id) => candidates.find((one) => one.id === id)?.name ?? id;
  const place = (id: Id) => formatOrdinal(competitionRanks(ranking).get(id) ?? 0);
  const top = ranking[0] ?? [];
  const own = top.length > 1 ? `You tied ${formatList(top.map(name))} for first` : `You ${isUnchanged ? "left" : "put"} ${name(top[0] ?? "")} first`;
  const share = top.length > 1 ? "includes" : "is";
  const hasPublished = top.includes(published);
  const hasRns = top.includes(rns);
  if (hasPublished && published === rns) return `${own}, which ${share} the first of the literature and of the graph’s RNS.`;
  if (hasPublished && hasRns) return `${own}: the first of the literature and the first of the graph’s RNS.`;
  if (hasPublished) return `${own}, as the literature does; the graph’s RNS puts ${name(rns)} first.`;
  if (hasRns) return `${own}, as the graph’s RNS does; the literature’s surprise is ${name(published)}, your ${place(published)}.`;
  if (published === rns) return `${own}; the literature and the graph’s RNS put ${name(published)} first, your ${place(published)}.`;
  return `${own}; the literature puts ${name(published)} first, your ${place(published)}, and the graph’s RNS ${name(rns)}.`;
}
