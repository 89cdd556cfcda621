import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { CopyText } from "@/components/CopyText";
import { DataTable } from "@/components/DataTable";
import { Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { ProgressBar } from "@/components/ProgressBar";
import { Tag } from "@/components/Tag";
import { formatMoney, sizeLabel } from "@/domains/endpoints/labels";
import { boardQuery } from "@/domains/evaluation/queries";
import { scoreText } from "@/domains/evaluation/labels";
import { formatCount, formatDuration, formatPlural, formatTimeLeft } from "@/lib/format";
import { flagTexts, outcomesText, papersText, progressText, RUN_STATES, samplingText } from "./labels";
import { runQuery, type Run } from "./queries";
import { RunActions } from "./RunActions";
import { RunAnswers } from "./RunAnswers";
import { RunExplorations } from "./RunExplorations";
import styles from "./Runs.module.css";

const PARENT = { to: "/runs", label: "Runs" };

/** A run from its estimate to its result. */
export function RunPage() {
  const { id = "" } = useParams();
  const run = useQuery(runQuery(id));
  return (
    <PageBoundary query={run} title="Run" parent={PARENT}>
      {(data) => (
        <Page title={data.model.name} parent={PARENT} width="wide" intro={<Intro run={data} />} aside={<Tag>{RUN_STATES[data.state]}</Tag>}>
          {data.error && <Notice tone={data.state === "failed" ? "bad" : "warn"}><p>{data.error.detail}</p></Notice>}
          <Progress run={data} />
          {data.state === "estimated" && data.estimate && <Estimate run={data} estimate={data.estimate} />}
          <RunActions run={data} />
          <Results run={data} />
          <Spending run={data} />
          {data.task.is_stepwise ? <RunExplorations run={data} /> : <RunAnswers run={data} />}
          <section className={styles.section} aria-label="The same run again">
            <h2>The same run again</h2>
            <CopyText label="Command" text={data.command} />
          </section>
        </Page>
      )}
    </PageBoundary>
  );
}

/** Every result names the model that made it, and its size. */
function Intro({ run: { task, release, endpoint, settings, estimate } }: { run: Run }) {
  const sampling = samplingText(settings);
  const size = sizeLabel(endpoint.parameters);
  return (
    <>
      {task.title}, on <Link to={`/releases/${release.slug}`}>{release.title}</Link>. Answered by {endpoint.model}
      {size && `, a ${size}`}, at the endpoint {endpoint.name}, with <Link to={`/prompts/${task.prompt.name}`}>version {task.prompt.version} of the prompt</Link>.
      {sampling && ` ${sampling}.`}
      {estimate?.papers && ` ${papersText(estimate.papers)}`}
    </>
  );
}

function Progress({ run: { state, progress, outcomes, flags, models_returned: models } }: { run: Run }) {
  const left = progress.seconds_left;
  return (
    <section className={styles.section} aria-label="Progress">
      <ProgressBar label="Progress of the run" value={progress.done} total={progress.items} />
      <p role="status">
        {progressText(progress)}.{state === "running" && left !== null && ` ${formatTimeLeft(1000 * left)}.`}
      </p>
      {Object.keys(outcomes).length > 0 && <p className={styles.quiet}>{outcomesText(outcomes)}</p>}
      {flagTexts(flags, models).map((text) => <p key={text} className={styles.quiet}>{text}</p>)}
    </section>
  );
}

function Estimate({ run, estimate }: { run: Run; estimate: NonNullable<Run["estimate"]> }) {
  return (
    <section className={styles.section} aria-label="Estimate">
      <h2>What all items would take</h2>
      <Facts>
        <div><dt>Cost</dt><dd>{formatMoney(estimate.cost)}, at most {formatMoney(estimate.worst_cost)}</dd></div>
        <div><dt>Requests</dt><dd>{formatCount(estimate.calls)}</dd></div>
        <div><dt>Time</dt><dd>{estimate.seconds < 1 ? "" : "about "}{formatDuration(1000 * estimate.seconds)}</dd></div>
        <div><dt>Tokens</dt><dd>{formatCount(estimate.tokens_in)} in, {formatCount(estimate.tokens_out)} out</dd></div>
      </Facts>
      <p className={styles.quiet}>From {formatPlural(estimate.sampled, "sample item")} of {formatCount(run.progress.items)}. Their answers are below.</p>
    </section>
  );
}

function Results({ run }: { run: Run }) {
  if (run.submissions.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Result">
      <h2>Result</h2>
      <div className={styles.row}>
        {run.submissions.map(({ id, split, state }) => (
          <ButtonLink key={id} to={`/submissions/${id}`}>{SPLITS[split] ?? split}: {state}</ButtonLink>
        ))}
      </div>
      {run.attempt_scores.length > 0 && <AttemptScores run={run} />}
    </section>
  );
}

const SPLITS: Record<string, string> = { test: "Test items", dev: "Dev items" };
const ATTEMPTS = { first: "first try", retried: "second try" } as const;

/** Items that had to be requested again are a selection: their scores stand apart. */
function AttemptScores({ run: { release, attempt_scores: parts } }: { run: Run }) {
  const board = useQuery(boardQuery(release.slug, "")).data;
  const metricOf = (id: string) => board?.metrics.find((metric) => metric.id === id) ?? { label: id, unit: "" };
  const metrics = [...new Set(parts.flatMap(({ scores }) => Object.keys(scores)))];
  return (
    <DataTable label="Scores by try" minWidth={200 + 150 * parts.length} folds columns={["Metric", ...parts.map((part) => ({ label: partLabel(part), isNumeric: true }))]}>
      {metrics.map((metric) => (
        <tr key={metric}>
          <th scope="row">{metricOf(metric).label}</th>
          {parts.map(({ split, attempts, scores }) => (
            <td key={`${split} ${attempts}`} data-numeric className="number">{scores[metric] === undefined ? "none" : scoreText(scores[metric], metricOf(metric))}</td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

/** 'Dev items, first try, n = 14'. */
function partLabel({ split, attempts, items }: Run["attempt_scores"][number]): string {
  return `${SPLITS[split] ?? split}, ${ATTEMPTS[attempts]}, n = ${formatCount(items)}`;
}

function Spending({ run: { budget, tokens, cost } }: { run: Run }) {
  if (!budget) return null;
  const used = Number(budget.spent) + Number(budget.reserved);
  return (
    <section className={styles.section} aria-label="Budget">
      <h2>Budget</h2>
      {Number(budget.amount) > 0 && <ProgressBar label="Share of the budget that is spent or reserved" value={used} total={Number(budget.amount)} />}
      <Facts>
        <div><dt>Budget</dt><dd>{formatMoney(budget.amount)}</dd></div>
        <div><dt>Spent</dt><dd>{formatMoney(budget.spent)}</dd></div>
        <div><dt>Reserved for requests under way</dt><dd>{formatMoney(budget.reserved)}</dd></div>
        <div><dt>Typical request</dt><dd>{budget.typical === null ? "not known yet" : formatMoney(budget.typical)}</dd></div>
        <div><dt>Tokens</dt><dd>{formatCount(tokens.in)} in, {formatCount(tokens.out)} out</dd></div>
        <div><dt>Cost without the cache</dt><dd>{formatMoney(cost)}</dd></div>
      </Facts>
    </section>
  );
}
