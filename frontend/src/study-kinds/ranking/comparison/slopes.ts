/** Where the candidates stand in each order, for the lines between the orders and the words beside them. */
import type { Id } from "@/api/contract";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import { formatList, formatPlural } from "@/lib/format";
import { hasOrder, type RankingAnswer, type RankingItem } from "../answer";
import { competitionRanks, flattenRanking, startOrder, type Ranking } from "../board/rankingModel";

export interface OrderColumn {
  /** Above the column: 'prior', or the expert's number. */
  head: string;
  name: string;
  ranking: Ranking;
  isPrior: boolean;
}

export interface CandidateSlope {
  id: Id;
  name: string;
  /** In the middle of a tie, one for each column; 1 is the first. */
  places: number[];
  /** As ranks are shown: '2', '2='. */
  ranks: string[];
}

type Props = ComparisonProps<RankingItem, RankingAnswer>;

/** The prior order, if there is one, then that of every expert who gave one. */
export function orderColumns({ item, answers }: Pick<Props, "item" | "answers">): OrderColumn[] {
  const ordered = answers.filter(({ outcome }) => hasOrder(outcome));
  return [
    ...(item.prior ? [{ head: "prior", name: "prior", ranking: item.prior, isPrior: true }] : []),
    ...ordered.map(({ number, name, payload }) => ({ head: String(number), name, ranking: payload.ranking, isPrior: false })),
  ];
}

/** In the common order where there is one, else in the one to start from. */
export function candidateSlopes({ item, consensus }: Pick<Props, "item" | "consensus">, columns: OrderColumn[]): CandidateSlope[] {
  const order = flattenRanking((consensus as Ranking | null) ?? startOrder(item));
  const places = columns.map(({ ranking }) => midPlaces(ranking));
  const ranks = columns.map(({ ranking }) => competitionRanks(ranking));
  return order.map((id) => ({
    id,
    name: item.candidates.find((candidate) => candidate.id === id)?.name ?? id,
    places: places.map((column) => column.get(id) ?? 0),
    ranks: columns.map(({ ranking }, at) => {
      const isTied = ranking.some((group) => group.length > 1 && group.includes(id));
      return `${ranks[at]?.get(id) ?? ""}${isTied ? "=" : ""}`;
    }),
  }));
}

function midPlaces(ranking: Ranking): Map<Id, number> {
  const places = new Map<Id, number>();
  let before = 0;
  for (const group of ranking) {
    for (const id of group) places.set(id, before + (group.length + 1) / 2);
    before += group.length;
  }
  return places;
}

/** Who is put first by how many, and which candidate the experts place furthest apart. */
export function comparisonSentences(columns: OrderColumn[], slopes: CandidateSlope[]): string[] {
  const orders = columns.filter(({ isPrior }) => !isPrior);
  if (orders.length === 0) return ["No expert has given an order yet."];
  const first = slopes
    .map(({ id, name }) => ({ name, count: orders.filter(({ ranking }) => ranking[0]?.includes(id)).length }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  const sentences = [`Put first: ${formatList(first.map(({ name, count }) => `${name} by ${formatPlural(count, "expert")}`))}.`];
  const spans = slopes.map(({ name, places }) => {
    const own = places.filter((_, at) => !columns[at]?.isPrior);
    const [low, high] = [Math.min(...own), Math.max(...own)];
    return { name, low, high, width: high - low };
  });
  const widest = spans.toSorted((one, other) => other.width - one.width)[0];
  if (orders.length < 2 || !widest) return sentences;
  if (widest.width === 0) return [...sentences, "All orders are the same."];
  return [...sentences, `Furthest apart: ${widest.name}, between place ${widest.low} and ${widest.high}.`];
}
