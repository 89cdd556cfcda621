import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { useArrival } from "@/components/Page";
import { Skeleton } from "@/components/Skeleton";
import { count, plural } from "@/lib/format";
import type { Where } from "@/lib/graphs/reading";
import { isMissing } from "@/lib/problems";
import type { Bench } from "./api";
import { BenchActions } from "./BenchActions";
import { CandidateTable } from "./CandidateTable";
import { Differences } from "./Differences";
import { Facts, OptionFields } from "./HowComputed";
import { NotShown } from "./NotShown";
import styles from "./QuestionPage.module.css";
import { SizeField } from "./SizeField";
import { EQUAL, type Weights } from "./simplex";
import { useBench } from "./useBench";
import { useMap } from "./useMap";
import { useWeights } from "./useWeights";
import { WeightPanel } from "./WeightPanel";
import { Why } from "./Why";

/** One question: its candidates, what each weighing of the parts chooses, and where methods disagree. */
export function QuestionPage() {
  const bench = useBench();
  const { query, questionId } = bench;
  const heading = useArrival(query.data?.question.text ?? "Question");
  if (query.data) return <Workbench key={questionId} bench={query.data} page={bench} heading={heading} />;
  return (
    <div className={styles.alone}>
      <nav aria-label="Where you are" className={styles.parent}>
        <Link to="/workbench">Benchmarks</Link>
      </nav>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {query.isError ? (isMissing(query.error) ? "This question is not here" : "This question could not be scored") : "Reading the question"}
      </h1>
      {query.isError ? (
        <NotShown error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} />
      ) : (
        <div aria-busy="true" className={styles.waiting}>
          <Skeleton height={20} width="50%" />
          <Skeleton height={260} />
          <Skeleton height={120} />
        </div>
      )}
      {query.isError && bench.isChosen && <OptionFields parameters={bench.options} onChoose={bench.choose} />}
    </div>
  );
}

interface Props {
  bench: Bench;
  page: ReturnType<typeof useBench>;
  heading: ReturnType<typeof useArrival>;
}

function Workbench({ bench, page, heading }: Props) {
  const { weights, choose } = useWeights(startOf(bench));
  const { regions, chosen, positionsOf } = useMap(bench, weights);
  const nameOf = useNames(bench);
  const where: Where = { slug: bench.graph.slug, snapshot: bench.snapshot };
  // Who is explained stays so while the hand moves: another choice is hers to make.
  const [first] = useState(() => [...chosen.positions][0] ?? bench.splits?.order[0] ?? null);
  // As it was on arrival: a choice that is taken back must not shut what it was made in.
  const [isOpen] = useState(page.isChosen);
  const wanted = page.candidate === null ? first : Number(page.candidate);
  const shown = bench.candidates.find(({ position, bar }) => position === wanted && bar) ?? null;
  return (
    <div className={styles.layout} aria-busy={page.query.isPlaceholderData}>
      <div className={styles.work}>
        <Head bench={bench} page={page} heading={heading} />
        {bench.candidates.length === 0 && <Empty>This question has no candidates.</Empty>}
        {bench.candidates.length > 0 && (
          <CandidateTable
            bench={bench}
            weights={weights}
            chosen={chosen.positions}
            shown={shown?.position ?? null}
            onShow={(position) => page.set("c", String(position))}
          />
        )}
        {!bench.splits && <NoSplits bench={bench} />}
        <Differences bench={bench} chosen={chosen.positions} nameOf={nameOf} />
      </div>
      {bench.splits && (
        <div className={styles.side}>
          <WeightPanel
            bench={bench}
            weights={weights}
            onChange={choose}
            regions={regions}
            split={chosen.split}
            namesOf={(split) => positionsOf(split).map(nameOf)}
          />
        </div>
      )}
      <div className={styles.more}>
        {shown && <Why key={shown.position} bench={bench} candidate={shown} where={where} />}
        <details className={styles.how} open={isOpen}>
          <summary>How it is computed</summary>
          <p role="status" className={styles.quiet}>{page.query.isPlaceholderData ? "Computing with what you chose. The numbers shown are still those from before." : ""}</p>
          <OptionFields parameters={page.options} onChoose={page.choose} />
          {bench.splits && <SizeField key={bench.size} size={bench.size ?? 1} most={bench.splits.order.length - 1} onChange={(size) => page.set("size", size)} />}
          <Facts parameters={bench.parameters} embedding={bench.embedding} surpriseError={bench.splits?.error ?? null} />
        </details>
      </div>
    </div>
  );
}

/** Fitted weights where there are some. */
function startOf({ presets }: Bench): Weights {
  return (presets.find(({ name }) => name === "calibrated") ?? presets.find(({ name }) => name === "equal"))?.weights ?? EQUAL;
}

function useNames({ candidates }: Bench): (position: number) => string {
  return useMemo(() => {
    const names = new Map(candidates.map(({ position, name }) => [position, name]));
    return (position) => names.get(position) ?? String(position);
  }, [candidates]);
}

function Head({ bench, page, heading }: Props) {
  const { question } = bench;
  return (
    <header className={styles.head}>
      <nav aria-label="Questions of the set" className={styles.parent}>
        <Link to={`/workbench?set=${question.set.id}`}>{question.set.name}</Link>
        <span>question {question.number} of {count(question.of)}</span>
        <Step to={question.previous && page.placeOf(question.previous)} label="Previous question"><ChevronLeft size={18} aria-hidden /></Step>
        <Step to={question.next && page.placeOf(question.next)} label="Next question"><ChevronRight size={18} aria-hidden /></Step>
      </nav>
      <div className={styles.line}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>{question.text}</h1>
        <BenchActions bench={bench} exportAddress={page.exportAddress} />
      </div>
      <p className={styles.quiet}>{summary(bench)}</p>
    </header>
  );
}

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (!to) return null;
  return <ButtonLink to={to} look="quiet" size="icon" aria-label={label}>{children}</ButtonLink>;
}

function summary({ candidates, left_out: leftOut, size, splits, graph, public: isPublic }: Bench): string {
  const said = [plural(candidates.length, "candidate") + (leftOut.length > 0 ? `, ${leftOut.length} left out` : "") + (size ? `, serendipity set of ${size}` : "") + "."];
  if (splits?.exact) said.push(`Exact: all ${plural(splits.count, "partition")} tried.`);
  if (splits && !splits.exact) {
    said.push(`Approximate: of ${plural(splits.count, "partition")}, ${count(splits.sets.length)} that win somewhere on a grid of weights.`);
  }
  said.push(`${graph.name}, version ${graph.number}.`);
  if (!isPublic) said.push("Not public: only you and those you work with see it.");
  return said.join(" ");
}

function NoSplits({ bench }: { bench: Bench }) {
  const there = bench.candidates.filter(({ entity }) => entity).length;
  return (
    <Empty>
      {there < 2
        ? `${there === 0 ? "None" : "Only one"} of the candidates is in ${bench.graph.name}, and a partition needs two. Another graph may know more of them.`
        : "Scoring every partition of so many candidates takes too long while one waits. Surprise over the two sets alone is cheaper: choose it below, or ask a coordinator to have the whole set computed."}
    </Empty>
  );
}
