import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { sentenceOf } from "@/lib/problems";
import { questionSetsQuery } from "../api";
import { DEFAULTS, readOptions } from "../options";
import { hasEnded, requestComputation, type Asked, type Computation, type Kind } from "./api";
import { ComputationList } from "./ComputationList";
import { ComputeForm, type Draft } from "./ComputeForm";
import styles from "./Computing.module.css";
import { useComputations } from "./useComputations";
import { KINDS } from "./words";

/** What large graphs and whole question sets need once, asked for by whoever coordinates. */
export function ComputationsPage() {
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const computations = useComputations();
  const sets = useQuery(questionSetsQuery);
  const asking = useMutation({
    mutationFn: requestComputation,
    onSuccess: ({ computation, isNew }) => {
      if (isNew) queries.setQueryData<Computation[]>(["computations"], (before = []) => [computation, ...before]);
      return queries.invalidateQueries({ queryKey: ["computations"] });
    },
  });
  return (
    <Page
      title="Computations"
      parent={{ to: "/workbench", label: "Benchmarks" }}
      width="wide"
      lead="What a large graph needs once before its scores can be asked for, and the partitions of whole question sets. The work goes on without this page."
    >
      <ComputeForm initial={draftOf(params)} onAsk={(wanted) => asking.mutate(wanted)} isAsking={asking.isPending} />
      {asking.isError && <Notice tone="bad"><p>{sentenceOf(asking.error)} What you chose is still chosen.</p></Notice>}
      {asking.isSuccess && <Notice tone="good"><p>{askedWords(asking.data, computations.data)}</p></Notice>}
      <section className={styles.section} aria-labelledby="asked-for">
        <h2 id="asked-for">Asked for</h2>
        <Loadable query={computations} skeleton={<SkeletonRows rows={3} height={72} />}>
          {(all) => {
            const shown = withAsked(all, asking.data?.computation);
            return shown.length === 0 ? (
              <Empty>What you ask for is listed here, with how far it is and what came of it.</Empty>
            ) : (
              <ComputationList all={shown} nameOfSet={(id) => sets.data?.find((one) => one.id === id)?.name ?? null} current={asking.data?.computation.id ?? null} />
            );
          }}
        </Loadable>
        {computations.isError && computations.data && <Notice tone="warn"><p>The server does not answer at the moment. What is under way goes on without this page.</p></Notice>}
      </section>
    </Page>
  );
}

function askedWords({ computation: { id, state }, isNew }: Asked, hers: Computation[] | undefined): string {
  if (isNew) return "Asked for. How far it is stands below.";
  if (state === "done") return "The same was computed before, and is still there. It is marked below.";
  if (hers?.some((one) => one.id === id)) return "The same is under way already. It is marked below.";
  return "The same was asked for by somebody else, and is under way. What comes of it serves you, too.";
}

/** What a command or a colleague had computed before is not in her list. */
function withAsked(hers: Computation[], asked: Computation | undefined): Computation[] {
  const isThere = asked === undefined || hers.some(({ id }) => id === asked.id);
  return isThere || !hasEnded(asked) ? hers : [asked, ...hers];
}

/** A page that lacked something leads here with what it lacked. */
function draftOf(params: URLSearchParams): Partial<Draft> {
  const kind = KINDS.find(({ value }) => value === params.get("kind"))?.value satisfies Kind | undefined;
  return {
    graph: params.get("graph") ?? "",
    set: params.get("set") ?? "",
    options: { ...DEFAULTS, ...readOptions(params) },
    ...(kind && { kind }),
  };
}
