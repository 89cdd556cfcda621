import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { endpointsQuery } from "@/domains/endpoints/queries";
import { graphsQuery } from "@/domains/graphs/graphQueries";
import { useCursorList } from "@/lib/cursor";
import { formatRecentDate } from "@/lib/format";
import { STATE_LABELS } from "./labels";
import { SYNTHESES_KEY, SYNTHESES_URL, type SynthesisOverview } from "./queries";
import { SynthesisForm } from "./SynthesisForm";

const INTRO = "Models write queries from links and documents of a graph, rewrite them, and verify every answer. They become a question set.";

/** Start a synthesis; earlier ones below. */
export function SynthesesPage() {
  const graphs = useQuery(graphsQuery);
  const endpoints = useQuery(endpointsQuery);
  const own = useCursorList<SynthesisOverview>([...SYNTHESES_KEY, "own"], SYNTHESES_URL);
  const skeleton = <SkeletonRows rows={8} height={72} />;
  return (
    <Page title="Synthesized queries" parent={{ to: "/workbench", label: "Benchmarks" }} intro={INTRO}>
      <QueryBoundary query={graphs} skeleton={skeleton} empty={<EmptyState>There is no graph yet. Import one of STaRK.</EmptyState>}>
        {(allGraphs) => (
          <QueryBoundary query={endpoints} skeleton={skeleton} empty={<EmptyState>You may use no endpoint yet. An administrator adds them.</EmptyState>}>
            {(allEndpoints) => <SynthesisForm graphs={allGraphs} endpoints={allEndpoints} />}
          </QueryBoundary>
        )}
      </QueryBoundary>
      {!graphs.isPending && !endpoints.isPending && (
        <section>
          <h2>Your syntheses</h2>
          <QueryBoundary query={own} skeleton={<SkeletonRows rows={3} />} empty={<EmptyState>None yet. What you start above stays here.</EmptyState>}>
            {(all) => (
              <DataTable label="Your syntheses" columns={["Question set", "State", "Graph", "Date"]} folds>
                {all.map(({ id, name, state, graph_name, created_at }) => (
                  <tr key={id}>
                    <th scope="row"><Link to={`/query-syntheses/${id}`} dir="auto">{name}</Link></th>
                    <td>{STATE_LABELS[state]}</td>
                    <td><bdi>{graph_name}</bdi></td>
                    <td>{formatRecentDate(created_at)}</td>
                  </tr>
                ))}
              </DataTable>
            )}
          </QueryBoundary>
          <ShowMore list={own} label="Show more syntheses" />
        </section>
      )}
    </Page>
  );
}
