import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { Pager } from "@/components/Pager";
import { entryName, intervalText, rankText, scoreText } from "@/domains/evaluation/labels";
import type { BoardMetric } from "@/domains/evaluation/queries";
import { formatFullDate } from "@/lib/format";
import styles from "./Errata.module.css";
import { boundsText, changeSummary, changeTitle, differenceText, placeText } from "./labels";
import { changesQuery, type BoardChange, type BoardChanges, type EntryChange, type EntryOnBoard } from "./queries";

const PAGE_ROWS = 100;
const POLL_MS = 1_500;
const TITLE = "Rank changes";

/** Ranks and scores before and after corrections and new evaluator versions. */
export function ChangesPage() {
  const { slug = "" } = useParams();
  const [address] = useSearchParams();
  const [offset, setOffset] = useState(0);
  const changes = useQuery({
    ...changesQuery(slug, address.get("split") ?? "test", offset),
    refetchInterval: ({ state }) => (state.data?.is_pending ? POLL_MS : false),
  });
  return (
    <PageBoundary query={changes} title={TITLE} parent={{ to: `/releases/${slug}`, label: "Release" }}>
      {(data) => (
        <Page
          title={TITLE}
          width="wide"
          parent={{ to: `/leaderboard/${data.track}?release=${data.release}`, label: "Leaderboard" }}
          intro={`${data.name}: ranks and scores before and after a correction or a new evaluator version.`}
        >
          <Neighbours changes={data} />
          {data.is_pending && <Notice>All entries are scored again. Their ranks are being computed.</Notice>}
          {data.changes.length === 0 && !data.is_pending && <EmptyState>No correction and no new evaluator version has changed this board.</EmptyState>}
          {data.changes.map((change) => <Change key={change.after.created_at} change={change} metric={data.metric} />)}
          <Pager label="Pages of entries" offset={data.offset} total={Math.max(0, ...data.changes.map(({ count }) => count))} size={PAGE_ROWS} onOffset={setOffset} />
        </Page>
      )}
    </PageBoundary>
  );
}

function Neighbours({ changes: { corrects, corrected_by: later } }: { changes: BoardChanges }) {
  return (
    <>
      {later && <Notice><p>A later release corrects this one. <Link to={`/releases/${later}/changes`}>See what changed</Link></p></Notice>}
      {corrects && <p className={styles.quiet}>It corrects an earlier release. <Link to={`/releases/${corrects}/changes`}>Its own changes</Link></p>}
    </>
  );
}

const COLUMNS = ["Model", "Place", "Rank before", "Rank after", "Before", "After", "Change"].map((label) => ({ label, isNumeric: label !== "Model" }));

function Change({ change, metric }: { change: BoardChange; metric: BoardMetric }) {
  const title = changeTitle(change);
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <p>{changeSummary(change)} {metric.label}, {formatFullDate(change.after.created_at)}.</p>
      {change.entries.some(({ before, after }) => before?.bounds || after?.bounds) && (
        <p className={styles.quiet}>Bounds: the score if all unjudged answers of the entry were true and those of others alone false, and the reverse.</p>
      )}
      <DataTable label={`${title}: entries`} minWidth={820} folds columns={COLUMNS}>
        {change.entries.map((entry) => <Row key={entry.submission} entry={entry} metric={metric} />)}
      </DataTable>
    </section>
  );
}

function Row({ entry, metric }: { entry: EntryChange; metric: BoardMetric }) {
  const { before, after } = entry;
  return (
    <tr className={entry.is_reordered ? styles.moved : undefined}>
      <th scope="row">{entryName(entry)}</th>
      <td data-numeric>{placeText(entry)}</td>
      <td data-numeric>{rankRange(before)}</td>
      <td data-numeric>{rankRange(after)}</td>
      <Score entry={before} metric={metric} />
      <Score entry={after} metric={metric} />
      <td data-numeric>{differenceText(entry, metric)}</td>
    </tr>
  );
}

/** Empty for an entry that is not ranked. */
function rankRange(entry: EntryOnBoard | null): string {
  if (entry === null || entry.best === null || entry.worst === null) return "";
  return rankText({ best: entry.best, worst: entry.worst });
}

function Score({ entry, metric }: { entry: EntryOnBoard | null; metric: BoardMetric }) {
  if (!entry) return <td data-numeric />;
  const { value, low, high, bounds } = entry;
  return (
    <td data-numeric>
      {scoreText(value, metric)} <span className={styles.quiet}>{intervalText([value, low, high], metric)}</span>
      {bounds && <span className={styles.bounds}>{boundsText(bounds, metric)}</span>}
    </td>
  );
}
