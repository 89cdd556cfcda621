import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { Segments } from "@/components/Segments";
import { SkeletonRows } from "@/components/SkeletonRows";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { TypeMark, TypeWord } from "@/components/graph/TypeMark";
import { useWhere } from "@/components/graph/useWhere";
import { count, longDay, plural } from "@/lib/format";
import { entityPlace, rnsPlace } from "@/lib/graphs/places";
import { matchWords } from "@/lib/graphs/words";
import { searchQuery, type Found, type Graph, type GraphDetail, type Hit, type Mode } from "./api";
import styles from "./Explorer.module.css";

const LIMIT = 50;
const MODES: { value: Mode; label: string }[] = [
  { value: "names", label: "Names" },
  { value: "documents", label: "Documents" },
  { value: "hybrid", label: "Both" },
];

/** A graph's front page, and what was found in it. */
export function SearchPage() {
  return <GraphFrame>{(graph) => <Searched graph={graph} />}</GraphFrame>;
}

function Searched({ graph }: { graph: GraphDetail }) {
  const [params] = useSearchParams();
  const q = params.get("q") ?? "";
  return q.trim() ? <Results q={q} graph={graph} /> : <About graph={graph} />;
}

function About({ graph }: { graph: GraphDetail }) {
  const where = useWhere();
  const version = graph.versions.find(({ snapshot }) => snapshot === (where.snapshot ?? graph.latest));
  return (
    <Page title={graph.name} lead={graph.description}>
      <dl className={styles.facts}>
        {version && (
          <>
            <dt>Holds</dt>
            <dd>{plural(version.entities, "entity", "entities")}, {plural(version.edges, "edge")}</dd>
            <dt>Version</dt>
            <dd>{version.number}, {longDay(version.created_at)}</dd>
            <dt>Snapshot</dt>
            <dd className={styles.code}>{version.snapshot}</dd>
          </>
        )}
        {graph.licence && (<><dt>Licence</dt><dd>{graph.licence}</dd></>)}
        {graph.citation && (<><dt>Cite as</dt><dd>{graph.citation}</dd></>)}
      </dl>
      <ul aria-label="Types" className={styles.types}>
        {graph.types.map((type) => (
          <li key={type.name}><TypeWord type={type.name} /> <span className="number">{count(type.count)}</span></li>
        ))}
      </ul>
      <Empty>
        Type a name, a synonym or an identifier above. A suggestion opens its page; Enter lists everything that was found.
      </Empty>
      <p>
        <Link to={rnsPlace(where)}>Measure the serendipity of two sets</Link>
      </p>
    </Page>
  );
}

function useFilters() {
  const [params, setParams] = useSearchParams();
  const types = params.getAll("type");
  const asked = params.get("mode");
  const mode = MODES.find(({ value }) => value === asked)?.value ?? "names";
  const change = (edit: (next: URLSearchParams) => void) => {
    const next = new URLSearchParams(params);
    edit(next);
    setParams(next, { replace: true });
  };
  const toggle = (type: string) =>
    change((next) => {
      next.delete("type");
      for (const one of types.includes(type) ? types.filter((other) => other !== type) : [...types, type]) next.append("type", one);
    });
  const setMode = (value: Mode) => change((next) => next.set("mode", value));
  return { types, mode, toggle, setMode };
}

function Results({ q, graph }: { q: string; graph: Graph }) {
  const where = useWhere();
  const { types, mode, toggle, setMode } = useFilters();
  const found = useQuery({
    ...searchQuery(where, { q, types, mode, limit: LIMIT }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={`“${q}”`} aside={<span className={styles.quiet}>in {graph.name}</span>}>
      <Segments label="Search in" options={MODES} value={mode} onChange={setMode} />
      <Loadable query={found} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(data) => (
          <>
            <Facets facets={data.facets} chosen={types} onToggle={toggle} />
            <HitList found={data} q={q} mode={mode} isOld={found.isPlaceholderData} isNarrowed={types.length > 0} />
          </>
        )}
      </Loadable>
    </Page>
  );
}

interface FacetProps {
  facets: Found["facets"];
  chosen: string[];
  onToggle: (type: string) => void;
}

/** The types among what was found; a chosen one stays even where nothing of it is left. */
function Facets({ facets, chosen, onToggle }: FacetProps) {
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
          <TypeMark type={facet.type} />
          {facet.type} <span className="number">{count(facet.count)}</span>
        </button>
      ))}
    </div>
  );
}

interface HitProps {
  found: Found;
  q: string;
  mode: Mode;
  isOld: boolean;
  /** To some types. */
  isNarrowed: boolean;
}

function HitList({ found, q, mode, isOld, isNarrowed }: HitProps) {
  const { results } = found;
  const takeOff = isNarrowed ? "take a type off, " : "";
  if (results.length === 0 && !isOld) {
    return (
      <Empty>
        {mode === "names"
          ? `Nothing has a name, a synonym or an identifier like this. Check the spelling, ${takeOff}or search in the documents.`
          : `No document speaks of this. Use other words, ${takeOff}or search among the names.`}
      </Empty>
    );
  }
  return (
    <section aria-label="Results" aria-busy={isOld}>
      <p className={styles.quiet} role="status">
        {results.length < LIMIT ? plural(results.length, "result") : `The best ${LIMIT} are shown.`}
      </p>
      <ol className={styles.hits}>
        {results.map((hit) => <HitRow key={hit.id} hit={hit} q={q} />)}
      </ol>
    </section>
  );
}

function HitRow({ hit, q }: { hit: Hit; q: string }) {
  const where = useWhere();
  const note = matchWords(hit);
  return (
    <li className={styles.hit}>
      <span className={styles.hitName}>
        <Link to={entityPlace(where, hit.id, { q })}>{hit.name}</Link>
        <TypeWord type={hit.type} />
      </span>
      <span className={styles.quiet}>
        {[note, hit.id, plural(hit.degree, "edge")].filter(Boolean).join(" · ")}
      </span>
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
