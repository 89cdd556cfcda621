/** What the search of every page reads, and how its results are listed. */
import type { components } from "@/api/generated/schema";
import { API_BASE, apiUrl, type GraphRef } from "@/domains/graphs/graphQueries";
import { entityUrl } from "@/domains/graphs/graphUrls";
import { matchLabel } from "@/domains/graphs/labels";
import { formatPlural } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import type { RecentPlace } from "@/lib/recentPlaces";

export type SiteSearchResult = components["schemas"]["SiteSearch"];

interface SearchOption {
  title: string;
  note: string;
  url: string;
}

export interface SearchGroup {
  title: string;
  options: SearchOption[];
}

/** Null searches all graphs. */
export function siteSearchQuery(q: string, where: GraphRef | null) {
  const url = apiUrl(`${API_BASE}/search`, { q, graph: where?.slug, snapshot: where?.snapshot });
  const query = readQuery<SiteSearchResult>(["site-search", q, where?.slug, where?.snapshot], url, {
    enabled: q !== "",
    staleTime: 60_000,
  });
  // The next letter is the next attempt.
  return { ...query, retry: false };
}

export function resultGroups(result: SiteSearchResult, where: GraphRef | null): SearchGroup[] {
  const graphs = new Set(result.entities.map(({ graph }) => graph));
  const entities = result.entities.map((hit) => ({
    title: hit.name,
    note: [matchLabel(hit), hit.type, graphs.size > 1 && hit.graph_name].filter(Boolean).join(" · "),
    url: entityUrl({ slug: hit.graph, snapshot: where?.snapshot ?? null }, hit.id),
  }));
  const questions = result.questions.map(({ id, text, question_set }) => ({ title: text, note: question_set, url: `/workbench/${id}` }));
  const releases = result.releases.map(({ slug, name, track }) => ({ title: name, note: track, url: `/releases/${slug}` }));
  const models = result.models.map(({ slug, name, organisation }) => ({ title: name, note: organisation ?? "", url: `/models/${slug}` }));
  return [
    { title: "Entities", options: entities },
    { title: "Questions", options: questions },
    { title: "Releases", options: releases },
    { title: "Models", options: models },
  ].filter(({ options }) => options.length > 0);
}

export function recentGroups(places: RecentPlace[]): SearchGroup[] {
  const options = places.map(({ kind, title, url }) => ({ title, note: kind.toLowerCase(), url }));
  return options.length > 0 ? [{ title: "Opened last on this device", options }] : [];
}

const UNITS: Record<string, [string, string]> = {
  Entities: ["entity", "entities"],
  Questions: ["question", "questions"],
  Releases: ["release", "releases"],
  Models: ["model", "models"],
};

/** '6 entities, 1 question.', for screen readers. */
export function countSentence(groups: SearchGroup[]): string {
  const counts = groups.map(({ title, options }) => formatPlural(options.length, ...(UNITS[title] ?? ["recent page", "recent pages"])));
  return counts.length > 0 ? `${counts.join(", ")}.` : "";
}
