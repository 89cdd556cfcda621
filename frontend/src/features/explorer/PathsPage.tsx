import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { EntityChip } from "@/domains/graphs/EntityChip";
import { EntityCombobox } from "@/domains/graphs/EntityCombobox";
import { pathTestUrl } from "@/domains/graphs/graphUrls";
import { useGraphParams } from "@/domains/graphs/useGraphParams";
import { combineQueries } from "@/lib/combineQueries";
import { formatCount } from "@/lib/format";
import { useMediaQuery } from "@/lib/useMediaQuery";
import { entityQuery, pathsQuery, type GraphDetail, type PathOrder, type Paths } from "./api";
import { BestPath, DirectLinks } from "./BestPath";
import { CutoffControl, UndatedNote } from "./CutoffControl";
import { ExplorerFrame } from "./ExplorerFrame";
import { ORDER_LABELS } from "./labels";
import { PathKinds } from "./PathKinds";
import { PathList } from "./PathList";
import { PathMatrix, type PathColumn } from "./PathMatrix";
import styles from "./Paths.module.css";
import { kindLabel, topPaths } from "./pathWords";
import { SaveViewButton } from "./SaveView";
import { SurpriseNote } from "./SurpriseNote";
import { INITIAL_PATHS, PATH_LIMITS, MAX_TARGETS, usePathSearch, type PathSearchState } from "./usePathSearch";

const HOPS = ["1", "2", "3"].map((value) => ({ value, label: value === "1" ? "1 hop" : `${value} hops` }));
const ORDERS: { value: PathOrder; label: string }[] = [
  { value: "probability", label: ORDER_LABELS.probability.label },
  { value: "degree", label: ORDER_LABELS.degree.label },
];

/** How one entity is linked to others: answers side by side, kinds of paths below each other. */
export function PathsPage() {
  return <ExplorerFrame current="Paths">{(graph) => <PathSearchForm graph={graph} />}</ExplorerFrame>;
}

function PathSearchForm({ graph }: { graph: GraphDetail }) {
  const { choice, set } = usePathSearch();
  const { columns, retry } = usePathColumns(choice);
  const snapshot = columns.find(({ paths }) => paths)?.paths?.snapshot;
  const from = columns[0]?.fromName ?? "";
  const isFolded = useIsFolded(choice);
  return (
    <Page
      title="Paths"
      width="wide"
      intro={isFolded ? undefined : "All paths between two entities within three hops, with the evidence of each link."}
      actions={snapshot && <SaveViewButton suggested={`Paths from ${from} to ${columns.map(({ name }) => name).join(", ")}`} snapshot={snapshot} />}
    >
      <PathOptions choice={choice} set={set} graph={graph} />
      {!isFolded && <CutoffControl graph={graph} />}
      {choice.from && choice.to.length > 0 ? <PathResults choice={choice} set={set} columns={columns} retry={retry} /> : <EmptyState>Choose a start and at least one end: a drug and a disease, for example.</EmptyState>}
    </Page>
  );
}

interface ChoiceProps {
  choice: PathSearchState;
  set: ReturnType<typeof usePathSearch>["set"];
}

function PathOptions({ choice, set, graph }: ChoiceProps & { graph: GraphDetail }) {
  const where = useGraphParams();
  const { from, to } = choice;
  const [ends, takeAway] = useFocusAfterRemove();
  const isFolded = useIsFolded(choice);
  const another = to.length < MAX_TARGETS && (
    <EntityCombobox
      graphRef={where}
      label={to.length > 0 ? "And to" : "To"}
      onPick={({ id }) => set({ to: [...new Set([...to, id])], kind: null, answer: null })}
    />
  );
  return (
    <div ref={ends} className={styles.choices}>
      <div className={styles.ends}>
        <div className={styles.end} role="group" aria-label="From">
          {from ? (
            <>
              <span className={styles.label}>From</span>
              <EntityChip id={from} onRemove={() => takeAway("From", () => set({ from: null, kind: null }))} />
            </>
          ) : <EntityCombobox graphRef={where} label="From" onPick={({ id }) => set({ from: id, kind: null })} />}
        </div>
        <div className={styles.end} role="group" aria-label="To">
          {to.length > 0 && <span className={styles.label}>To</span>}
          {to.map((id) => (
            <EntityChip
              key={id}
              id={id}
              onRemove={() => takeAway("To", () => set({ to: to.filter((other) => other !== id), kind: null, answer: null }))}
            />
          ))}
          {!isFolded && another}
        </div>
      </div>
      {isFolded ? (
        <details className={styles.more}>
          <summary>{optionsLabel(choice, where.until ?? null)}</summary>
          <div className={styles.choices}>
            <div role="group" aria-label="To">{another}</div>
            <PathSwitches choice={choice} set={set} />
            <CutoffControl graph={graph} />
          </div>
        </details>
      ) : <PathSwitches choice={choice} set={set} />}
    </div>
  );
}

/** On a phone the first path stands on the first screen, once both ends are chosen. */
function useIsFolded({ from, to }: PathSearchState): boolean {
  const isPhone = useMediaQuery("(max-width: 599px)");
  return isPhone && from !== null && to.length > 0;
}

function optionsLabel({ hops, order }: PathSearchState, until: number | null): string {
  const cutoff = until === null ? "" : `, as of ${until}`;
  return `Up to ${hops === 1 ? "1 hop" : `${hops} hops`}, by ${ORDER_LABELS[order].label.toLowerCase()}${cutoff}. Change, or add an end`;
}

function PathSwitches({ choice: { hops, order }, set }: ChoiceProps) {
  return (
    <div className={styles.switches}>
      <SegmentedControl label="Longest path" options={HOPS} value={String(hops)} onChange={(value) => set({ hops: value, kind: null })} />
      <SegmentedControl label="Order by" options={ORDERS} value={order} onChange={(value) => set({ order: value })} />
    </div>
  );
}

/** What is taken away takes its button along: the focus goes to the field for another in its place. */
function useFocusAfterRemove() {
  const ends = useRef<HTMLDivElement>(null);
  const end = useRef<"From" | "To">(null);
  useEffect(() => {
    const field = end.current && ends.current?.querySelector<HTMLElement>(`[aria-label="${end.current}"] input`);
    if (!field) return;
    const options = field.closest("details");
    if (options) options.open = true;
    field.focus();
    end.current = null;
  });
  const takeAway = (from: "From" | "To", act: () => void) => {
    end.current = from;
    act();
  };
  return [ends, takeAway] as const;
}

/** One search for each answer: its own count, its own cap. */
function usePathColumns({ from, to, hops, order, hubs, limit }: PathSearchState): { columns: PathColumn[]; retry: () => void } {
  const where = useGraphParams();
  const names = useQueries({ queries: [...(from ? [from] : []), ...to].map((id) => entityQuery(where, id)) });
  const searches = useQueries({
    queries: from ? to.map((id) => pathsQuery(where, { from, to: id, hops, order, hubs, limit })) : [],
  });
  const offset = from ? 1 : 0;
  const columns = searches.map((search, at): PathColumn => ({
    id: to[at] as string,
    name: names[at + offset]?.data?.name ?? (to[at] as string),
    fromName: names[0]?.data?.name ?? (from as string),
    paths: search.data,
    error: search.error,
  }));
  return { columns, retry: combineQueries(searches).retry };
}

interface PathResultsProps extends ChoiceProps {
  columns: PathColumn[];
  retry: () => void;
}

function PathResults({ choice, set, columns, retry }: PathResultsProps) {
  const where = useGraphParams();
  const open = columns.find(({ id }) => id === choice.answer) ?? columns[0];
  const listed = useMetapathPaths(choice, open);
  const failed = columns.find(({ error }) => error);
  const top = topPaths((choice.metapath === null && open?.paths?.paths) || []);
  const above = [...top.direct, ...(top.main ? [top.main] : [])];
  const heading = useRef<HTMLHeadingElement>(null);
  const openKind = (answer: string, metapath: string | null) => set({ answer, kind: metapath });
  const showAll = () => {
    heading.current?.focus(); // the button goes
    set({ kind: null });
  };
  return (
    <>
      {failed && <LoadError error={failed.error} onRetry={retry} />}
      <div className={styles.known}>
        {choice.from && open && <SurpriseNote ends={[choice.from, open.id]} hasPath={!open.paths || choice.metapath !== null || top.main !== undefined} />}
        <DirectLinks direct={top.direct} />
      </div>
      {open?.paths && <BestPath top={top} paths={open.paths} />}
      {columns.length > 1
        ? <PathMatrix columns={columns} answer={open?.id ?? null} metapath={choice.metapath} onOpen={openKind} />
        : open && <PathKinds column={open} metapath={choice.metapath} onOpen={openKind} />}
      {open && !listed.paths && !listed.error && <div aria-busy="true"><SkeletonRows rows={4} height={64} /></div>}
      {listed.error !== open?.error && listed.error && <LoadError error={listed.error} onRetry={listed.retry} />}
      {open && listed.paths && (
        <section aria-labelledby="paths-open" className={styles.open}>
          <h2 id="paths-open" ref={heading} tabIndex={-1}>
            <bdi>{open.fromName}</bdi> to <bdi>{open.name}</bdi>
            {choice.metapath && <span className={styles.quiet}>{kindLabel(choice.metapath)}</span>}
            {choice.metapath && <Button variant="quiet" onPress={showAll}>Show all kinds</Button>}
          </h2>
          <UndatedNote undated={listed.paths.undated} />
          <LimitControl paths={listed.paths} above={above.length} choice={choice} set={set} />
          {open.id === choice.from ? <EmptyState>Both ends are the same entity. Choose another one.</EmptyState> : <PathList paths={listed.paths} above={above} />}
          <p className={styles.quiet}>{ORDER_LABELS[choice.order].long} Weight: {listed.paths.formula}</p>
          {choice.from && open.id !== choice.from && (
            <p><Link to={pathTestUrl(where, choice.from, open.id, { kind: choice.metapath })}>Compare these kinds of path with permuted graphs</Link></p>
          )}
        </section>
      )}
    </>
  );
}

/** The paths of the open cell: of one kind, requested by itself, so that none of it is cut off. */
function useMetapathPaths({ from, hops, order, hubs, limit, metapath }: PathSearchState, open: PathColumn | undefined) {
  const where = useGraphParams();
  const search = { from: from ?? "", to: open?.id ?? "", hops, order, hubs, limit, metapath };
  const one = useQuery({ ...pathsQuery(where, search), enabled: metapath !== null && open !== undefined });
  if (metapath === null) return { paths: open?.paths, error: open?.error ?? null, retry: () => undefined };
  return { paths: one.data, error: one.error, retry: () => void one.refetch() };
}

/** Nothing is left out silently: what is not shown is counted, and one press away. */
function LimitControl({ paths, above, choice, set }: ChoiceProps & { paths: Paths; above: number }) {
  const { shown, total, hidden_through_hubs: hidden, capped } = paths;
  const nextLimit = PATH_LIMITS.find((limit) => limit > choice.limit);
  const visible = Math.min(shown, paths.paths.length);
  return (
    <div className={styles.howMany}>
      <p role="status">
        {visible < total ? `${formatCount(visible)} of ${formatCount(total)} shown` : `${formatCount(total)} found`}
        {above > 0 && `, ${formatCount(above)} above`}
        {hidden > 0 && `, ${formatCount(hidden)} through hubs hidden`}
        {capped && ". The search stopped at its limit, so there may be more"}
      </p>
      {visible < total && nextLimit && (
        <Button onPress={() => set({ limit: String(nextLimit) })}>{total <= nextLimit && !capped ? `Show all ${total}` : `Show up to ${nextLimit}`}</Button>
      )}
      {hidden > 0 && <Button onPress={() => set({ hubs: "1" })}>Show those through hubs</Button>}
      {choice.hubs && <Button onPress={() => set({ hubs: null })}>Hide those through hubs</Button>}
      {choice.limit > INITIAL_PATHS && <Button variant="quiet" onPress={() => set({ limit: null })}>Show fewer</Button>}
    </div>
  );
}
