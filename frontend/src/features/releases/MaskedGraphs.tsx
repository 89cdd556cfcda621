import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Notice } from "@/components/Notice";
import { PARTITIONS } from "@/domains/evaluation/labels";
import type { Release } from "@/domains/evaluation/queries";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useMakeGraph } from "./mutations";
import { releaseGraphsQuery, type ReleaseGraph } from "./queries";
import styles from "./Releases.module.css";

const METHOD_LABELS: Record<string, string> = { ...PARTITIONS, surroundings: "Surroundings of the questions" };

/** The graphs without the edges that reveal serendipitous answers, and whether queries are run. */
export function MaskedGraphs({ release }: { release: Release }) {
  const { slug } = release;
  const list = useQuery(releaseGraphsQuery(slug)).data;
  const missing = list?.offered.filter((method) => !list.graphs.some((one) => one.method === method)) ?? [];
  const mayMake = release.can_change && missing.length > 0;
  if (!list || (!list.has_queries && list.graphs.length === 0 && !mayMake)) return null;
  return (
    <section className={styles.section} aria-label="Graphs of the questions">
      <h2>Graphs of the questions</h2>
      {list.has_queries && <p>{list.takes_queries ? "Predictions are Cypher queries or identifiers of answers." : "The graph is missing or too large for queries. Predictions are identifiers of answers."}</p>}
      {list.queried && <p>{list.queried}</p>}
      {list.walked && <p>Baselines walk the masked graph of this partition: {METHOD_LABELS[list.walked] ?? list.walked}.</p>}
      {list.graphs.length > 0 && (
        <DataTable label="Masked graphs" minWidth={520} columns={["Partitions by", "Graph", { label: "Edges", isNumeric: true }, { label: "Removed", isNumeric: true }, { label: "Questions", isNumeric: true }]}>
          {list.graphs.map((graph) => (
            <tr key={graph.method}>
              <th scope="row">
                {METHOD_LABELS[graph.method] ?? graph.method}
                {graph.made_for !== slug && <>, made for <Link to={`/releases/${graph.made_for}`}>{graph.made_for}</Link></>}
              </th>
              <td><Link to={`/explore/${graph.graph}`}>{graph.graph}</Link></td>
              <td data-numeric className="number">{formatCount(graph.edges)}</td>
              <td data-numeric className="number">{formatCount(graph.removed_edges)}</td>
              <td data-numeric className="number">{formatCount(graph.included)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {list.graphs.map((graph) => <Excluded key={graph.method} graph={graph} />)}
      {mayMake && <MakeGraphs slug={slug} methods={missing} />}
    </section>
  );
}

/** For its organiser: starts the job of each graph that the release lacks. */
function MakeGraphs({ slug, methods }: { slug: string; methods: string[] }) {
  const make = useMakeGraph(slug);
  return (
    <>
      <div className={styles.tools} role="group" aria-label="Graphs to make">
        {methods.map((method) => (
          <Button key={method} isPending={make.isPending && make.variables === method} onPress={() => make.mutate(method)}>
            {method === "surroundings" ? "Make the surroundings of the questions" : `Make the masked graph: ${METHOD_LABELS[method] ?? method}`}
          </Button>
        ))}
      </div>
      {make.isSuccess && <p role="status">The graph is being made. Load this page again in some minutes.</p>}
      {make.isError && <Notice tone="bad"><p>{errorMessage(make.error)}</p></Notice>}
    </>
  );
}

function Excluded({ graph: { method, excluded } }: { graph: ReleaseGraph }) {
  if (excluded.length === 0) return null;
  return (
    <details>
      <summary>{METHOD_LABELS[method] ?? method}: {formatPlural(excluded.length, "question")} left out</summary>
      <ul>{excluded.map(({ id, reason }) => <li key={id}>Question {id}: {reason}.</li>)}</ul>
    </details>
  );
}
