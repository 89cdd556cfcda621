import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useParams } from "react-router";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatMoney } from "@/domains/endpoints/labels";
import { ResumeForm } from "@/domains/endpoints/ResumeForm";
import { hasEnded } from "@/domains/jobs/jobs";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { useJob } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatList, formatPercent, formatPlural } from "@/lib/format";
import { useWhenTrue } from "@/lib/useWhenTrue";
import { ComparisonForm } from "./ComparisonForm";
import { goldText, outcomeLabel } from "./labels";
import { QueryResult } from "./QueryResult";
import { SYNTHESES_KEY, synthesisQuery, SYNTHESES_URL, useRestoreSet, useResumeSynthesis, type Synthesis } from "./queries";
import styles from "./Synthesis.module.css";

/** What is drawn, written, dropped and verified so far, and what it costs. */
export function SynthesisPage() {
  const { id = "" } = useParams();
  const query = useQuery(synthesisQuery(id));
  return (
    <Page title={query.data?.name ?? "Synthesized queries"} parent={{ to: "/query-syntheses", label: "Synthesized queries" }}>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={96} />}>
        {(synthesis) => <SynthesisDetails synthesis={synthesis} />}
      </QueryBoundary>
    </Page>
  );
}

function SynthesisDetails({ synthesis }: { synthesis: Synthesis }) {
  const { state, summary, results, models } = synthesis;
  return (
    <div className={styles.section}>
      <Standing synthesis={synthesis} />
      <p className={styles.quiet}>Written, put in other words and verified by <bdi>{models.join("; ")}</bdi>.</p>
      {summary.accepted > 0 && <p>{goldText(summary)} {formatPlural(summary.removed, "candidate")} refused by a verifier.</p>}
      <Dropped outcomes={summary.outcomes} />
      <Statistics synthesis={synthesis} />
      {state === "ended" && summary.accepted > 0 && <Results synthesis={synthesis} />}
      {synthesis.question_set !== null && <ComparisonForm key={synthesis.question_set} set={synthesis.question_set} />}
      <h2>Queries</h2>
      {results.length === 0 && <EmptyState>No relation is drawn yet.</EmptyState>}
      <ol className={styles.queries}>{results.map((one) => <QueryResult key={one.number} query={one} />)}</ol>
    </div>
  );
}

/** The focus stays here when the form of a failed synthesis goes. */
function Standing({ synthesis: { id, state, job, error, summary, budget } }: { synthesis: Synthesis }) {
  const resume = useResumeSynthesis(id);
  const place = useRef<HTMLDivElement>(null);
  const spent = `${formatMoney(budget.spent)} of ${formatMoney(budget.amount)} spent.`;
  const resumeAndFocus = { ...resume, mutate: (amount: string) => resume.mutate(amount, { onSuccess: () => place.current?.focus() }) };
  return (
    <div ref={place} tabIndex={-1} className={styles.section}>
      {state === "queued" && <p>{formatCount(summary.open)} of {formatPlural(summary.drawn, "query", "queries")} open. {spent}</p>}
      {state === "queued" && <Progress id={job} />}
      {state === "failed" && <Notice tone="bad"><bdi>{error?.detail ?? "The synthesis failed. Resume it."}</bdi></Notice>}
      {state === "failed" && <ResumeForm budget={budget} resume={resumeAndFocus} />}
      {state === "ended" && <Ended summary={summary} spent={spent} />}
    </div>
  );
}

function Ended({ summary: { accepted, drawn }, spent }: { summary: Synthesis["summary"]; spent: string }) {
  if (drawn === 0) return <Notice tone="warn">This graph has no relation to draw. It needs the types and relations of a graph of STaRK. {spent}</Notice>;
  if (accepted === 0) return <Notice tone="warn">No query was accepted; the reasons are below. Choose other models or draw more. {spent}</Notice>;
  return <Notice tone="good">{formatCount(accepted)} of {formatPlural(drawn, "query", "queries")} accepted. {spent}</Notice>;
}

function Progress({ id }: { id: string | null }) {
  const job = useJob(id).data;
  const queries = useQueryClient();
  const isDone = job !== undefined && hasEnded(job);
  useWhenTrue(isDone, () => void queries.invalidateQueries({ queryKey: SYNTHESES_KEY }));
  if (!job || isDone) return <p role="status">Waiting for a worker.</p>;
  return <JobProgress job={job} title="Synthesis" cancelWarning="What models answered stays. You can resume it." />;
}

function Dropped({ outcomes }: { outcomes: Synthesis["summary"]["outcomes"] }) {
  const reasons = Object.entries(outcomes).map(([outcome, count]) => `${outcomeLabel(outcome).toLowerCase()}: ${formatCount(count)}`);
  return reasons.length > 0 && <p>Dropped: {formatList(reasons)}.</p>;
}

/** The focus stays here when the button of a deleted set goes. */
function Results({ synthesis: { id, question_set: set } }: { synthesis: Synthesis }) {
  const restore = useRestoreSet(id);
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} tabIndex={-1} className={styles.section}>
      <p className={styles.links}>
        {set !== null && <Link to={`/workbench?set=${set}`}>Question set</Link>}
        <a href={`${SYNTHESES_URL}/${id}/queries.csv`} download="queries.csv">Queries as CSV</a>
        {set !== null && <Link to="/studies/new?from=question-set">Create a study of the set</Link>}
      </p>
      {set === null && <p>The question set was deleted. It can be made again from the accepted queries, at no cost.</p>}
      {set === null && <p><Button isPending={restore.isPending} onPress={() => restore.mutate(undefined, { onSuccess: () => place.current?.focus() })}>Make the question set again</Button></p>}
      {restore.isError && <Notice tone="bad">{errorMessage(restore.error)}</Notice>}
    </div>
  );
}

function Statistics({ synthesis: { summary, statistics, writer, rewriter, verifiers, graph_name } }: { synthesis: Synthesis }) {
  const share = statistics.relational_share;
  const settings: [string, string][] = [
    ["Graph", graph_name],
    ["Written by", writer],
    ["Rewritten by", rewriter],
    ["Verified by", formatList(verifiers)],
  ];
  const measured: [string, string][] = [
    ["Answers of a query", statistics.mean_answers.toFixed(2)],
    ["Words of a query", statistics.mean_words.toFixed(2)],
    ["Shannon entropy", `${statistics.shannon_entropy.toFixed(2)} bits`],
    ["Type-token ratio", statistics.type_token_ratio.toFixed(3)],
    ...(share === null ? [] : [["Relational words", formatPercent(share)] satisfies [string, string]]),
  ];
  const facts = summary.accepted > 0 ? [...settings, ...measured] : settings;
  return <Facts>{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}</Facts>;
}
