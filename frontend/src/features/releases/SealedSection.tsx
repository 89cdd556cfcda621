import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, JOBS_KEY, type Job } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { formatFullDate, formatPlural } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { sealedQuery, type LaterVersion, type SealedContents } from "./queries";
import styles from "./Releases.module.css";

const UNSEALING = "unsealing";

/** What is sealed on a release and since when, and the boards that later versions of its graph made. */
export function SealedSection({ release }: { release: Release }) {
  const query = useQuery(sealedQuery(release.slug));
  return (
    <section className={styles.section} aria-labelledby="sealed-heading">
      <h2 id="sealed-heading">Sealed predictions</h2>
      <p>
        No edge joined these pairs until {release.cutoff}. Predictions are stored unscored, with hash and time.
        A later version of the graph scores them all at once.
      </p>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={4} />}>
        {(contents) => (
          <>
            <Boards contents={contents} />
            {release.can_change && release.state !== "draft" && <Openings slug={release.slug} contents={contents} />}
            <Entries contents={contents} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

function Boards({ contents: { boards } }: { contents: SealedContents }) {
  return boards.map((board) => (
    <Notice key={board.slug}>
      <p>
        Version {board.version} of the graph opened <Link to={`/releases/${board.slug}`}>{board.name}</Link> on {formatFullDate(board.created_at)}.{" "}
        <Link to={`/leaderboard/dyport?release=${board.slug}`}>See its board</Link>
      </p>
    </Notice>
  ));
}

/** For organisers: later versions of the graph that have no board yet. */
function Openings({ slug, contents: { later_versions: later } }: { slug: string; contents: SealedContents }) {
  const queries = useQueryClient();
  const job = (useJobs<Job<{ release: string }>>(UNSEALING).data ?? [])[0];
  const isFinished = job?.state === "succeeded";
  useEffect(() => {
    if (isFinished) void queries.invalidateQueries({ queryKey: ["releases"] });
  }, [isFinished, queries]);
  const waiting = later.filter((one) => !one.has_board);
  if (job && !hasEnded(job)) return <JobProgress job={job} title="Opening sealed predictions" cancelWarning="Nothing is scored. You can start again." />;
  return (
    <>
      {job?.state === "failed" && <Notice tone="bad"><p>{job.error?.detail ?? "The job failed."}</p></Notice>}
      {later.length === 0 && <p className={styles.quiet}>Import a later version into the same graph to score what is sealed.</p>}
      {waiting.map((version) => <OpenWith key={version.number} slug={slug} version={version} />)}
    </>
  );
}

function OpenWith({ slug, version }: { slug: string; version: LaterVersion }) {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const open = useMutation({
    mutationFn: () => request<Job>(`${releaseUrl(slug)}/unseal`, { method: "POST", json: { version: version.number } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
  return (
    <div className={styles.tools}>
      <Button variant="primary" onPress={() => setOpen(true)}>Score by version {version.number}</Button>
      <ConfirmDialog
        title={`Score all sealed predictions by version ${version.number}?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Score them"
        busyLabel="Starting"
        onConfirm={() => open.mutate(undefined, { onSuccess: () => setOpen(false) })}
        mutation={open}
      >
        <p>Everyone sees the new board. This release takes no more predictions, and cannot be opened again.</p>
      </ConfirmDialog>
    </div>
  );
}

function Entries({ contents: { entries, count } }: { contents: SealedContents }) {
  if (entries.length === 0) return <EmptyState>No predictions are sealed yet.</EmptyState>;
  return (
    <>
      <DataTable label="Sealed files" minWidth={720} folds columns={["Model", "Sealed", "Knowledge until", "SHA-256 of the file"]}>
        {entries.map((one) => (
          <tr key={one.submission}>
            <th scope="row">{one.model ?? <span className={styles.quiet}>anonymous</span>}</th>
            <td className={styles.date}>{formatFullDate(one.sealed_at)}</td>
            <td className="number">{one.knowledge_until ?? <span className={styles.quiet}>not stated</span>}</td>
            <td className={`${styles.cell} ${styles.hash} number`}>{one.file_digest}</td>
          </tr>
        ))}
      </DataTable>
      {count > entries.length && <p className={styles.quiet}>The first {entries.length} of {formatPlural(count, "entry", "entries")}.</p>}
    </>
  );
}
