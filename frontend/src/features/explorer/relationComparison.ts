/** What entities share and where they differ, relation by relation. */
import type { Entity, EntityBrief, NeighbourPage, RelationCount } from "./api";

export interface RelationComparison {
  key: string;
  phrase: string;
  /** How many neighbours each has, in the order of the entities. */
  counts: number[];
  /** Neighbours of several: by how many, then by name. */
  shared: { entity: EntityBrief; holders: number[] }[];
  /** Neighbours of one alone. */
  exclusive: EntityBrief[][];
  /** Where more exist than were read, the comparison is of the first. */
  isPartial: boolean;
}

export interface ComparedEntity {
  entity: Entity;
  /** By `relationKey`; absent where the entity has no such relation. */
  pages: ReadonlyMap<string, NeighbourPage>;
}

/** What the entities are compared by. Of a symmetric relation both sides are one: either end may have been written first. */
export function relationKey({ relation, outgoing, symmetric }: RelationCount): string {
  return `${symmetric ? "both" : outgoing ? "out" : "in"}.${relation}`;
}

export function allRelations(entities: Entity[]): (RelationCount & { key: string })[] {
  const sides = new Map<string, RelationCount & { key: string }>();
  for (const side of entities.flatMap(({ relations }) => relations)) {
    const key = relationKey(side);
    if (!sides.has(key)) sides.set(key, { ...side, key });
  }
  return [...sides.values()];
}

export function compareRelation(side: RelationCount & { key: string }, all: ComparedEntity[]): RelationComparison {
  const holders = new Map<string, { entity: EntityBrief; holders: Set<number> }>();
  all.forEach(({ pages }, at) => {
    for (const { entity } of pages.get(side.key)?.results ?? []) {
      const known = holders.get(entity.id) ?? { entity, holders: new Set() };
      known.holders.add(at);
      holders.set(entity.id, known);
    }
  });
  const rows = [...holders.values()].map(({ entity, holders: held }) => ({ entity, holders: [...held].toSorted() }))
    .toSorted((a, b) => b.holders.length - a.holders.length || a.entity.name.localeCompare(b.entity.name));
  return {
    key: side.key,
    phrase: side.phrase,
    counts: all.map(({ pages }) => pages.get(side.key)?.count ?? 0),
    shared: rows.filter(({ holders: held }) => held.length > 1),
    exclusive: all.map((_, at) => rows.filter(({ holders: [only, ...rest] }) => only === at && rest.length === 0).map(({ entity }) => entity)),
    isPartial: all.some(({ pages }) => {
      const page = pages.get(side.key);
      return page !== undefined && page.results.length < page.count;
    }),
  };
}
