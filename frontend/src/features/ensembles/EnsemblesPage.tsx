import { useQuery, useQueryClient } from "@tanstack/react-query";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatMoney, modelText } from "@/domains/endpoints/labels";
import { endpointsQuery } from "@/domains/endpoints/queries";
import { ResumeForm } from "@/domains/endpoints/ResumeForm";
import { hasEnded } from "@/domains/jobs/jobs";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { useJob } from "@/domains/jobs/useJob";
import { questionSetsQuery } from "@/domains/questions/questionSets";
import { useCursorList } from "@/lib/cursor";
import { formatCount, formatList, formatPlural, formatRecentDate } from "@/lib/format";
import { useWhenTrue } from "@/lib/useWhenTrue";
import { EnsembleForm } from "./EnsembleForm";
import styles from "./Ensembles.module.css";
import { ENSEMBLES_KEY, ENSEMBLES_URL, useResumeEnsemble, type Ensemble } from "./queries";

const INTRO = "Models score each candidate from 0 to 20. The best fifth by their mean score become the partition of the models.";

const STATE_LABELS = { queued: "Under way", ended: "Ended", failed: "Failed" } as const;

const NO_SETS = <EmptyState>You manage no question set yet. Import one first.</EmptyState>;

const isManaged = ({ is_manager: isManager }: { is_manager: boolean }) => isManager;

/** Start an ensemble of a question set; what earlier ones scored and cost is below. */
export function EnsemblesPage() {
  const sets = useQuery(questionSetsQuery);
  const endpoints = useQuery(endpointsQuery);
  const skeleton = <SkeletonRows rows={4} height={72} />;
  return (
    <Page title="Scores by models" parent={{ to: "/workbench", label: "Benchmarks" }} intro={INTRO}>
      <QueryBoundary query={sets} skeleton={skeleton} empty={NO_SETS}>
        {(allSets) => !allSets.some(isManaged) ? NO_SETS : (
          <QueryBoundary query={endpoints} skeleton={skeleton} empty={<EmptyState>You may use no endpoint yet. An administrator adds them.</EmptyState>}>
            {(allEndpoints) => <EnsembleForm sets={allSets.filter(isManaged)} endpoints={allEndpoints} />}
          </QueryBoundary>
        )}
      </QueryBoundary>
      {!sets.isPending && !endpoints.isPending && <Ensembles />}
    </Page>
  );
}

/** After the form, whose height nobody knows before: on a phone the list jumped. */
function Ensembles() {
  const list = useCursorList<Ensemble>(ENSEMBLES_KEY, ENSEMBLES_URL);
  return (
    <section aria-labelledby="ensembles-heading" className={styles.list}>
      <h2 id="ensembles-heading">Ensembles</h2>
      <QueryBoundary query={list} skeleton={<SkeletonRows rows={3} />} empty={<EmptyState>None yet. What you start above stays here.</EmptyState>}>
        {(all) => <>{all.map((one) => <EnsembleDetails key={one.id} ensemble={one} />)}</>}
      </QueryBoundary>
      <ShowMore list={list} label="Show more ensembles" />
    </section>
  );
}

function EnsembleDetails({ ensemble }: { ensemble: Ensemble }) {
  const { id, state, error, owner, question_set: set, endpoints, result, job, budget, created_at: date } = ensemble;
  const resume = useResumeEnsemble(id);
  return (
    <article aria-label={set.name} className={styles.ensemble}>
      <div className={styles.heading}>
        <h3 dir="auto">{set.name}</h3>
        <Tag>{STATE_LABELS[state]}</Tag>
      </div>
      <p className={styles.quiet}>
        Requested by <bdi>{owner}</bdi>, {formatRecentDate(date)}. {formatMoney(budget.spent)} of {formatMoney(budget.amount)} spent.{" "}
        Models: <bdi>{formatList(endpoints.map(({ name, model, size_label: size }) => `${name} (${modelText(model, size)})`))}</bdi>.
      </p>
      {state === "queued" && <Progress id={job} />}
      {result && <p>{resultText(result)}</p>}
      {state === "failed" && <Notice tone="bad"><bdi>{error?.detail ?? "The ensemble failed. Resume it."}</bdi></Notice>}
      {state === "failed" && <ResumeForm budget={budget} resume={resume} />}
    </article>
  );
}

function resultText({ scored, known, failed, partitions, left_out: leftOut }: NonNullable<Ensemble["result"]>): string {
  const sentences = [`${formatPlural(partitions, "question")} partitioned.`, `${formatPlural(scored, "answer")} of models stored, ${formatCount(known)} stored before, ${formatCount(failed)} failed.`];
  if (leftOut > 0) sentences.push(`${formatPlural(leftOut, "question")} left out, with one candidate or too many.`);
  return sentences.join(" ");
}

function Progress({ id }: { id: string | null }) {
  const job = useJob(id).data;
  const queries = useQueryClient();
  const isDone = job !== undefined && hasEnded(job);
  useWhenTrue(isDone, () => void queries.invalidateQueries({ queryKey: ENSEMBLES_KEY }));
  if (!job || isDone) return <p role="status">Waiting for a worker.</p>;
  return <JobProgress job={job} title="Ensemble" cancelWarning="What models scored stays. You can resume it." />;
}
