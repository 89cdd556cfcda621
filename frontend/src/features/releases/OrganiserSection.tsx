import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { useCursorList } from "@/lib/cursor";
import { formatCount, formatDateTime, formatPercent } from "@/lib/format";
import { submittersQuery, type ReceivedSubmission, type SubmissionAlert, type SubmitterQueries } from "./queries";
import styles from "./Releases.module.css";

const STATES: Record<ReceivedSubmission["state"], string> = {
  queued: "waiting for its score",
  sealed: "sealed, unscored",
  scored: "scored",
  failed: "failed",
  withdrawn: "withdrawn",
};

const POLL_MS = 3_000;
type StateFilter = ReceivedSubmission["state"] | "all";
const FILTERS: { value: StateFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "queued", label: "Waiting" },
  { value: "scored", label: "Scored" },
  { value: "failed", label: "Failed" },
  { value: "withdrawn", label: "Withdrawn" },
];

/** Submissions with their failures, and who used how many queries; for organisers alone. */
export function OrganiserSection({ release }: { release: Release }) {
  return (
    <>
      <section className={styles.section} aria-labelledby="received-heading">
        <h2 id="received-heading">Submissions</h2>
        <p className={styles.quiet}>Only organisers see this list.</p>
        <ReceivedSubmissions slug={release.slug} />
      </section>
      <section className={styles.section} aria-labelledby="submitters-heading">
        <h2 id="submitters-heading">Use of queries</h2>
        <Submitters release={release} />
      </section>
    </>
  );
}

function ReceivedSubmissions({ slug }: { slug: string }) {
  const [state, setState] = useState<StateFilter>("all");
  const path = `${releaseUrl(slug)}/submissions${state === "all" ? "" : `?state=${state}`}`;
  const list = useCursorList<ReceivedSubmission>(["releases", slug, "submissions", state], path);
  const { data, refetch } = list;
  const isWaiting = data?.some((row) => row.state === "queued") ?? false;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refetch]);
  return (
    <>
      <div><SegmentedControl label="State" options={FILTERS} value={state} onChange={setState} /></div>
      <QueryBoundary query={list} skeleton={<SkeletonRows rows={4} />} empty={<EmptyState>{state === "all" ? "Nobody has submitted predictions yet." : "No submission is in this state."}</EmptyState>}>
        {(rows) => (
          <>
            <DataTable label="Submissions to this release" minWidth={860} folds columns={["Model", "Submitted by", "Split", "File", "State", "Submitted"]}>
              {rows.map((row) => <ReceivedRow key={row.id} row={row} />)}
            </DataTable>
            <ShowMore list={list} />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function ReceivedRow({ row }: { row: ReceivedSubmission }) {
  return (
    <tr>
      <th scope="row"><Link to={`/submissions/${row.id}`}>{row.model.name}</Link></th>
      <td>{row.submitted_by ? row.submitted_by.name || row.submitted_by.email : "an operator"}</td>
      <td>{row.split}</td>
      <td className={styles.cell}>{row.file_name}</td>
      <td className={styles.cell}>
        {STATES[row.state]}{row.is_standing && ", on the board"}
        {row.error && <div className={styles.quiet}>{row.error.code}: {row.error.detail}{row.error.job && ` Reference: ${row.error.job}.`}</div>}
        {row.query_refunded_at && <div className={styles.quiet}>The query was given back.</div>}
        {row.withdrawal_reason && <div className={styles.quiet}>{row.withdrawal_reason}</div>}
      </td>
      <td className={styles.date}>{formatDateTime(row.created_at)}</td>
    </tr>
  );
}

/** What may be of one person; the organisers judge, nothing is refused. */
function Alerts({ alerts }: { alerts: SubmissionAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <Notice>
      <ul>
        {alerts.map(({ kind, emails, submissions, share }) => (
          <li key={`${kind} ${emails.join(" ")}`}>
            {emails.join(" and ")}: {kind === "alike_accounts" ? "names or addresses are alike." : `equal outcomes on ${formatPercent(share ?? 1)} of the items that either one missed.`}
            {submissions.map((id, at) => <span key={id}> <Link to={`/submissions/${id}`}>Submission {at + 1}</Link></span>)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Submitters({ release }: { release: Release }) {
  const submitters = useQuery(submittersQuery(release.slug));
  return (
    <QueryBoundary query={submitters} skeleton={<SkeletonRows rows={3} />}>
      {({ results, alerts }) => (
        <>
          <Alerts alerts={alerts} />
          {results.length > 0 ? <QueriesByPerson people={results} release={release} /> : <EmptyState>Nobody has used a query yet.</EmptyState>}
        </>
      )}
    </QueryBoundary>
  );
}

function QueriesByPerson({ people, release }: { people: SubmitterQueries[]; release: Release }) {
  const columns = [
    "Person", "Team",
    ...[`Queries of ${release.queries}`, `Within a day, of ${release.queries_per_day}`, "Submissions"].map((label) => ({ label, isNumeric: true })),
    "First", "Last",
  ];
  return (
    <DataTable label="Queries by person" minWidth={720} folds columns={columns}>
      {people.map((one) => (
        <tr key={one.email}>
          <th scope="row">{one.name} <span className={styles.quiet}>{one.email}</span></th>
          <td>{one.team ?? <span className={styles.quiet}>none</span>}</td>
          <td data-numeric className="number">{formatCount(one.used)}</td>
          <td data-numeric className="number">{formatCount(one.used_today)}</td>
          <td data-numeric className="number">{formatCount(one.submissions)}</td>
          <td className={styles.date}>{formatDateTime(one.first_at)}</td>
          <td className={styles.date}>{formatDateTime(one.last_at)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
