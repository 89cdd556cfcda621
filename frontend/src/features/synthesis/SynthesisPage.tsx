import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { ResumeForm } from "@/domains/endpoints/ResumeForm";
import { formatCount, formatList, formatPercent, formatPlural } from "@/lib/format";
import { goldText, outcomeLabel } from "./labels";
import { QueryResult } from "./QueryResult";
import { synthesisQuery, SYNTHESES_URL, useResumeSynthesis, type Synthesis } from "./queries";
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
  const { id, state, error, summary, results, budget } = synthesis;
  const resume = useResumeSynthesis(id);
  const spent = `${budget.spent} of ${budget.amount} US dollars are spent.`;
  const dropped = Object.entries(summary.outcomes).map(([outcome, count]) => `${outcomeLabel(outcome).toLowerCase()}: ${formatCount(count)}`);
  return (
    <div className={styles.section}>
      {state === "queued" && <Notice>Models are at work: {formatCount(summary.open)} of {formatPlural(summary.drawn, "query", "queries")} open. {spent}</Notice>}
      {state === "failed" && <Notice tone="bad"><bdi>{error?.detail ?? "The synthesis failed. Resume it."}</bdi></Notice>}
      {state === "failed" && <ResumeForm budget={budget} resume={resume} />}
      {state === "ended" && <Notice tone="good">{formatCount(summary.accepted)} of {formatPlural(summary.drawn, "query", "queries")} accepted. {spent}</Notice>}
      <p>{goldText(summary)} {formatPlural(summary.removed, "candidate")} refused by a verifier.</p>
      {dropped.length > 0 && <p>Dropped: {formatList(dropped)}.</p>}
      <Statistics synthesis={synthesis} />
      {state === "ended" && (
        <p className={styles.links}>
          <Link to={`/workbench?set=${synthesis.question_set ?? ""}`}>Question set</Link>
          <a href={`${SYNTHESES_URL}/${id}/queries.csv`} download="queries.csv">Queries as CSV</a>
          <Link to="/studies/new?from=question-set">Create a study of the set</Link>
        </p>
      )}
      <h2>Queries</h2>
      {results.length === 0 && <EmptyState>No relation is drawn yet.</EmptyState>}
      <ol className={styles.queries}>{results.map((one) => <QueryResult key={one.number} query={one} />)}</ol>
    </div>
  );
}

function Statistics({ synthesis: { statistics, writer, rewriter, verifiers, graph_name } }: { synthesis: Synthesis }) {
  const share = statistics.relational_share;
  const facts: [string, string][] = [
    ["Graph", graph_name],
    ["Written by", writer],
    ["Rewritten by", rewriter],
    ["Verified by", formatList(verifiers)],
    ["Answers of a query", statistics.mean_answers.toFixed(2)],
    ["Words of a query", statistics.mean_words.toFixed(2)],
    ["Shannon entropy", `${statistics.shannon_entropy.toFixed(2)} bits`],
    ["Type-token ratio", statistics.type_token_ratio.toFixed(3)],
    ["Relational words", share === null ? "None yet" : formatPercent(share)],
  ];
  return <Facts>{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}</Facts>;
}
