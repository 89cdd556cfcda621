import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Problem, request } from "@/api/client";
import { Button, ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { releaseQuery, releaseUrl, type Release } from "@/domains/evaluation/queries";
import { graphUrl } from "@/domains/graphs/graphUrls";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import { useUrlParams } from "@/lib/useUrlParams";
import { maskMethodLabel } from "@/domains/evaluation/labels";
import { releaseGraphsQuery, type QueryTable, type ReleaseGraph, type ReleaseGraphList } from "../queries";
import styles from "../Releases.module.css";
import queryStyles from "./Query.module.css";
import { ResultTable } from "./ResultTable";

type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "preventDefault">;

const FIRST_QUERY = "MATCH (n)\nRETURN label(n) AS type, count(*) AS entities\nORDER BY entities DESC";

/** Cypher over the masked graph of a release, run as predictions are. */
export function QueryPage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  const parent = { to: `/releases/${slug}`, label: release.data?.name ?? "Release" };
  return (
    <PageBoundary query={release} title="Queries" parent={parent}>
      {(data) => (
        <Page title="Cypher on this release's graph" parent={parent} width="wide" intro="Queries run as those of predictions do: read only, with limits on time, memory and rows. They cost no query of yours.">
          <Graphs release={data} />
        </Page>
      )}
    </PageBoundary>
  );
}

function Graphs({ release }: { release: Release }) {
  const list = useQuery(releaseGraphsQuery(release.slug));
  return (
    <QueryBoundary query={list} skeleton={<SkeletonRows rows={5} />}>
      {(data) => {
        if (data.graphs.length === 0) return <EmptyState>This release has no masked graph. <Link to={`/releases/${release.slug}`}>Back to the release</Link></EmptyState>;
        if (!data.is_queried) return <EmptyState>The graph of this release is too large for queries. Explore it instead.</EmptyState>;
        if (!data.can_query) return <Notice><p>Researchers and the release's organisers run queries. <Link to={`/sign-in?next=/releases/${release.slug}/query`}>Sign in</Link> with such an account.</p></Notice>;
        return <Console slug={release.slug} list={data} />;
      }}
    </QueryBoundary>
  );
}

function Console({ slug, list }: { slug: string; list: ReleaseGraphList }) {
  const [address, change] = useUrlParams();
  const graph = list.graphs.find(({ method }) => method === address.get("graph")) ?? list.graphs[0];
  const [query, setQuery] = useState(FIRST_QUERY);
  const run = useMutation({
    meta: { isLong: true },
    mutationFn: () => request<QueryTable>(`${releaseUrl(slug)}/graphs/${graph?.method}/cypher`, { method: "POST", json: { query } }),
  });
  const send = () => {
    if (query.trim() && !run.isPending) run.mutate();
  };
  const onKeyDown = (event: Keys) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  if (!graph) return null;
  return (
    <>
      <GraphChoice graphs={list.graphs} graph={graph} onChoose={(method) => change({ graph: method })} />
      <div className={queryStyles.editor}>
        <TextField onKeyDown={onKeyDown} label="Query" hint="Types are labels; nodes have id and name. Ctrl and Enter runs it." value={query} onChange={setQuery} rows={7} maxLength={100_000} spellCheck="false" />
      </div>
      <div className={styles.tools}>
        <Button variant="primary" onPress={send} isDisabled={run.isPending}>{run.isPending ? "Running" : "Run the query"}</Button>
        <ButtonLink to={graphUrl({ slug: graph.graph, snapshot: null }, "/schema")}>Types and relations</ButtonLink>
        <ButtonLink to={graphUrl({ slug: graph.graph, snapshot: null }, "")}>Explore this release's graph</ButtonLink>
      </div>
      {run.isError && <Failure error={run.error} />}
      {run.isPending && <SkeletonRows rows={4} />}
      {run.isSuccess && !run.isPending && <ResultTable table={run.data} />}
    </>
  );
}

function GraphChoice({ graphs, graph, onChoose }: { graphs: ReleaseGraph[]; graph: ReleaseGraph; onChoose: (method: string) => void }) {
  if (graphs.length < 2) return null;
  return <SelectField label="Graph" value={graph.method} options={graphs.map(({ method }) => ({ value: method, label: `Masked by ${maskMethodLabel(method)}` }))} onChange={onChoose} />;
}

/** The server's sentence, which names the line and the column, and its code. */
function Failure({ error }: { error: Error }) {
  return (
    <Notice tone="bad">
      <p>{errorMessage(error)}</p>
      {error instanceof Problem && <p className={styles.quiet}>Code: {error.body.code}</p>}
    </Notice>
  );
}
