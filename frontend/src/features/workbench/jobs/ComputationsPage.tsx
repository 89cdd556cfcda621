import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { questionSetsQuery } from "@/domains/questions/questionSets";
import { errorMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import { DEFAULTS, readOptions } from "../options";
import { hasEnded, jobListKey } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { requestComputation, toComputations, type ComputationJob, type Kind } from "./api";
import { ComputationList } from "./ComputationList";
import { ComputeForm, type ComputeFormValues } from "./ComputeForm";
import styles from "./Jobs.module.css";
import { KINDS } from "./labels";

/** Starts and lists computations over whole graphs and question sets. */
export function ComputationsPage() {
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const jobs = useJobs<ComputationJob>();
  const sets = useQuery(questionSetsQuery);
  const starting = useMutation({
    mutationFn: requestComputation,
    onSuccess: ({ job, isNew }) => {
      if (isNew) queries.setQueryData<ComputationJob[]>(jobListKey(), (before = []) => [job, ...before]);
      return queries.invalidateQueries({ queryKey: jobListKey() });
    },
  });
  return (
    <Page
      title="Computations"
      parent={{ to: "/workbench", label: "Benchmarks" }}
      width="wide"
      intro="Large graphs need a one-time computation before they can be scored. You can leave this page while it runs."
    >
      <ComputeForm initial={initialDraft(params)} onSubmit={(request) => starting.mutate(request)} isSubmitting={starting.isPending} />
      {starting.isError && <Notice tone="bad"><p>{errorMessage(starting.error)} Your entries are still in the form.</p></Notice>}
      {starting.isSuccess && <Notice tone="good"><p>{startedMessage(starting.data, jobs.data)}</p></Notice>}
      <section className={styles.section} aria-labelledby="computations">
        <h2 id="computations">Computations</h2>
        <QueryBoundary query={jobs} skeleton={<SkeletonRows rows={3} height={72} />}>
          {(all) => {
            const shown = toComputations(withNewJob(all, starting.data?.job));
            return shown.length === 0 ? <EmptyState>You have not started a computation yet. Choose one above.</EmptyState> : (
              <ComputationList all={shown} nameOfSet={(id) => sets.data?.find((one) => one.id === id)?.name ?? null} current={starting.data?.job.id ?? null} />
            );
          }}
        </QueryBoundary>
        {jobs.isError && jobs.data && <Notice tone="warn"><p>The server does not answer at the moment. Running computations continue.</p></Notice>}
      </section>
    </Page>
  );
}

function startedMessage({ job: { id, state }, isNew }: { job: ComputationJob; isNew: boolean }, own: ComputationJob[] = []): string {
  if (isNew) return "Computation started. Progress is shown below.";
  if (state === "succeeded") return "This was computed before. The result is marked below.";
  if (own.some((one) => one.id === id)) return "This computation is already running. It is marked below.";
  return "Somebody else has started the same computation. You can use its result, too.";
}

/** An earlier result of somebody else is not in the user's list. */
function withNewJob(own: ComputationJob[], requested: ComputationJob | undefined): ComputationJob[] {
  const isListed = requested === undefined || own.some(({ id }) => id === requested.id);
  return isListed || !hasEnded(requested) ? own : [requested, ...own];
}

/** Other pages link here with the computation that they need. */
function initialDraft(params: URLSearchParams): Partial<ComputeFormValues> {
  const kind = KINDS.find(({ value }) => value === params.get("kind"))?.value satisfies Kind | undefined;
  return {
    graph: params.get("graph") ?? "",
    set: params.get("set") ?? "",
    options: { ...DEFAULTS, ...readOptions(params) },
    ...(kind && { kind }),
  };
}
