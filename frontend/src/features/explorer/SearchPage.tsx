import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { GraphSearchField } from "@/domains/graphs/GraphSearchField";
import { entityUrl, graphUrl, searchUrl } from "@/domains/graphs/graphUrls";
import { matchLabel } from "@/domains/graphs/labels";
import { TypeIcon, TypeLabel } from "@/domains/graphs/TypeIcon";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { readChoice } from "@/lib/choices";
import { formatCount, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { searchQuery, type SearchResult, type Graph, type GraphDetail, type SearchHit, type SearchMode } from "./api";
import styles from "./Explorer.module.css";
import { ExplorerFrame } from "./ExplorerFrame";
import { GraphLanding } from "./GraphLanding";
import { TypeList } from "./TypeList";

const MAX_HITS = 50;
const MODES: { value: SearchMode; label: string }[] = [
  { value: "names", label: "Names" },
  { value: "documents", label: "Documents" },
  { value: "hybrid", label: "Both" },
];

/** A graph's front page, and what was found in it. */
export function SearchPage() {
  return <ExplorerFrame>{(graph) => <SearchView graph={graph} />}</ExplorerFrame>;
}

function SearchView({ graph }: { graph: GraphDetail }) {
  const [params] = useSearchParams();
  const q = params.get("q") ?? "";
  const [type] = params.getAll("type");
  if (q.trim()) return <Results key={q} q={q} graph={graph} />;
  return type === undefined ? <GraphLanding graph={graph} /> : <TypeList key={type} graph={graph} type={type} />;
}

function useFilters() {
  const [params, changeParams] = useUrlParams();
  const types = params.getAll("type");
  const mode = readChoice(MODES, params.get("mode"), "names");
  const toggle = (type: string) =>
    changeParams({ type: types.includes(type) ? types.filter((other) => other !== type) : [...types, type] });
  const setMode = (value: SearchMode) => changeParams({ mode: value });
  return { types, mode, toggle, setMode };
}

function Results({ q, graph }: { q: string; graph: Graph }) {
  const where = useGraphParams();
  const { types, mode, toggle, setMode } = useFilters();
  const search = useQuery({ ...searchQuery(where, { q, types, mode, limit: MAX_HITS }), placeholderData: keepPreviousData });
  const namesNothing = mode === "names" && types.length === 0 && search.data?.results.length === 0 && !search.isPlaceholderData;
  return (
    <Page title={`“${q}”`} aside={<span className={styles.quiet}>in {graph.name}</span>}>
      <GraphSearchField />
      <SegmentedControl label="Search in" options={MODES} value={mode} onChange={setMode} />
      <QueryBoundary query={search} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(data) => (
          <>
            <Facets facets={data.facets} chosen={types} onToggle={toggle} />
            {namesNothing
              ? <DocumentHits q={q} />
              : <HitList result={data} q={q} mode={mode} isStale={search.isPlaceholderData} isNarrowed={types.length > 0} />}
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

/** The types among what was found; a chosen one stays even where nothing of it is left. */
function Facets({ facets, chosen, onToggle }: { facets: SearchResult["facets"]; chosen: string[]; onToggle: (type: string) => void }) {
  const missing = chosen.filter((type) => !facets.some((facet) => facet.type === type));
  const all = [...facets, ...missing.map((type) => ({ type, count: 0 }))];
  if (all.length < 2 && chosen.length === 0) return null;
  return (
    <div role="group" aria-label="Types" className={styles.facets}>
      {all.map((facet) => (
        <button
          key={facet.type}
          type="button"
          className={styles.facet}
          aria-pressed={chosen.includes(facet.type)}
          onClick={() => onToggle(facet.type)}
        >
          <TypeIcon type={facet.type} />
          {facet.type} <span className="number">{formatCount(facet.count)}</span>
        </button>
      ))}
    </div>
  );
}

/** A phrase that names nothing may still be in a document. */
function DocumentHits({ q }: { q: string }) {
  const where = useGraphParams();
  const search = useQuery(searchQuery(where, { q, types: [], mode: "documents", limit: MAX_HITS }));
  return (
    <>
      <p>No entity has a name, synonym or identifier like this.</p>
      <QueryBoundary query={search} skeleton={<SkeletonRows rows={4} height={56} />}>
        {(data) => data.results.length === 0
          ? <EmptyState>No document contains these words either. Check the spelling or use other words.</EmptyState>
          : (
            <section aria-labelledby="in-documents">
              <h2 id="in-documents">Documents about “{q}”</h2>
              <HitList result={data} q={q} mode="documents" isStale={false} isNarrowed={false} />
            </section>
          )}
      </QueryBoundary>
    </>
  );
}

interface HitProps {
  result: SearchResult;
  q: string;
  mode: SearchMode;
  isStale: boolean;
  /** To some types. */
  isNarrowed: boolean;
}

function HitList({ result, q, mode, isStale, isNarrowed }: HitProps) {
  const { results } = result;
  if (results.length === 0 && !isStale) return <NoHits q={q} mode={mode} isNarrowed={isNarrowed} />;
  return (
    <section aria-label="Results" aria-busy={isStale}>
      <p className={styles.quiet} role="status">
        {results.length < MAX_HITS ? formatPlural(results.length, "result") : `The best ${MAX_HITS} are shown.`}
      </p>
      <ol className={styles.hits}>{results.map((hit) => <HitRow key={hit.id} hit={hit} q={q} />)}</ol>
    </section>
  );
}

function NoHits({ q, mode, isNarrowed }: Pick<HitProps, "q" | "mode" | "isNarrowed">) {
  const where = useGraphParams();
  const clearFilters = isNarrowed ? "remove a type filter, " : "";
  if (mode === "names") {
    return (
      <EmptyState>
        No entity has a name, synonym or identifier like this. Check the spelling, {clearFilters}or{" "}
        <Link to={graphUrl(where, "", { q, mode: "documents" })}>search in the documents</Link>.
      </EmptyState>
    );
  }
  return (
    <EmptyState>
      No document contains this. Use other words, {clearFilters}or <Link to={searchUrl(where, q)}>search among the names</Link>.
    </EmptyState>
  );
}

function HitRow({ hit, q }: { hit: SearchHit; q: string }) {
  const where = useGraphParams();
  const note = matchLabel(hit);
  return (
    <li className={styles.hit}>
      <span className={styles.hitName}>
        <Link to={entityUrl(where, hit.id, { q })}>{hit.name}</Link>
        <TypeLabel type={hit.type} />
      </span>
      <span className={styles.quiet}>{[note, hit.id, formatPlural(hit.degree, "edge")].filter(Boolean).join(" · ")}</span>
      {hit.matched.snippet && (
        <span className={styles.snippet}>
          {hit.matched.snippet.title && <b>{hit.matched.snippet.title}: </b>}
          {hit.matched.snippet.text}
          {hit.matched.snippet.source && <span className={styles.quiet}> Source: {hit.matched.snippet.source}</span>}
        </span>
      )}
    </li>
  );
}
