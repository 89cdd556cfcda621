import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { mayOpen } from "@/lib/access";
import { plural } from "@/lib/format";
import { useMe } from "@/lib/me";
import { graphsQuery, type Graph } from "./api";
import styles from "./Explorer.module.css";

/** The graphs to look into; where there is but one and nothing else to do, straight into it. */
export function ExplorePage() {
  const graphs = useQuery(graphsQuery);
  const me = useMe();
  const mayImport = Boolean(me && mayOpen(me, "coordinator"));
  const [only, ...others] = graphs.data ?? [];
  if (only && others.length === 0 && me !== undefined && !mayImport) {
    return <Navigate to={`/explore/${encodeURIComponent(only.slug)}`} replace />;
  }
  return (
    <Page
      title="Explore"
      lead="Knowledge graphs of drugs, diseases and what links them. Every link says what states it, or that its source does not say."
      actions={mayImport && <ButtonLink to="/explore/import">Import a graph</ButtonLink>}
    >
      <Loadable query={graphs} skeleton={<SkeletonRows rows={3} height={96} />}>
        {(all) => all.length === 0 ? <Nothing mayImport={mayImport} /> : (
          <ul className={styles.graphs}>
            {all.map((graph) => <GraphRow key={graph.id} graph={graph} />)}
          </ul>
        )}
      </Loadable>
    </Page>
  );
}

function Nothing({ mayImport }: { mayImport: boolean }) {
  return (
    <Empty action={mayImport && <ButtonLink to="/explore/import" look="primary">Import a graph</ButtonLink>}>
      Graphs will be listed here once a coordinator or an administrator has imported one.
    </Empty>
  );
}

function GraphRow({ graph }: { graph: Graph }) {
  const newest = graph.versions.find(({ snapshot }) => snapshot === graph.latest);
  return (
    <li>
      <h2>
        <Link to={`/explore/${encodeURIComponent(graph.slug)}`}>{graph.name}</Link>{" "}
        {graph.visibility !== "public" && <Tag>{graph.visibility === "study" ? "shared with a study" : "private"}</Tag>}
      </h2>
      {graph.description && <p>{graph.description}</p>}
      <p className={styles.quiet}>
        {newest
          ? `${plural(newest.entities, "entity", "entities")}, ${plural(newest.edges, "edge")}, version ${newest.number}`
          : "no version yet"}
        {graph.licence && `, ${graph.licence}`}
      </p>
    </li>
  );
}
