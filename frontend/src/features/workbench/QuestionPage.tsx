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
import { candidatesCsv } from "./candidatesCsv";
import { CandidateTable } from "./CandidateTable";
import { Differences } from "./Differences";
import { Facts, OptionFields } from "./HowComputed";
import { NotShown } from "./NotShown";
import styles from "./QuestionPage.module.css";
import { SizeField } from "./SizeField";
import { EQUAL, writeWeights, type Weights } from "./simplex";
import { useBench } from "./useBench";
import { useMap } from "./useMap";
import { useWeights, type Pins } from "./useWeights";
import { WeightPanel } from "./WeightPanel";
import { Why } from "./Why";
import { winnerAt } from "./winners";

/** One question: its candidates, what each weighing of the parts chooses, and where methods disagree. */
export function QuestionPage() {
  const bench = useBench();
  const { query, questionId } = bench;
  const heading = useArrival(query.data?.question.text ?? "Question");
  if (query.data) return <Workbench key={questionId} bench={query.data} page={bench} heading={heading} />;
  if (!query.isError) return <Reading heading={heading} />;
  return (
    <div className={styles.alone}>
      <nav aria-label="Where you are" className={styles.parent}>
        <Link to="/workbench">Benchmarks</Link>
      </nav>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {isMissing(query.error) ? "This question is not here" : "This question could not be scored"}
      </h1>
      <NotShown error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} options={bench.options} />
      {bench.isChosen && <OptionFields parameters={bench.options} onChoose={bench.choose} />}
    </div>
  );
}

/** The true shape of what is coming; the first look at a question scores all of its splits. */
function Reading({ heading }: { heading: ReturnType<typeof useArrival> }) {
  return (
    <div className={styles.layout} aria-busy="true">
      <div className={styles.work}>
        <div className={styles.head}>
          <nav aria-label="Where you are" className={styles.parent}><Link to="/workbench">Benchmarks</Link></nav>
          <h1 ref={heading} tabIndex={-1} className={styles.title}>Scoring the candidates</h1>
          <p className={styles.quiet}>The first look at a question takes some seconds.</p>
        </div>
        <Skeleton height={300} />
        <Skeleton height={120} />
      </div>
      <div className={styles.side}>
        <div className={styles.waiting}>
          <Skeleton height={280} />
          <Skeleton height={60} />
          <Skeleton height={120} />
        </div>
      </div>
    </div>
  );
}

interface Props {
  bench: Bench;
  page: ReturnType<typeof useBench>;
  heading: ReturnType<typeof useArrival>;
}

function Workbench({ bench, page, heading }: Props) {
  const [first] = useState(() => firstShown(bench, page.weights ?? startOf(bench)));
  const wanted = page.candidate === null ? first : Number(page.candidate);
  const shown = bench.candidates.find(({ position, bar }) => position === wanted && bar) ?? null;
  const place: Pins = { graph: bench.graph.slug, snapshot: bench.snapshot, ...(shown && { c: String(shown.position) }) };
  const { weights, choose } = useWeights(startOf(bench), place);
  const pins: Pins = { w: writeWeights(weights), ...place };
  const { regions, chosen, positionsOf } = useMap(bench, weights);
  const nameOf = useNames(bench);
  const where: Where = { slug: bench.graph.slug, snapshot: bench.snapshot };
  // As it was on arrival: a choice that is taken back must not shut what it was made in.
  const [isOpen] = useState(page.isChosen);
  return (
    <div className={styles.layout} aria-busy={page.query.isPlaceholderData}>
      <div className={styles.work}>
        <Head bench={bench} page={page} heading={heading} actions={
          <BenchActions bench={bench} exportAddress={page.exportAddress} pins={pins} table={() => candidatesCsv(bench, weights, chosen.positions)} />
        } />
        {bench.candidates.length === 0 && <Empty>This question has no candidates.</Empty>}
        {bench.candidates.length > 0 && (
          <CandidateTable
            bench={bench}
            weights={weights}
            chosen={chosen.positions}
            shown={shown?.position ?? null}
            onShow={(position) => page.set("c", String(position), pins)}
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
          <OptionFields parameters={page.options} onChoose={(name, value) => page.choose(name, value, pins)} />
          {bench.splits && <SizeField key={bench.size} size={bench.size ?? 1} most={bench.splits.order.length - 1} onChange={(size) => page.set("size", size, pins)} />}
          <Facts parameters={bench.parameters} embedding={bench.embedding} surpriseError={bench.splits?.error ?? null} />
        </details>
      </div>
    </div>
  );
}

/** Who is explained at first, and stays so while the hand moves: another choice is hers to make. */
function firstShown({ splits }: Bench, weights: Weights): number | null {
  const best = splits?.sets[winnerAt(splits, weights)]?.[0] ?? 0;
  return splits?.order[best] ?? null;
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

function Head({ bench, page, heading, actions }: Props & { actions: ReactNode }) {
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
        {actions}
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
