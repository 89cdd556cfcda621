import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { collectionsQuery } from "@/domains/evaluation/groundedness";
import { graphsQuery } from "@/domains/graphs/graphQueries";
import { canOpen } from "@/domains/accounts/permissions";
import { useCurrentUser } from "@/lib/currentUser";
import { useCursorList } from "@/lib/cursor";
import { formatDateTime } from "@/lib/format";
import styles from "./Grounding.module.css";
import { GroundingForm } from "./GroundingForm";
import { shareText, SOURCE_LABELS, sourcesOf } from "./labels";
import { GROUNDINGS_URL, OWN_KEY, quotaQuery, type GroundingSummary } from "./queries";

const INTRO = "Divide a rationale into claims, and find for each whether a knowledge graph and papers support it. Each verdict shows what it rests on.";

/** Paste a hypothesis with its rationale; earlier ones below. */
export function GroundingsPage() {
  const graphs = useQuery(graphsQuery);
  const collections = useQuery(collectionsQuery);
  const quota = useQuery(quotaQuery);
  const own = useCursorList<GroundingSummary>(OWN_KEY, GROUNDINGS_URL);
  const skeleton = <SkeletonRows rows={4} />;
  const formSkeleton = <SkeletonRows rows={10} height={80} />;
  const isFormPending = graphs.isPending || collections.isPending || quota.isPending;
  return (
    <Page title="Groundings" parent={{ to: "/workbench", label: "Benchmarks" }} intro={INTRO}>
      <QueryBoundary query={graphs} skeleton={formSkeleton} empty={<NoGraph />}>
        {(allGraphs) => (
          <QueryBoundary query={collections} skeleton={formSkeleton}>
            {(allCollections) => (
              <QueryBoundary query={quota} skeleton={formSkeleton}>
                {(bounds) => <GroundingForm graphs={allGraphs} collections={allCollections} quota={bounds} />}
              </QueryBoundary>
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
      {/* The list does not stand where the form will be. */}
      {!isFormPending && (
        <div className={styles.section}>
          <h2>Your groundings</h2>
          <QueryBoundary query={own} skeleton={skeleton} empty={<EmptyState>None yet. What you ground above stays here.</EmptyState>}>
            {(all) => (
              <DataTable label="Your groundings" columns={["Hypothesis", "Groundedness", "Graph", "Date"]} folds>
                {all.map((one) => <GroundingRow key={one.id} grounding={one} />)}
              </DataTable>
            )}
          </QueryBoundary>
          <ShowMore list={own} label="Show more groundings" />
          <p><Link className="lone-link" to="/judges">How often experts agree with each verifier</Link></p>
        </div>
      )}
    </Page>
  );
}

function NoGraph() {
  const me = useCurrentUser();
  if (me && canOpen(me, "coordinator")) return <EmptyState action={<ButtonLink to="/explore/import" variant="primary">Import a graph</ButtonLink>}>There is no graph to compare with yet. Import one first.</EmptyState>;
  return <EmptyState>There is no graph to compare with yet. Request one from a coordinator or an administrator, who can import it.</EmptyState>;
}

const STATES = { queued: "Waiting for verdicts", failed: "Failed", ended: "" } as const;

function GroundingRow({ grounding }: { grounding: GroundingSummary }) {
  const source = sourcesOf(grounding).at(-1);
  const counts = source && grounding.groundedness[source];
  return (
    <tr>
      <th scope="row"><Link to={`/groundings/${grounding.id}`} dir="auto">{grounding.hypothesis || "Without a hypothesis"}</Link></th>
      <td>{source && counts ? `${shareText(counts)} (${SOURCE_LABELS[source].toLowerCase()})` : STATES[grounding.state]}</td>
      <td><bdi>{grounding.graph_name}</bdi></td>
      <td>{formatDateTime(grounding.created_at)}</td>
    </tr>
  );
}
