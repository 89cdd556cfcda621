import { useEffect, useMemo } from "react";
import { Link, useLocation, useParams } from "react-router";
import { chosenOn, readChosen, writeChosen, type ChosenEntities, type GraphPlace } from "./chosenEntities";
import styles from "./GraphTabs.module.css";
import type { GraphRef } from "./graphQueries";
import { compareUrl, graphUrl, neighbourhoodUrl, pathsUrl, searchUrl } from "./graphUrls";
import { rnsUrl } from "./rnsUrls";
import { useGraphParams } from "./useGraphParams";

const MAX_COMPARED = 4;
const PLACE_OF_PATH: Record<string, GraphPlace> = {
  e: "entity",
  canvas: "neighbourhood",
  paths: "paths",
  compare: "compare",
  rns: "serendipity",
};

interface Tab {
  place: GraphPlace;
  label: string;
  to: string;
}

function tabsOf(where: GraphRef, { ids, existing, serendipity }: ChosenEntities, q: string): Tab[] {
  const [first, ...others] = ids;
  const sets = existing.length + serendipity.length > 0 ? { existing, serendipity } : { serendipity: ids.slice(0, 1), existing: others };
  return [
    { place: "search", label: "Search", to: searchUrl(where, q) },
    { place: "neighbourhood", label: "Neighbourhood", to: first ? neighbourhoodUrl(where, first) : graphUrl(where, "/canvas") },
    { place: "paths", label: "Paths", to: first ? pathsUrl(where, first, others) : graphUrl(where, "/paths") },
    { place: "compare", label: "Compare", to: compareUrl(where, ids.slice(0, MAX_COMPARED)) },
    { place: "serendipity", label: "Serendipity", to: rnsUrl(where, sets) },
  ];
}

/** The pages of the explorer, each with the entities that were chosen on the last. */
export function GraphTabs() {
  const where = useGraphParams();
  const { curie } = useParams();
  const { pathname, search } = useLocation();
  const [, , , part = ""] = pathname.split("/");
  const place = PLACE_OF_PATH[part] ?? "search";
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const chosen = useMemo(() => chosenOn(place, params, curie, readChosen(where.slug)), [place, params, curie, where.slug]);
  useEffect(() => writeChosen(where.slug, chosen), [where.slug, chosen]);
  // The page of an entity is none of these places, and the schema is a part of the graph's own.
  const isWhole = !pathname.endsWith("/file") && !pathname.endsWith("/paths/test") && part !== "schema";
  return (
    <nav aria-label="Explorer" className={styles.tabs}>
      {tabsOf(where, chosen, params.get("q") ?? "").map((tab) => (
        <Link
          key={tab.place}
          to={tab.to}
          className={styles.tab}
          data-label={tab.label}
          aria-current={tab.place === place ? (isWhole ? "page" : "true") : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
