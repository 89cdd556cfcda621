import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useParams } from "react-router";
import { ConnectionStatus } from "@/components/ConnectionStatus";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatMoney } from "@/domains/endpoints/labels";
import { entityName } from "@/domains/graphs/walks/walk";
import { WalkView } from "@/domains/graphs/walks/WalkView";
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import { formatCount } from "@/lib/format";
import { ExplorationLevelText } from "./ExplorationLevelText";
import { endingLabel } from "./labels";
import { runQuery, type ExploredPath, type Run, type Trajectory } from "./queries";
import styles from "./Runs.module.css";
import { trajectoryWalk } from "./trajectoryWalk";
import { useExploration } from "./useExploration";

/** One root of a guided exploration: its levels, drawn and in words, and its paths. */
export function ExplorationPage() {
  const { id = "", split = "", position = "" } = useParams();
  const run = useQuery(runQuery(id));
  return (
    <PageBoundary query={run} title="Exploration" parent={{ to: `/runs/${id}`, label: "Run" }}>
      {(data) => <Exploration run={data} split={split} position={position} />}
    </PageBoundary>
  );
}

function Exploration({ run, split, position }: { run: Run; split: string; position: string }) {
  const { trajectory, isGrowing, connection } = useExploration(run, split, position);
  const shown = trajectory.data;
  const live = isGrowing && <ConnectionStatus connection={connection} isFailing={trajectory.isError} readAt={trajectory.dataUpdatedAt} />;
  return (
    <Page
      title={shown ? `From ${shown.root_name || shown.root}` : "Exploration"}
      parent={{ to: `/runs/${run.id}`, label: run.model.name }}
      width="wide"
      intro={shown && <>{shown.question} By {run.endpoint.model}, on <Link to={`/releases/${run.release.slug}`}>{run.release.title}</Link>.</>}
      aside={shown && <><Tag>{shown.has_ended ? endingLabel(shown.ending) : `At level ${shown.level}`}</Tag> {live}</>}
    >
      <QueryBoundary query={trajectory} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(data) => <Walked run={run} trajectory={data} isGrowing={isGrowing} />}
      </QueryBoundary>
    </Page>
  );
}

function Walked({ run, trajectory, isGrowing }: { run: Run; trajectory: Trajectory; isGrowing: boolean }) {
  const { split, position, levels } = trajectory;
  const walk = useMemo(() => trajectoryWalk(trajectory), [trajectory]);
  const title = `Exploration from ${trajectory.root_name || trajectory.root} by ${run.model.name}`;
  const line = `${run.release.title}, ${split} item ${position + 1}. Answered by ${run.endpoint.model}.`;
  return (
    <>
      <Spent trajectory={trajectory} />
      <WalkView
        walk={walk}
        noun="level"
        isGrowing={isGrowing}
        figure={{ name: `exploration-${run.release.slug}-${split}-${position}`, title, line }}
        json={`/api/v1/runs/${run.id}/explorations/${split}/${position}`}
      >
        {(at) => {
          const level = levels[at - 1];
          return level ? <ExplorationLevelText level={level} summary={summaryOf(trajectory, at)} /> : <p className={styles.quiet}>The exploration starts at {walk.root ? entityName(walk.root) : trajectory.root}.</p>;
        }}
      </WalkView>
      <Paths paths={trajectory.paths} />
    </>
  );
}

const summaryOf = ({ summaries }: Trajectory, level: number) => summaries.find((one) => one.level === level)?.text ?? "";

function Spent({ trajectory: { leaves, requests, calls, tokens_in: tokensIn, tokens_out: tokensOut, cost, partition } }: { trajectory: Trajectory }) {
  return (
    <Facts>
      <div><dt>Partition</dt><dd>{partition}</dd></div>
      <div><dt>Leaves</dt><dd>{formatCount(leaves)}</dd></div>
      <div><dt>Requests</dt><dd>{formatCount(requests)}, {formatCount(calls)} calls</dd></div>
      <div><dt>Tokens</dt><dd>{formatCount(tokensIn)} in, {formatCount(tokensOut)} out</dd></div>
      <div><dt>Cost</dt><dd>{formatMoney(cost)}</dd></div>
    </Facts>
  );
}

/** Ranked by the server; hits are in a column of their own where they are public. */
function Paths({ paths }: { paths: ExploredPath[] }) {
  const areHitsPublic = paths.some((path) => path.is_hit !== null);
  const hasStrength = paths.some(({ strength }) => strength !== null);
  const numeric = (label: string) => ({ label, isNumeric: true });
  const columns = ["Leaf", numeric("Rank"), "Path", ...(hasStrength ? [numeric("Strength")] : []), ...(areHitsPublic ? ["Hit"] : [])];
  return (
    <section className={styles.section} aria-label="Paths">
      <h2>Paths</h2>
      {paths.length === 0 ? <EmptyState>No path was chosen yet.</EmptyState> : (
        <>
          <DataTable label="Paths, the strongest first" minWidth={640} folds columns={columns}>
            {paths.map((path, at) => (
              <tr key={path.leaf.id}>
                <th scope="row">{entityName(path.leaf)}</th>
                <td data-numeric className="number">{formatCount(at + 1)}</td>
                <td>{pathText(path)}</td>
                {hasStrength && <td data-numeric className="number">{path.strength === null ? "not known" : formatNumber(path.strength)}</td>}
                {areHitsPublic && <td>{path.is_hit ? <span className={styles.hit}>Hit</span> : "No"}</td>}
              </tr>
            ))}
          </DataTable>
          <p className={styles.quiet}>{hasStrength ? "Strength is the product of the weights of a path's edges." : "No edge of these paths has a weight: the shortest come first."} {areHitsPublic ? "A hit is in the serendipity set." : "Which leaves are hits is hidden for these items."}</p>
        </>
      )}
    </section>
  );
}

/** 'aspirin treats pain, is symptom of flu'. */
function pathText({ edges }: ExploredPath): string {
  const [first] = edges;
  return first ? `${entityName(first.source)} ${edges.map(({ phrase, target }) => `${phrase} ${entityName(target)}`).join(", ")}` : "";
}
