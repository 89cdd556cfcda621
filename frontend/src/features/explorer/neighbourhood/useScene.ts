import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { entityQuery, neighboursQuery, subgraphQuery, type Entity, type NeighbourPage, type Where } from "../api";
import { useLooks } from "@/components/graph/useLooks";
import { buildScene, sidesOf, STEP, type OpenEntity, type Scene } from "./scene";
import type { Opening } from "./state";

export interface Read {
  scene: Scene | null;
  snapshot: string | null;
  /** Every relation of what is open, hidden ones too. */
  relations: { relation: string; phrase: string }[];
  isReading: boolean;
  error: Error | null;
  retry: () => void;
}

interface Gathered<T> {
  data: (T | undefined)[];
  isReading: boolean;
  isWhole: boolean;
  error: Error | null;
  retry: () => void;
}

/** Many reads as one; what did not change keeps its identity. */
function gather<T>(all: UseQueryResult<T>[]): Gathered<T> {
  return {
    data: all.map(({ data }) => data),
    isReading: all.some(({ isFetching }) => isFetching),
    isWhole: all.every(({ data }) => data !== undefined),
    error: all.find(({ isError }) => isError)?.error ?? null,
    retry: () => {
      for (const query of all) if (query.isError) void query.refetch();
    },
  };
}

const gatherEntities = gather<Entity>;
const gatherPages = gather<NeighbourPage>;

/** What is open, read from the server piece by piece and put together. */
export function useScene(where: Where, focus: string, opening: Opening): Read {
  const ids = [focus, ...opening.open.filter((id) => id !== focus)];
  const entities = useQueries({ queries: ids.map((id) => entityQuery(where, id)), combine: gatherEntities });
  const wanted = useMemo(
    () =>
      entities.data.flatMap((entity) =>
        entity ? sidesOf(entity, opening, entity.id === focus).map((side) => ({ entity, ...side })) : [],
      ),
    [entities.data, opening, focus],
  );
  const pages = useQueries({
    queries: wanted.map(({ entity, relation, take }) =>
      neighboursQuery(where, entity.id, relation, Math.ceil(take / STEP) * STEP),
    ),
    combine: gatherPages,
  });
  const opened = useMemo(() => {
    const sides = wanted.map((side, at) => ({ ...side, page: pages.data[at] }));
    return entities.data.flatMap((entity): OpenEntity[] =>
      entity ? [{ entity, sides: sides.filter((side) => side.entity === entity) }] : [],
    );
  }, [entities.data, wanted, pages.data]);
  const { scene, isJoining, failure, again } = useAcross(where, focus, opened, pages.isWhole);
  const relations = useMemo(() => relationsOf(entities.data), [entities.data]);
  return {
    scene,
    snapshot: entities.data[0]?.snapshot ?? null,
    relations,
    isReading: entities.isReading || pages.isReading || isJoining,
    error: entities.error ?? pages.error ?? failure,
    retry: () => {
      entities.retry();
      pages.retry();
      if (failure) again();
    },
  };
}

interface Across {
  scene: Scene | null;
  isJoining: boolean;
  /** Without these edges the picture would say that nothing links what it shows. */
  failure: Error | null;
  again: () => void;
}

/** Once all neighbours are there: the edges among them too. */
function useAcross(where: Where, focus: string, opened: OpenEntity[], isWhole: boolean): Across {
  const looks = useLooks();
  const base = useMemo(() => (opened.length > 0 ? buildScene(focus, opened, [], looks) : null), [focus, opened, looks]);
  const ids = useMemo(
    () => (base && isWhole ? base.nodes.filter(({ kind }) => kind === "entity").map(({ id }) => id) : []),
    [base, isWhole],
  );
  const across = useQuery({ ...subgraphQuery(where, ids), placeholderData: keepPreviousData });
  const edges = across.data?.edges;
  const scene = useMemo(() => (edges ? buildScene(focus, opened, edges, looks) : base), [base, focus, opened, edges, looks]);
  return { scene, isJoining: across.isFetching, failure: across.error, again: () => void across.refetch() };
}

function relationsOf(entities: (Entity | undefined)[]): Read["relations"] {
  const named = new Map<string, string>();
  for (const entity of entities) {
    for (const { relation, phrase } of entity?.relations ?? []) if (!named.has(relation)) named.set(relation, phrase);
  }
  return [...named].map(([relation, phrase]) => ({ relation, phrase }));
}
