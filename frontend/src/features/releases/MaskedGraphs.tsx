import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import type { Release } from "@/domains/evaluation/queries";
import { formatCount, formatPlural } from "@/lib/format";
import { releaseGraphsQuery, type ReleaseGraph } from "./queries";
import styles from "./Releases.module.css";

const METHOD_LABELS: Record<string, string> = { llm: "Language models", expert: "Experts", rns: "RNS" };

/** The graphs without the edges that reveal serendipitous answers, and whether queries are run. */
export function MaskedGraphs({ release: { slug } }: { release: Release }) {
  const list = useQuery(releaseGraphsQuery(slug)).data;
  if (!list || (!list.has_queries && list.graphs.length === 0)) return null;
  return (
    <section className={styles.section} aria-label="Graphs of the questions">
      <h2>Graphs of the questions</h2>
      {list.has_queries && <p>{list.takes_queries ? "Predictions are Cypher queries or identifiers of answers." : "The graph is missing or too large for queries. Predictions are identifiers of answers."}</p>}
      {list.graphs.length > 0 && (
        <DataTable label="Masked graphs" minWidth={520} columns={["Partitions by", "Graph", { label: "Edges", isNumeric: true }, { label: "Removed", isNumeric: true }, { label: "Questions", isNumeric: true }]}>
          {list.graphs.map((graph) => (
            <tr key={graph.method}>
              <th scope="row">{METHOD_LABELS[graph.method] ?? graph.method}</th>
              <td><Link to={`/explore/${graph.graph}`}>{graph.graph}</Link></td>
              <td data-numeric className="number">{formatCount(graph.edges)}</td>
              <td data-numeric className="number">{formatCount(graph.removed_edges)}</td>
              <td data-numeric className="number">{formatCount(graph.included)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {list.graphs.map((graph) => <Excluded key={graph.method} graph={graph} />)}
    </section>
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
