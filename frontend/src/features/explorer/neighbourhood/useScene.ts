import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTypeStyles } from "@/domains/graphs/useTypeStyles";
import { combineQueries } from "@/lib/combineQueries";
import { entityQuery, neighboursQuery, subgraphQuery, type Entity, type NeighbourPage, type GraphRef } from "../api";
import { relationRank } from "../relationOrder";
import type { Expansion } from "./expansion";
import { buildScene, sidesOf, MORE_STEP, type ExpandedEntity } from "./scene";

export type SceneState = ReturnType<typeof useScene>;

const combineEntities = combineQueries<Entity>;
const combinePages = combineQueries<NeighbourPage>;

/** What is open, read from the server piece by piece and put together. */
export function useScene(where: GraphRef, focus: string, opening: Expansion) {
  const ids = [focus, ...opening.expanded.filter((id) => id !== focus)];
  const entities = useQueries({ queries: ids.map((id) => entityQuery(where, id)), combine: combineEntities });
  const openSides = useMemo(
    () =>
      entities.data.flatMap((entity) =>
        entity ? sidesOf(entity, opening, entity.id === focus).map((side) => ({ entity, ...side })) : [],
      ),
    [entities.data, opening, focus],
  );
  const pages = useQueries({
    queries: openSides.map(({ entity, relation, limit }) =>
      neighboursQuery(where, entity.id, relation, Math.ceil(limit / MORE_STEP) * MORE_STEP),
    ),
    combine: combinePages,
  });
  const opened = useMemo(() => {
    const sides = openSides.map((side, at) => ({ ...side, page: pages.data[at] }));
    return entities.data.flatMap((entity): ExpandedEntity[] =>
      entity ? [{ entity, sides: sides.filter((side) => side.entity === entity) }] : [],
    );
  }, [entities.data, openSides, pages.data]);
  const { scene, isLoadingEdges, failure, again } = useEdgesBetween(where, focus, opened, pages.isComplete);
  const relations = useMemo(() => sceneRelations(entities.data), [entities.data]);
  return {
    scene,
    snapshot: entities.data[0]?.snapshot ?? null,
    /** Edges of the focus that a cut-off leaves out. Of an edge between two others both would count it. */
    undated: openSides.reduce((sum, { entity }, at) => sum + (entity.id === focus ? (pages.data[at]?.undated ?? 0) : 0), 0),
    /** Every relation of what is open, hidden ones too. */
    relations,
    isLoading: entities.isLoading || pages.isLoading || isLoadingEdges,
    error: entities.error ?? pages.error ?? failure,
    retry: () => {
      entities.retry();
      pages.retry();
      if (failure) again();
    },
  };
}

/** Once all neighbours are there: the edges among them too. Without these it would show that nothing links them. */
function useEdgesBetween(where: GraphRef, focus: string, opened: ExpandedEntity[], isWhole: boolean) {
  const looks = useTypeStyles();
  const base = useMemo(() => (opened.length > 0 ? buildScene(focus, opened, [], looks) : null), [focus, opened, looks]);
  const ids = useMemo(
    () => (base && isWhole ? base.nodes.filter(({ kind }) => kind === "entity").map(({ id }) => id) : []),
    [base, isWhole],
  );
  const across = useQuery({ ...subgraphQuery(where, ids), placeholderData: keepPreviousData });
  const edges = across.data?.edges;
  const scene = useMemo(() => (edges ? buildScene(focus, opened, edges, looks) : base), [base, focus, opened, edges, looks]);
  return { scene, isLoadingEdges: across.isFetching, failure: across.error, again: () => void across.refetch() };
}

function sceneRelations(entities: (Entity | undefined)[]): { relation: string; phrase: string }[] {
  const named = new Map<string, string>();
  for (const entity of entities) {
    for (const { relation, phrase } of entity?.relations ?? []) if (!named.has(relation)) named.set(relation, phrase);
  }
  return [...named].map(([relation, phrase]) => ({ relation, phrase })).toSorted((a, b) => relationRank(a) - relationRank(b));
}
