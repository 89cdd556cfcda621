import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { onDemand } from "@/components/onDemand";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { Release } from "@/domains/evaluation/queries";
import { graphUrl } from "@/domains/graphs/graphUrls";
import { formatCount, formatPlural } from "@/lib/format";
import { maskMethodLabel } from "@/domains/evaluation/labels";
import { releaseGraphsQuery, type ReleaseGraph, type ReleaseGraphList } from "./queries";
import styles from "./Releases.module.css";

const MakeMaskedGraph = onDemand(async () => (await import("./MakeMaskedGraph")).MakeMaskedGraph);

/** The graphs without the edges that reveal serendipitous answers, and whether queries are run. */
export function MaskedGraphs({ release }: { release: Release }) {
  const list = useQuery(releaseGraphsQuery(release.slug)).data;
  if (!list) return null;
  const mayMake = release.can_change && list.offered.some((method) => !list.graphs.some((one) => one.method === method));
  if (!list.has_queries && list.graphs.length === 0 && !mayMake) return null;
  return (
    <section className={styles.section} aria-label="Graphs of the questions">
      <h2>Graphs of the questions</h2>
      {list.has_queries && <p>{list.takes_queries ? "Predictions are Cypher queries or identifiers of answers." : "The graph is missing, too large for queries, or closed to you. Predictions are identifiers of answers."}</p>}
      {list.queried && <p>{list.queried}</p>}
      {list.walked && <p>Baselines, runs and agents walk the graph masked by {maskMethodLabel(list.walked)}.</p>}
      {list.graphs.length > 0 && <GraphTable slug={release.slug} list={list} />}
      {list.graphs.map((graph) => <LeftOutEdges key={graph.method} graph={graph} />)}
      {list.graphs.map((graph) => <Excluded key={graph.method} graph={graph} />)}
      {mayMake && <MakeMaskedGraph release={release} list={list} waiting={<SkeletonRows rows={1} />} />}
    </section>
  );
}

function graphSentence({ scored, needed }: ReleaseGraphList) {
  if (scored.length > 0) return "Questions are about the graph without the edges that reveal serendipitous answers.";
  if (needed.length > 0) return "Edges that reveal serendipitous answers are removed. Questions that are left out count in no metric.";
  return "Edges that reveal serendipitous answers are removed. The items of this release are about the whole graph.";
}

function GraphTable({ slug, list }: { slug: string; list: ReleaseGraphList }) {
  const [first] = list.graphs;
  return (
    <>
      <p>{graphSentence(list)}</p>
      {list.graphs.some(({ method }) => method !== "surroundings") && <p>Documents and papers are not masked: they may state a removed edge in words.</p>}
      <DataTable
        label="Masked graphs"
        minWidth={520}
        folds
        columns={["Partitions by", "Graph", { label: "Edges", isNumeric: true }, { label: "Removed", isNumeric: true }, { label: "Questions", isNumeric: true }]}
      >
        {list.graphs.map((graph) => (
          <tr key={graph.method}>
            <th scope="row">
              {maskMethodLabel(graph.method)}
              {graph.made_for !== slug && <>, made for <Link to={`/releases/${graph.made_for}`}>{graph.made_for}</Link></>}
            </th>
            <td><Link to={graphUrl({ slug: graph.graph, snapshot: null }, "")}>{graph.graph}</Link></td>
            <td data-numeric className="number">{formatCount(graph.edges)}</td>
            <td data-numeric className="number">{formatCount(graph.removed_edges)}</td>
            <td data-numeric className="number">{formatCount(graph.included)}</td>
          </tr>
        ))}
      </DataTable>
      {first && (
        <div className={styles.tools}>
          <ButtonLink to={graphUrl({ slug: first.graph, snapshot: null }, "")}>Explore this release's graph</ButtonLink>
          {list.can_query && <ButtonLink to={`/releases/${slug}/query`}>Try Cypher queries</ButtonLink>}
        </div>
      )}
    </>
  );
}

function LeftOutEdges({ graph: { later_edges: later, undated_edges: undated } }: { graph: ReleaseGraph }) {
  if (later === null || undated === null) return null;
  return <p>The cut-off leaves out {formatPlural(later, "edge")} first seen later and {formatPlural(undated, "edge")} without a date.</p>;
}

function Excluded({ graph: { method, excluded } }: { graph: ReleaseGraph }) {
  if (excluded.length === 0) return null;
  return (
    <details>
      <summary>{maskMethodLabel(method)}: {formatPlural(excluded.length, "question")} left out</summary>
      <ul>{excluded.map(({ id, reason }) => <li key={id}>Question {id}: {reason}.</li>)}</ul>
    </details>
  );
}
