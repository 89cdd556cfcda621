import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import { Link, useNavigate, useSearchParams, type To } from "react-router";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entityPlace, searchPlace } from "@/lib/graphs/places";
import { graphQuery, type Graph, type GraphDetail } from "@/lib/graphs/reading";
import { useLetterKeys } from "@/lib/keysSetting";
import { isMissing } from "@/lib/problems";
import { EntityBox } from "./EntityBox";
import { looksOf } from "@/lib/graphs/looks";
import styles from "./GraphFrame.module.css";
import { useHere } from "./useHere";
import { LooksContext } from "./useLooks";
import { useWhere } from "./useWhere";

/** What surrounds every page of one graph: its name, its search, and word of an older version. */
export function GraphFrame({ children }: { children: (graph: GraphDetail) => ReactNode }) {
  const where = useWhere();
  const graph = useQuery(graphQuery(where.slug));
  const types = graph.data?.types;
  const looks = useMemo(() => looksOf(types?.map(({ name }) => name) ?? []), [types]);
  return (
    <LooksContext value={looks}>
      <div className={styles.frame}>
        <div className={styles.strip}>
          <Link to={searchPlace(where)} className={styles.graphName}>
            {graph.data?.name ?? (graph.isError ? where.slug : "Graph")}
          </Link>
          {!graph.isError && <SearchBox />}
        </div>
        {graph.data && <Pinned graph={graph.data} />}
        {graph.data && children(graph.data)}
        {graph.isPending && (
          <div aria-busy="true" className={styles.waiting}>
            <SkeletonRows rows={5} height={44} />
          </div>
        )}
        {graph.isError && (
          <div className={styles.waiting}>
            <h1>{isMissing(graph.error) ? "This graph is not here" : "This graph could not be read"}</h1>
            <Failure error={graph.error} onRetry={() => void graph.refetch()} busy={graph.isFetching} />
            <p>
              <Link to="/explore">All graphs</Link>
            </p>
          </div>
        )}
      </div>
    </LooksContext>
  );
}

function SearchBox() {
  const where = useWhere();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const q = params.get("q") ?? "";
  useSlash(() => {
    input.current?.focus();
    input.current?.select();
  });
  /** She leaves the field, so that the page where she arrives may take the focus. */
  const go = (place: To) => {
    input.current?.blur();
    void navigate(place);
  };
  return (
    <div className={styles.search} role="search">
      <EntityBox
        key={`${where.slug} ${q}`}
        where={where}
        label="Search entities"
        isLabelHidden
        initial={q}
        inputRef={input}
        onPick={(hit) => go(entityPlace(where, hit.id))}
        onSubmit={(text) => go(searchPlace(where, text))}
      />
    </div>
  );
}

/** '/' goes to the search, unless single letters are switched off or one is writing. */
function useSlash(go: () => void) {
  const [letters] = useLetterKeys();
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  // Before the page is shown: who sees the field may press the key.
  useLayoutEffect(() => {
    if (!letters) return;
    const press = (event: KeyboardEvent) => {
      const writing = (event.target as HTMLElement | null)?.closest("input, textarea, select, [role=dialog]");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writing) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [letters]);
}

/** An address may hold on to a version; then the page says so, and the way to the newest. */
function Pinned({ graph }: { graph: Graph }) {
  const { snapshot } = useWhere();
  const [, setParams] = useSearchParams();
  const here = useHere();
  if (!snapshot || snapshot === graph.latest) return null;
  const version = graph.versions.find((one) => one.snapshot === snapshot);
  const toNewest = () => {
    const rest = here();
    rest.delete("snapshot");
    setParams(rest);
  };
  return (
    <div className={styles.pinned}>
      <Notice tone={version ? "plain" : "warn"}>
        <p>
          {version
            ? `This is version ${version.number} of the graph, as the link asks. There is a newer one.`
            : "The link asks for a version that this graph does not have."}{" "}
          <button type="button" className={styles.asLink} onClick={toNewest}>
            Show the newest version
          </button>
        </p>
      </Notice>
    </div>
  );
}
