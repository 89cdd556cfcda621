import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { Breadcrumb } from "@/components/Breadcrumb";
import { ButtonLink, Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { useFocusHeading } from "@/components/Page";
import { Skeleton } from "@/components/Skeleton";
import { TextField } from "@/components/TextField";
import type { GraphRef } from "@/domains/graphs/graphQueries";
import { isNotFound } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useRecentPlace } from "@/lib/recentPlaces";
import { useDebounced } from "@/lib/useDebounced";
import type { Workbench } from "./api";
import { candidatesCsv } from "./candidatesCsv";
import { CandidateTable } from "./CandidateTable";
import { ComputationFacts, OptionFields } from "./ComputationDetails";
import { SplitDifferences } from "./Differences";
import { ExplanationPanel } from "./ExplanationPanel";
import styles from "./QuestionPage.module.css";
import { EQUAL_WEIGHTS, formatWeights, type Weights } from "@/lib/weights/simplex";
import { useWeights, type PinnedParams } from "./useWeights";
import { useWorkbench } from "./useWorkbench";
import { WeightPanel } from "./WeightPanel";
import { winningSplit, winningRegions } from "@/lib/weights/winningSplits";
import { WorkbenchActions } from "./WorkbenchActions";
import { WorkbenchError } from "./WorkbenchError";

/** One question: its candidates, what each weighing of the parts chooses, and where methods disagree. */
export function QuestionPage() {
  const bench = useWorkbench();
  const { query, questionId } = bench;
  const heading = useFocusHeading(query.data?.question.text ?? "Question");
  useRecentPlace("Question", query.data?.question.text, `/workbench/${questionId}`);
  if (query.data) return <Workbench key={questionId} bench={query.data} page={bench} heading={heading} />;
  if (!query.isError) return <QuestionSkeleton heading={heading} />;
  return (
    <div className={styles.alone}>
      <Breadcrumb parents={[{ to: "/workbench", label: "Benchmarks" }]} current="Question" />
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {isNotFound(query.error) ? "Question not found" : "This question could not be scored"}
      </h1>
      <WorkbenchError error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} options={bench.options} />
      {bench.isChosen && <OptionFields parameters={bench.options} onChoose={bench.choose} />}
    </div>
  );
}

/** The true shape of what is coming; the first look at a question scores all of its splits. */
function QuestionSkeleton({ heading }: { heading: ReturnType<typeof useFocusHeading> }) {
  return (
    <div className={styles.layout} aria-busy="true">
      <div className={styles.interactive}>
        <div className={styles.top}>
          <div className={styles.head}>
            <Breadcrumb parents={[{ to: "/workbench", label: "Benchmarks" }]} current="Question" />
            <h1 ref={heading} tabIndex={-1} className={styles.title}>Scoring the candidates</h1>
            <p className={styles.quiet}>Scoring a question for the first time takes some seconds.</p>
          </div>
        </div>
        <div className={styles.side}>
          <div className={styles.waiting}>
            <Skeleton height={280} />
            <Skeleton height={60} />
            <Skeleton height={120} />
          </div>
        </div>
        <div className={styles.work}>
          <Skeleton height={300} />
          <Skeleton height={120} />
        </div>
      </div>
    </div>
  );
}

interface Props {
  bench: Workbench;
  page: ReturnType<typeof useWorkbench>;
  heading: ReturnType<typeof useFocusHeading>;
}

function Workbench({ bench, page, heading }: Props) {
  const place: PinnedParams = { graph: bench.graph.slug, snapshot: bench.snapshot };
  const { weights, choose } = useWeights(initialWeights(bench), place, NO_CANDIDATE);
  const shown = useExplainedCandidate(bench, page.candidate, weights);
  const pins: PinnedParams = { w: formatWeights(weights), ...place };
  const { regions, chosen, positionsOf } = useWeightMap(bench, weights);
  const winner = bench.candidates.find(({ position }) => position === positionsOf(chosen.split)[0]) ?? null;
  const nameOf = useNames(bench);
  const where: GraphRef = { slug: bench.graph.slug, snapshot: bench.snapshot };
  // As it was on arrival: a choice that is taken back must not shut what it was made in.
  const [isOpen] = useState(page.isChosen);
  return (
    <div className={styles.layout} aria-busy={page.query.isPlaceholderData}>
      <div className={styles.interactive}>
        <div className={styles.top}>
          <QuestionHeader bench={bench} page={page} heading={heading} actions={
            <WorkbenchActions bench={bench} exportAddress={page.exportAddress} pins={pins} table={() => candidatesCsv(bench, weights, chosen.positions)} />
          } />
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
        <div className={styles.work}>
          {bench.candidates.length === 0 && <EmptyState>This question has no candidates.</EmptyState>}
          {bench.candidates.length > 0 && (
            <CandidateTable
              bench={bench}
              weights={weights}
              chosen={chosen.positions}
              shown={shown?.position ?? null}
              order={page.order}
              onOrder={(order) => page.set("by", order === "file" ? "" : order)}
              onShow={(position) => page.set("c", String(position), pins)}
            />
          )}
          {!bench.splits && <NoSplitsNotice bench={bench} />}
          <SplitDifferences bench={bench} chosen={chosen.positions} nameOf={nameOf} />
        </div>
      </div>
      <div className={styles.more}>
        {shown && (
          <ExplanationPanel
            key={shown.position}
            bench={bench}
            candidate={shown}
            where={where}
            winner={chosen.positions.has(shown.position) ? null : winner}
            onShow={(position) => page.set("c", String(position), pins)}
          />
        )}
        <details className={styles.how} open={isOpen}>
          <summary>How it is computed</summary>
          <p role="status" className={styles.quiet}>{page.query.isPlaceholderData ? "Computing with the new options. The page still shows the previous numbers." : ""}</p>
          <OptionFields parameters={page.options} onChoose={(name, value) => page.choose(name, value, pins)} />
          {bench.splits && <SizeField key={bench.size} size={bench.size ?? 1} max={bench.splits.order.length - 1} onChange={(size) => page.set("size", size, pins)} />}
          <ComputationFacts parameters={bench.parameters} embedding={bench.embedding} surpriseError={bench.splits?.error ?? null} />
        </details>
      </div>
    </div>
  );
}

/** Other weights choose anew: what was looked at before is not explained any more. */
const NO_CANDIDATE: PinnedParams = { c: "" };
/** Each explanation is a search on the server, so it follows the weights once they have rested. */
const SETTLE_MS = 600;

/** The candidate that the address names, else the one that the weights choose. */
function useExplainedCandidate({ splits, candidates }: Workbench, named: string | null, weights: Weights) {
  const rested = useDebounced(weights, SETTLE_MS);
  const best = splits?.sets[winningSplit(splits, rested)]?.[0] ?? 0;
  const requested = named === null ? splits?.order[best] : Number(named);
  return candidates.find(({ position, bar }) => position === requested && bar) ?? null;
}

/** Fitted weights where there are some. */
function initialWeights({ presets }: Workbench): Weights {
  return (presets.find(({ name }) => name === "calibrated") ?? presets.find(({ name }) => name === "equal"))?.weights ?? EQUAL_WEIGHTS;
}

function useNames({ candidates }: Workbench): (position: number) => string {
  return useMemo(() => {
    const names = new Map(candidates.map(({ position, name }) => [position, name]));
    return (position) => names.get(position) ?? String(position);
  }, [candidates]);
}

function QuestionHeader({ bench, page, heading, actions }: Props & { actions: ReactNode }) {
  const { question } = bench;
  return (
    <header className={styles.head}>
      <nav aria-label="Questions of the set" className={styles.parent}>
        <Link to={`/workbench?set=${question.set.id}`}>{question.set.name}</Link>
        <span>{questionPlace(question)}</span>
        <QuestionStep to={question.previous && page.placeOf(question.previous)} label="Previous question"><ChevronLeft size={18} aria-hidden /></QuestionStep>
        <QuestionStep to={question.next && page.placeOf(question.next)} label="Next question"><ChevronRight size={18} aria-hidden /></QuestionStep>
      </nav>
      <div className={styles.line}><h1 ref={heading} tabIndex={-1} className={styles.title}>{question.text}</h1>{actions}</div>
      <p className={styles.quiet}>{questionSummary(bench)}</p>
    </header>
  );
}

/** With batches, numbers begin anew in each. */
function questionPlace({ batch_number: batch, number, set_size: size }: Workbench["question"]): string {
  return batch > 0 ? `batch ${batch}, question ${number}, ${formatCount(size)} in all` : `question ${number} of ${formatCount(size)}`;
}

function QuestionStep({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (!to) return null;
  return <ButtonLink to={to} variant="quiet" size="icon" aria-label={label}>{children}</ButtonLink>;
}

function questionSummary({ candidates, left_out: leftOut, size, splits, graph, public: isPublic }: Workbench): string {
  const sentences = [formatPlural(candidates.length, "candidate") + (leftOut.length > 0 ? `, ${leftOut.length} left out` : "") + (size ? `, serendipity set of ${size}` : "") + "."];
  if (splits?.exact) sentences.push(`Exact: all ${formatPlural(splits.count, "partition")} tried.`);
  if (splits && !splits.exact) {
    sentences.push(`Approximate: of ${formatPlural(splits.count, "partition")}, ${formatCount(splits.sets.length)} that win somewhere on a grid of weights.`);
  }
  sentences.push(`${graph.name}, version ${graph.number}.`);
  if (!isPublic) sentences.push("Not public: only members of its study can see it.");
  return sentences.join(" ");
}

function NoSplitsNotice({ bench }: { bench: Workbench }) {
  const there = bench.candidates.filter(({ entity }) => entity).length;
  return (
    <EmptyState>
      {there < 2
        ? `${there === 0 ? "None" : "Only one"} of the candidates is in ${bench.graph.name}, and a partition needs two. Try another graph.`
        : "This question has too many candidates to score at once. Measure surprise over the two sets alone, or ask a coordinator to compute the question set."}
    </EmptyState>
  );
}

function SizeField({ size, max, onChange }: { size: number; max: number; onChange: (size: string) => void }) {
  const [text, setText] = useState(String(size));
  const requested = Number(text);
  const isFine = Number.isInteger(requested) && requested >= 1 && requested <= max;
  if (max < 2) return null;
  return (
    <form
      className={styles.size}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFine) onChange(text);
      }}
    >
      <TextField
        label="Size of the serendipity set"
        hint="By default a fifth of the candidates."
        inputMode="numeric"
        value={text}
        onChange={setText}
        error={isFine ? undefined : `A whole number from 1 to ${max}.`}
      />
      <Button type="submit" size="large" isDisabled={!isFine || requested === size}>Use this size</Button>
    </form>
  );
}

/** The map is drawn once; under a moving hand only the winner is looked up. */
function useWeightMap({ splits }: Workbench, weights: Weights) {
  const regions = useMemo(() => (splits ? winningRegions(splits) : []), [splits]);
  const positionsOf = (split: number) => splits?.sets[split]?.map((at) => splits.order[at] as number) ?? [];
  const split = splits ? winningSplit(splits, weights) : -1;
  return { regions, chosen: { split, positions: new Set(positionsOf(split)) }, positionsOf };
}
