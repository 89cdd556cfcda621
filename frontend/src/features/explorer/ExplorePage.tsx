import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigation } from "react-router";
import { ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { canOpen } from "@/domains/accounts/permissions";
import { useCurrentUser } from "@/lib/currentUser";
import { formatPlural } from "@/lib/format";
import { graphsQuery, type Graph } from "./api";
import styles from "./Explorer.module.css";

/** The graphs to look into; where there is but one and nothing else to do, straight into it. */
export function ExplorePage() {
  const graphs = useQuery(graphsQuery);
  const me = useCurrentUser();
  const canImport = Boolean(me && canOpen(me, "coordinator"));
  // A link that was pressed meanwhile is followed, not the way into the graph.
  const isLeaving = useNavigation().state !== "idle";
  const [only, ...others] = graphs.data ?? [];
  if (only && others.length === 0 && me !== undefined && !canImport && !isLeaving) {
    return <Navigate to={`/explore/${encodeURIComponent(only.slug)}`} replace />;
  }
  return (
    <Page
      title="Explore"
      intro="Knowledge graphs of drugs, diseases and what links them. Every link shows its evidence, where the source gives it."
      actions={(
        <>
          {graphs.data && graphs.data.length > 1 && <ButtonLink to="/networks">Compare networks</ButtonLink>}
          {canImport && <ButtonLink to="/explore/import">Import a graph</ButtonLink>}
        </>
      )}
    >
      <QueryBoundary query={graphs} skeleton={<SkeletonRows rows={3} height={96} />} empty={<NoGraphs mayImport={canImport} />}>
        {(all) => <ul className={styles.graphs}>{all.map((graph) => <GraphRow key={graph.id} graph={graph} />)}</ul>}
      </QueryBoundary>
    </Page>
  );
}

function NoGraphs({ mayImport }: { mayImport: boolean }) {
  return (
    <EmptyState action={mayImport && <ButtonLink to="/explore/import" variant="primary">Import a graph</ButtonLink>}>
      No graph yet. A coordinator or an administrator can import one.
    </EmptyState>
  );
}

function GraphRow({ graph }: { graph: Graph }) {
  const newest = graph.versions.find(({ snapshot }) => snapshot === graph.latest);
  return (
    <li>
      <h2>
        <Link to={`/explore/${encodeURIComponent(graph.slug)}`}>{graph.name}</Link>{" "}
        {graph.visibility !== "public" && <Tag>{graph.visibility === "study" ? "shared with a study" : graph.visibility}</Tag>}
      </h2>
      {graph.description && <p>{graph.description}</p>}
      <p className={styles.quiet}>
        {newest
          ? `${formatPlural(newest.entities, "entity", "entities")}, ${formatPlural(newest.edges, "edge")}, version ${newest.number}`
          : "no version yet"}
        {graph.licence && `, ${graph.licence}`}
      </p>
    </li>
  );
}
