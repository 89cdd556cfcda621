/** What of a neighbourhood is open: kept in the address, so that a link and 'undo' restore it exactly. */

export interface Expansion {
  /** Entities whose neighbours are shown besides the focus's, in the order of opening. */
  expanded: string[];
  /** How many neighbours of one side are shown, where it is not the first few. */
  limits: ReadonlyMap<string, number>;
  /** Relations that are left out. */
  hiddenRelations: string[];
}

/** One side of an entity: the same words wherever it is a key. */
export function sideKey(id: string, relation: string, outgoing: boolean): string {
  return JSON.stringify([id, relation, outgoing]);
}

const PARAM_NAMES = ["open", "more", "hide"];

export function readExpansion(params: URLSearchParams): Expansion {
  const limits = new Map<string, number>();
  for (const text of params.getAll("more")) {
    const at = text.indexOf(".");
    const take = Number(text.slice(0, at));
    if (Number.isInteger(take) && take > 0) limits.set(text.slice(at + 1), take);
  }
  return { expanded: [...new Set(params.getAll("open"))], limits, hiddenRelations: [...new Set(params.getAll("hide"))] };
}

/** The same address with this opening in place of its own. */
export function withExpansion(params: URLSearchParams, { expanded, limits, hiddenRelations }: Expansion): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of PARAM_NAMES) next.delete(name);
  for (const id of expanded) next.append("open", id);
  for (const [side, take] of limits) next.append("more", `${take}.${side}`);
  for (const relation of hiddenRelations) next.append("hide", relation);
  return next;
}

export function toggleEntity(opening: Expansion, id: string): Expansion {
  if (!opening.expanded.includes(id)) return { ...opening, expanded: [...opening.expanded, id] };
  const limits = new Map([...opening.limits].filter(([side]) => sideEntity(side) !== id));
  return { ...opening, expanded: opening.expanded.filter((other) => other !== id), limits };
}

export function withLimit(opening: Expansion, side: string, take: number): Expansion {
  return { ...opening, limits: new Map([...opening.limits, [side, take]]) };
}

export function withHiddenRelations(opening: Expansion, hiddenRelations: string[]): Expansion {
  return { ...opening, hiddenRelations };
}

function sideEntity(side: string): unknown {
  try {
    const read = JSON.parse(side) as unknown;
    return Array.isArray(read) ? read[0] : null;
  } catch {
    // Somebody wrote into the address: such a side belongs to nobody.
    return null;
  }
}
