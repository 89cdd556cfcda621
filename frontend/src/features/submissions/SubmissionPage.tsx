import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { TextField } from "@/components/TextField";
import { rankText } from "@/domains/evaluation/labels";
import { boardQuery, resultQuery, submissionQuery, type Submission } from "@/domains/evaluation/queries";
import { ScoreTable } from "@/domains/evaluation/ScoreTable";
import { ToolCallsNote } from "@/domains/evaluation/ToolCallsNote";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, type Job } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { formatFullDate, formatLongDate } from "@/lib/format";
import { declaredTexts } from "./declared";
import { FinalEntry } from "./FinalEntry";
import { Groundedness } from "./Groundedness";
import { scoresByKey, stateLabel } from "./labels";
import { useWithdraw } from "./mutations";
import { QueryFailures } from "./QueryFailures";
import styles from "./Submissions.module.css";

const PARENT = { to: "/submissions", label: "Submissions" };
const POLL_MS = 1_500;
const RANK_POLL_MS = 5_000;
/** One on the board of a draft has no public result. */
const MOST_READS = 12;

export function SubmissionPage() {
  const { id = "" } = useParams();
  const submission = useQuery({
    ...submissionQuery(id),
    refetchInterval: ({ state }) => (state.data?.state === "queued" ? POLL_MS : false),
  });
  return (
    <PageBoundary query={submission} title="Submission" parent={PARENT}>
      {(data) => (
        <Page title={data.model.name} parent={PARENT} width="wide" intro={`${data.file_name}, for ${data.release_name}, ${data.split} items, ${formatFullDate(data.created_at)}`}>
          <State submission={data} />
          {data.tool_calls !== null && <p><ToolCallsNote calls={data.tool_calls} session={data.session} />.</p>}
          {data.may_be_final && <FinalEntry submission={data} />}
          {data.scores.length > 0 && <Scores submission={data} />}
          {data.state === "scored" && <QueryFailures submission={data} />}
          {data.state === "scored" && <Groundedness submission={data} />}
          <DeclaredList submission={data} />
          <Details submission={data} />
          {data.state !== "withdrawn" && <Withdrawal submission={data} />}
        </Page>
      )}
    </PageBoundary>
  );
}

function State({ submission }: { submission: Submission }) {
  const { state, score_visibility: visibility, error } = submission;
  if (state === "queued") return <Progress submission={submission} />;
  if (state === "failed" || (state === "scored" && error)) {
    return (
      <Notice tone="bad">
        <p>{error?.detail ?? "The evaluation failed."}</p>
        {error?.job && <p>Reference: <span className="number">{error.job}</span>. The administrator finds the cause by it.</p>}
      </Notice>
    );
  }
  if (state === "sealed") return <Sealed submission={submission} />;
  if (state === "withdrawn") return <Notice><p>This submission was withdrawn. Boards of earlier dates still show it if it stood on them.</p></Notice>;
  if (visibility === "not_better") {
    return (
      <Notice>
        <p>Not better: it does not exceed the best shown score of this model by more than the standard error.</p>
        <p>Its scores are shown once the release closes.</p>
      </Notice>
    );
  }
  return <Scored submission={submission} />;
}

/** Where it stands: on the board with its rank, which the server computes after the score, and at the address of its result. */
function Scored({ submission }: { submission: Submission }) {
  const { id, is_standing: isStanding, anonymous_until: until } = submission;
  const { data: result, isPending } = useQuery({
    ...resultQuery(id),
    refetchInterval: ({ state: { error, errorUpdateCount: failures } }) => (isStanding && error && failures < MOST_READS ? RANK_POLL_MS : false),
  });
  // Their places are taken before they are read, so that nothing below moves.
  const hasResult = result !== undefined || (isStanding && isPending);
  const rank = isStanding && (isPending ? " Rank …" : result?.entry?.rank && ` Rank ${rankText(result.entry.rank)}.`);
  return (
    <div className={styles.state}>
      <p role="status">{stateLabel(submission)}.{until && ` Anonymous until ${formatLongDate(until)}.`}{rank}</p>
      {hasResult && <ButtonLink to={`/results/${id}`}>See the result</ButtonLink>}
      {isStanding && <ButtonLink to={`/leaderboard/${submission.track}?${new URLSearchParams({ release: submission.release, split: submission.split })}`}>See the board</ButtonLink>}
    </div>
  );
}

function Sealed({ submission: { release, created_at: at, file_digest: digest } }: { submission: Submission }) {
  return (
    <Notice>
      <p role="status">Sealed on {formatFullDate(at)}. Nothing is scored before a later version of the graph has the answers.</p>
      <p>SHA-256 of the file: <span className={`${styles.hash} number`}>{digest}</span></p>
      <p><Link to={`/releases/${release}`}>See all that is sealed</Link></p>
    </Notice>
  );
}

function Progress({ submission: { id } }: { submission: Submission }) {
  const jobs = useJobs<Job>("evaluation").data;
  const job = jobs?.find((one) => one.subjects.includes(`submission:${id}`) && !hasEnded(one));
  if (!job) return <p role="status">Waiting for its score.</p>;
  return <JobProgress job={job} title="Scoring" cancelWarning="The submission fails. Its query is given back only if scoring has not started." />;
}

/** In the order of the board; a board without entries names no groups of items yet. */
function Scores({ submission: { scores, release } }: { submission: Submission }) {
  const board = useQuery(boardQuery(release, "")).data;
  const ids = [...new Set(scores.map(({ metric }) => metric))];
  const metrics = board?.metrics.filter(({ id }) => ids.includes(id)) ?? ids.map((id) => ({ id, label: id, unit: "" }));
  const slices = new Set([...(board?.slices ?? []), ...scores.map(({ slice }) => slice)]);
  return <ScoreTable label="Scores" entry={scoresByKey(scores)} metrics={metrics} mainMetric={board?.main_metric ?? ids[0] ?? ""} slices={[...slices]} />;
}

function DeclaredList({ submission }: { submission: Submission }) {
  const texts = declaredTexts(submission);
  if (texts.length === 0) return null;
  return (
    <section className={styles.section} aria-label="What is declared">
      <h2>What is declared</h2>
      <dl className={styles.list}>{texts.map(([term, text]) => <div key={term}><dt>{term}</dt><dd>{text}</dd></div>)}</dl>
    </section>
  );
}

/** What identifies the result, for whoever wants to reproduce it. */
function Details({ submission }: { submission: Submission }) {
  return (
    <details className={styles.details}>
      <summary>How it can be reproduced</summary>
      <dl>
        <dt>File, SHA-256</dt><dd className="number">{submission.file_digest}</dd>
        <dt>Predictions, SHA-256</dt><dd className="number">{submission.predictions_digest}</dd>
        {submission.key && <><dt>Result key</dt><dd className="number">{submission.key}</dd></>}
      </dl>
    </details>
  );
}

function Withdrawal({ submission: { id } }: { submission: Submission }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const withdraw = useWithdraw(id);
  return (
    <>
      <div><Button onPress={() => setOpen(true)}>Withdraw</Button></div>
      <ConfirmDialog
        title="Withdraw this submission?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        confirmLabel="Withdraw it"
        busyLabel="Withdrawing"
        onConfirm={() => withdraw.mutate(reason.trim(), { onSuccess: () => setOpen(false) })}
        mutation={withdraw}
      >
        <p>It leaves the present board, also of corrected releases. This cannot be undone.</p>
        <p>Boards of earlier dates still show it with its scores, if it stood on them. The best earlier entry of the model stands again.</p>
        <p>The same predictions can be submitted anew while the release is open. On test items that uses a query.</p>
        <TextField label="Reason" hint="If it stood on a board, everybody can read the reason. Empty: none." value={reason} onChange={setReason} rows={2} maxLength={2000} />
      </ConfirmDialog>
    </>
  );
}
