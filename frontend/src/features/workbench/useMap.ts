import { useMemo } from "react";
import type { Bench } from "./api";
import type { Weights } from "./simplex";
import { regionsOf, winnerAt, type Region } from "./winners";

export interface Chosen {
  /** Which split wins, by its place in the list; -1 where there is none. */
  split: number;
  /** Its serendipity set, by positions. */
  positions: ReadonlySet<number>;
}

/** The map is drawn once; under a moving hand only the winner is looked up. */
export function useMap({ splits }: Bench, weights: Weights): { regions: Region[]; chosen: Chosen; positionsOf: (split: number) => number[] } {
  const regions = useMemo(() => (splits ? regionsOf(splits) : []), [splits]);
  const positionsOf = (split: number) => splits?.sets[split]?.map((at) => splits.order[at] as number) ?? [];
  const split = splits ? winnerAt(splits, weights) : -1;
  return { regions, chosen: { split, positions: new Set(positionsOf(split)) }, positionsOf };
}
