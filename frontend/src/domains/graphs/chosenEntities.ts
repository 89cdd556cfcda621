/** The entities chosen on the pages of a graph: each page of the explorer starts from those of the last. */
import { tabStorage } from "@/lib/storage";

export interface ChosenEntities {
  /** In the order of choice: the first is the focus, the start of paths. */
  ids: string[];
  /** Those of the two sets of the serendipity page; empty where none were named there. */
  existing: string[];
  serendipity: string[];
}

export type GraphPlace = "search" | "entity" | "neighbourhood" | "paths" | "compare" | "serendipity";

const NONE: ChosenEntities = { ids: [], existing: [], serendipity: [] };
const KEY = "serendib-chosen";

const keyOf = (slug: string) => `${KEY} ${slug}`;

export function readChosen(slug: string): ChosenEntities {
  try {
    return { ...NONE, ...(JSON.parse(tabStorage.read(keyOf(slug)) ?? "{}") as Partial<ChosenEntities>) };
  } catch {
    return NONE;
  }
}

export function writeChosen(slug: string, chosen: ChosenEntities): void {
  tabStorage.write(keyOf(slug), JSON.stringify(chosen));
}

/** The entities that the address of a page names. */
function namedIds(place: GraphPlace, params: URLSearchParams, curie: string | undefined): string[] {
  const named: Record<GraphPlace, string[]> = {
    search: [],
    entity: [curie ?? ""],
    neighbourhood: [params.get("focus") ?? ""],
    paths: [params.get("from") ?? "", ...params.getAll("to")],
    compare: params.getAll("id"),
    serendipity: [...params.getAll("existing"), ...params.getAll("serendipity")],
  };
  return [...new Set(named[place].filter(Boolean))];
}

/**
 * What is chosen on this page, given what was chosen before. A page of one entity keeps the others
 * where that entity was among them; a page of several replaces them all.
 */
export function chosenOn(place: GraphPlace, params: URLSearchParams, curie: string | undefined, before: ChosenEntities): ChosenEntities {
  const named = namedIds(place, params, curie);
  const [first] = named;
  if (!first) return before;
  const showsOne = place === "entity" || place === "neighbourhood";
  const ids = showsOne && before.ids.includes(first) ? [first, ...before.ids.filter((id) => id !== first)] : named;
  const sets = place === "serendipity"
    ? { existing: params.getAll("existing"), serendipity: params.getAll("serendipity") }
    : { existing: before.existing.filter((id) => ids.includes(id)), serendipity: before.serendipity.filter((id) => ids.includes(id)) };
  return { ids, ...sets };
}
