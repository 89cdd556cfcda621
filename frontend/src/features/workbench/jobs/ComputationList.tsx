import { Download } from "lucide-react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ErrorTable } from "@/components/FaultTable";
import { Tag } from "@/components/Tag";
import { rnsUrl } from "@/domains/graphs/rnsUrls";
import { JOB_STATE_LABELS, JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { fetchFile, saveFile } from "@/lib/downloads";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatDateTime, formatListTitle } from "@/lib/format";
import { useMutation } from "@/lib/useMutation";
import { AucTable } from "../ComputationDetails";
import { scoresUrl, type Computation, type ComputationJob, type ComputationResult } from "./api";
import styles from "./Jobs.module.css";
import { optionsText, nonDefaultOptions, resultText, computationTitle } from "./labels";

interface Props {
  all: Computation[];
  nameOfSet: (id: string) => string | null;
  /** The computation that was just started. */
  current: string | null;
}

/** The user's computations, the latest first, with progress, errors and results. */
export function ComputationList({ all, nameOfSet, current }: Props) {
  return (
    <ol className={styles.list}>
      {all.map((one) => (
        <li key={one.job.id} data-current={one.job.id === current || undefined}>
          <ComputationRow of={one} setName={one.questionSet && nameOfSet(one.questionSet)} />
        </li>
      ))}
    </ol>
  );
}

function ComputationRow({ of, setName }: { of: Computation; setName: string | null }) {
  const { job } = of;
  const title = computationTitle(of, setName);
  const options = optionsText(of);
  return (
    <article className={styles.one} aria-label={title}>
      <header className={styles.head}>
        <h3>{title}</h3>
        <Tag>{JOB_STATE_LABELS[job.state].toLowerCase()}</Tag>
        <span className={styles.quiet}>{formatDateTime(job.created_at)}</span>
      </header>
      {options && <p className={styles.quiet}>Non-default options: {options}.</p>}
      {!hasEnded(job) && <JobProgress job={job} title={title} cancelWarning="Its progress is lost; earlier results stay." />}
      {job.state === "failed" && <p className={styles.bad}>{job.error?.detail || "The computation failed. The server gave no reason."}</p>}
      {job.state === "succeeded" && <ComputationResults of={of} />}
    </article>
  );
}

function ComputationResults({ of }: { of: Computation }) {
  const { kind, job } = of;
  const { aucs, ranks = null, method, dimensions, without_vector: without = 0 } = job.result;
  return (
    <>
      <p>{resultText(of)}</p>
      {kind === "embedding" && aucs && method && dimensions !== undefined && (
        <details className={styles.more}>
          <summary>Quality of the vectors</summary>
          <AucTable embedding={{ aucs, ranks, method, dimensions, without_vector: without }} />
        </details>
      )}
      {kind === "partition" && <SkippedQuestions result={job.result} />}
      {kind === "scoring" ? <DownloadScores job={job} /> : <p><ResultLink of={of} /></p>}
    </>
  );
}

function ResultLink({ of }: { of: Computation }) {
  const { kind, graph, snapshot, questionSet } = of;
  if (kind === "partition" && questionSet !== null) return <Link to={`/workbench?set=${questionSet}`}>Open its questions</Link>;
  return <Link to={rnsUrl({ slug: graph, snapshot }, {}, { ...nonDefaultOptions(of) })}>Score sets in this graph</Link>;
}

function SkippedQuestions({ result: { left_out: left = {}, left_out_total: total = 0 } }: { result: ComputationResult }) {
  const rows = Object.entries(left).map(([question, why]) => ({ location: `question ${question} of its file`, message: why, detail: "" }));
  if (rows.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>Questions that were skipped, with reasons</summary>
      <ErrorTable title={formatListTitle("Skipped questions", rows.length, total)} rows={rows} level={3} />
    </details>
  );
}

/** The file of results, and the lines that could not be scored. */
function DownloadScores({ job: { id, result } }: { job: ComputationJob }) {
  const { failed = 0, faults = [] } = result;
  const download = useMutation({ mutationFn: async () => saveFile(await fetchFile({ url: scoresUrl(id) }), `rns-${id}.jsonl`) });
  const rows = faults.map(({ line, id: setId, message }) => ({
    location: `line ${formatCount(line)}${setId === null ? "" : `, ${String(setId)}`}`, message, detail: "",
  }));
  return (
    <>
      <div>
        <Button onPress={() => download.mutate()} isPending={download.isPending}>
          <Download size={16} aria-hidden /> Download the results
        </Button>
      </div>
      {download.isError && <p role="alert" className={styles.bad}>The download failed: {errorMessage(download.error)}</p>}
      {rows.length > 0 && <ErrorTable title={formatListTitle("Lines that could not be scored", rows.length, failed)} rows={rows} level={3} />}
    </>
  );
}
