import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { matchPath, useLocation } from "react-router";
import { graphsQuery, type GraphRef } from "@/domains/graphs/graphQueries";
import { searchUrl } from "@/domains/graphs/graphUrls";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { recentPlaces } from "@/lib/recentPlaces";
import { useDebounced } from "@/lib/useDebounced";
import { recentGroups, resultGroups, siteSearchQuery, type SearchGroup, type SiteSearchResult } from "./siteSearch";

const DEBOUNCE_MS = 150;
export const ALL_GRAPHS = "";

/** The graph of the page that the search is on, with the version that its address names. */
function usePageGraph(): GraphRef | null {
  const { pathname, search } = useLocation();
  const slug = matchPath("/explore/:slug/*", pathname)?.params.slug;
  if (!slug || slug === "view" || slug === "import") return null;
  return { slug, snapshot: new URLSearchParams(search).get("snapshot") };
}

/** The graph that is searched: that of the page until another one is chosen, until a page of another graph opens. */
function useChosenGraph() {
  const page = usePageGraph();
  const [chosen, setChosen] = useState<{ slug: string; onPage: string | undefined } | null>(null);
  // Before the page is drawn: a way back to the first graph does not bring the choice back.
  if (chosen !== null && chosen.onPage !== page?.slug) setChosen(null);
  const slug = chosen !== null && chosen.onPage === page?.slug ? chosen.slug : (page?.slug ?? ALL_GRAPHS);
  const where = slug === ALL_GRAPHS ? null : { slug, snapshot: page?.slug === slug ? page.snapshot : null };
  const choose = (graph: string) => setChosen({ slug: graph, onPage: page?.slug });
  return { slug, where, choose, clearChoice: () => setChosen(null) };
}

export function useSiteSearch(isOpen: boolean) {
  const [text, setText] = useState("");
  const { slug, where, choose, clearChoice } = useChosenGraph();
  const typed = text.trim();
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const search = useQuery({ ...siteSearchQuery(settled, where), enabled: isOpen && settled !== "", placeholderData: keepPreviousData });
  const graphs = useQuery({ ...graphsQuery, enabled: isOpen }).data ?? [];
  const me = useCurrentUser();
  const client = useQueryClient();
  const isStale = typed !== "" && (settled !== typed || search.isPlaceholderData || search.isPending);
  const groups = typed === "" ? recentGroups(recentPlaces(me?.id)) : listedGroups(search.data, where);

  /** Where Enter leads while no suggestion is chosen: all matches in the graph, or the best match of another kind. */
  const resultsUrl = async (): Promise<string | null> => {
    if (typed === "") return null;
    if (where) return searchUrl(where, typed);
    const result = await client.fetchQuery(siteSearchQuery(typed, null));
    const [best] = result.entities;
    if (best) return searchUrl({ slug: best.graph, snapshot: null }, typed);
    return resultGroups(result, null)[0]?.options[0]?.url ?? null;
  };
  return { text, setText, typed, slug, choose, clearChoice, graphs, groups, isStale, note: noteOf({ typed, isStale, groups, search }), resultsUrl };
}

function listedGroups(result: SiteSearchResult | undefined, where: GraphRef | null): SearchGroup[] {
  return result ? resultGroups(result, where) : [];
}

interface NoteState {
  typed: string;
  isStale: boolean;
  groups: SearchGroup[];
  search: { isError: boolean; error: Error | null; data: SiteSearchResult | undefined };
}

/** What stands below the list, or in its place. */
function noteOf({ typed, isStale, groups, search }: NoteState): string | null {
  if (typed === "") return groups.length > 0 ? null : "Search for entities, questions, releases and models.";
  if (search.isError) return errorMessage(search.error);
  if (groups.length === 0) return isStale ? "Searching" : "Nothing matches. Check the spelling, or choose another graph.";
  const skipped = search.data?.skipped_graphs ?? 0;
  return skipped > 0 ? `${formatPlural(skipped, "more graph is", "more graphs are")} not searched. Choose one above.` : null;
}
