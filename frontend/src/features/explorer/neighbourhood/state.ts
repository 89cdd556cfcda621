/** What of a neighbourhood is open: kept in the address, so that a link and 'undo' restore it exactly. */

export interface Opening {
  /** Entities whose neighbours are shown besides the focus's, in the order of opening. */
  open: string[];
  /** How many neighbours of one side are shown, where it is not the first few. */
  more: ReadonlyMap<string, number>;
  /** Relations that are left out. */
  hide: string[];
}

/** One side of an entity: the same words wherever it is a key. */
export function sideOf(id: string, relation: string, outgoing: boolean): string {
  return JSON.stringify([id, relation, outgoing]);
}

const OWN = ["open", "more", "hide"];

export function readOpening(params: URLSearchParams): Opening {
  const more = new Map<string, number>();
  for (const text of params.getAll("more")) {
    const at = text.indexOf(".");
    const take = Number(text.slice(0, at));
    if (Number.isInteger(take) && take > 0) more.set(text.slice(at + 1), take);
  }
  return { open: [...new Set(params.getAll("open"))], more, hide: [...new Set(params.getAll("hide"))] };
}

/** The same address with this opening in place of its own. */
export function withOpening(params: URLSearchParams, { open, more, hide }: Opening): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of OWN) next.delete(name);
  for (const id of open) next.append("open", id);
  for (const [side, take] of more) next.append("more", `${take}.${side}`);
  for (const relation of hide) next.append("hide", relation);
  return next;
}

export function toggled(opening: Opening, id: string): Opening {
  if (!opening.open.includes(id)) return { ...opening, open: [...opening.open, id] };
  const more = new Map([...opening.more].filter(([side]) => ownerOf(side) !== id));
  return { ...opening, open: opening.open.filter((other) => other !== id), more };
}

export function withMore(opening: Opening, side: string, take: number): Opening {
  return { ...opening, more: new Map([...opening.more, [side, take]]) };
}

export function withHidden(opening: Opening, hide: string[]): Opening {
  return { ...opening, hide };
}

function ownerOf(side: string): unknown {
  try {
    const read = JSON.parse(side) as unknown;
    return Array.isArray(read) ? read[0] : null;
  } catch {
    // Somebody wrote into the address: such a side belongs to nobody.
    return null;
  }
}
