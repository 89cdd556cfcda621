import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Breadcrumb } from "@/components/Breadcrumb";
import { Notice } from "@/components/Notice";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { isNotFound } from "@/lib/errorMessages";
import { useCurrentSearchParams } from "@/lib/useUrlParams";
import styles from "./GraphFrame.module.css";
import { graphQuery, type Graph, type GraphDetail } from "./graphQueries";
import { GraphTabs } from "./GraphTabs";
import { searchUrl } from "./graphUrls";
import { typeStyles } from "./typeStyles";
import { useGraphParams } from "./useGraphParams";
import { TypeStylesContext } from "./useTypeStyles";

interface Props {
  /** Shown above the page: what else there is to know about it. */
  notice?: ReactNode;
  /** What this page is called among the pages of the graph; none on the graph's own. */
  current?: string;
  children: (graph: GraphDetail) => ReactNode;
}

/** What surrounds every page of one graph: its name, its places, and a notice about an older version. */
export function GraphFrame({ notice, current, children }: Props) {
  const graphRef = useGraphParams();
  const graph = useQuery(graphQuery(graphRef.slug));
  const types = graph.data?.types;
  const looks = useMemo(() => typeStyles(types?.map(({ name }) => name) ?? []), [types]);
  return (
    <TypeStylesContext value={looks}>
      <div className={styles.frame}>
        <div className={styles.strip}>
          <Breadcrumb
            label="Graph"
            {...(current && { current })}
            parents={[
              { to: "/explore", label: "Explore" },
              { to: searchUrl(graphRef), label: graph.data?.name ?? graphRef.slug },
            ]}
          />
          {!graph.isError && <GraphTabs />}
        </div>
        {graph.data && <div className={styles.notices}>{notice}<SnapshotNotice graph={graph.data} /></div>}
        {graph.data && children(graph.data)}
        {graph.isPending && <div aria-busy="true" className={styles.waiting}><SkeletonRows rows={5} height={44} /></div>}
        {graph.isError && (
          <div className={styles.waiting}>
            <h1>{isNotFound(graph.error) ? "Graph not found" : "The graph could not be loaded"}</h1>
            <LoadError error={graph.error} onRetry={() => void graph.refetch()} isBusy={graph.isFetching} />
            <p><Link to="/explore">All graphs</Link></p>
          </div>
        )}
      </div>
    </TypeStylesContext>
  );
}

/** Shown where the address names a version that is not the newest. */
function SnapshotNotice({ graph }: { graph: Graph }) {
  const { snapshot } = useGraphParams();
  const [, setParams] = useSearchParams();
  const here = useCurrentSearchParams();
  if (!snapshot || snapshot === graph.latest) return null;
  const version = graph.versions.find((one) => one.snapshot === snapshot);
  const toNewest = () => {
    const rest = here();
    rest.delete("snapshot");
    setParams(rest);
  };
  return (
    <Notice tone={version ? "plain" : "warn"}>
      <p>
        {version
          ? `This is version ${version.number} of the graph. A newer version exists.`
          : "This graph does not have the version that the link names."}{" "}
        <button type="button" className={styles.asLink} onClick={toNewest}>Show the newest version</button>
      </p>
    </Notice>
  );
}
