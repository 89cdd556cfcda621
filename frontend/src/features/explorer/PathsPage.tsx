import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { Failure } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { Segments } from "@/components/Segments";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Chosen } from "@/components/graph/Chosen";
import { EntityBox } from "@/components/graph/EntityBox";
import { GraphFrame } from "@/components/graph/GraphFrame";
import { useWhere } from "@/components/graph/useWhere";
import { count } from "@/lib/format";
import { entityQuery, pathsQuery, type Order, type Paths } from "./api";
import { PathList } from "./PathList";
import { PathMatrix, type Column } from "./PathMatrix";
import styles from "./Paths.module.css";
import { SaveView } from "./SaveView";
import { FIRST_PATHS, LIMITS, MOST_ANSWERS, usePathSearch, type PathChoice } from "./usePathSearch";
import { ORDER_WORDS } from "./words";

const HOPS = ["1", "2", "3"].map((value) => ({ value, label: value === "1" ? "1 hop" : `${value} hops` }));
const ORDERS: { value: Order; label: string }[] = [
  { value: "probability", label: ORDER_WORDS.probability.label },
  { value: "degree", label: ORDER_WORDS.degree.label },
];

/** How one entity is linked to others: answers side by side, kinds of paths below each other. */
export function PathsPage() {
  return <GraphFrame>{() => <Search />}</GraphFrame>;
}

function Search() {
  const { choice, set } = usePathSearch();
  const { columns, retry } = useColumns(choice);
  const snapshot = columns.find(({ paths }) => paths)?.paths?.snapshot;
  const from = columns[0]?.fromName ?? "";
  return (
    <Page
      title="Paths"
      width="wide"
      lead="Every way from one entity to another within three hops, each with what states it where that is recorded."
      actions={snapshot && <SaveView suggested={`Paths from ${from} to ${columns.map(({ name }) => name).join(", ")}`} snapshot={snapshot} />}
    >
      <Choices choice={choice} set={set} />
      {choice.from && choice.to.length > 0 ? (
        <Found choice={choice} set={set} columns={columns} retry={retry} />
      ) : (
        <Empty>Choose where to start and at least one answer: a drug and a disease, for example.</Empty>
      )}
    </Page>
  );
}

interface ChoiceProps {
  choice: PathChoice;
  set: ReturnType<typeof usePathSearch>["set"];
}

function Choices({ choice, set }: ChoiceProps) {
  const where = useWhere();
  const { from, to, hops, order } = choice;
  const [ends, takeAway] = useFieldAfter();
  return (
    <div ref={ends} className={styles.choices}>
      <div className={styles.ends}>
        <div className={styles.end} role="group" aria-label="From">
          {from ? (
            <>
              <span className={styles.label}>From</span>
              <Chosen id={from} onRemove={() => takeAway("From", () => set({ from: null, kind: null }))} />
            </>
          ) : (
            <EntityBox where={where} label="From" onPick={({ id }) => set({ from: id, kind: null })} />
          )}
        </div>
        <div className={styles.end} role="group" aria-label="To">
          {to.length > 0 && <span className={styles.label}>To</span>}
          {to.map((id) => (
            <Chosen
              key={id}
              id={id}
              onRemove={() => takeAway("To", () => set({ to: to.filter((other) => other !== id), kind: null, answer: null }))}
            />
          ))}
          {to.length < MOST_ANSWERS && (
            <EntityBox
              where={where}
              label={to.length > 0 ? "And to" : "To"}
              onPick={({ id }) => set({ to: [...new Set([...to, id])], kind: null, answer: null })}
            />
          )}
        </div>
      </div>
      <div className={styles.switches}>
        <Segments label="Longest path" options={HOPS} value={String(hops)} onChange={(value) => set({ hops: value, kind: null })} />
        <Segments label="Order by" options={ORDERS} value={order} onChange={(value) => set({ order: value })} />
      </div>
      <p className={styles.quiet}>{ORDER_WORDS[order].long}</p>
    </div>
  );
}

/** What is taken away takes its button along: the focus goes to the field for another in its place. */
function useFieldAfter() {
  const ends = useRef<HTMLDivElement>(null);
  const end = useRef<"From" | "To">(null);
  useEffect(() => {
    const field = end.current && ends.current?.querySelector<HTMLElement>(`[aria-label="${end.current}"] input`);
    if (!field) return;
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
function useColumns({ from, to, hops, order, hubs, limit }: PathChoice): { columns: Column[]; retry: () => void } {
  const where = useWhere();
  const names = useQueries({ queries: [...(from ? [from] : []), ...to].map((id) => entityQuery(where, id)) });
  const searches = useQueries({
    queries: from ? to.map((id) => pathsQuery(where, { from, to: id, hops, order, hubs, limit })) : [],
  });
  const offset = from ? 1 : 0;
  const columns = searches.map((search, at): Column => ({
    id: to[at] as string,
    name: names[at + offset]?.data?.name ?? (to[at] as string),
    fromName: names[0]?.data?.name ?? (from as string),
    paths: search.data,
    error: search.error,
  }));
  const retry = () => {
    for (const search of searches) if (search.isError) void search.refetch();
  };
  return { columns, retry };
}

interface FoundProps extends ChoiceProps {
  columns: Column[];
  retry: () => void;
}

function Found({ choice, set, columns, retry }: FoundProps) {
  const open = columns.find(({ id }) => id === choice.answer) ?? columns[0];
  const listed = useListed(choice, open);
  const failed = columns.find(({ error }) => error);
  const heading = useRef<HTMLHeadingElement>(null);
  const showAll = () => {
    heading.current?.focus(); // the button goes
    set({ kind: null });
  };
  return (
    <>
      {failed && <Failure error={failed.error} onRetry={retry} />}
      <PathMatrix
        columns={columns}
        answer={open?.id ?? null}
        metapath={choice.metapath}
        onOpen={(answer, metapath) => set({ answer, kind: metapath })}
      />
      {open && !listed.paths && !listed.error && <div aria-busy="true"><SkeletonRows rows={4} height={64} /></div>}
      {listed.error !== open?.error && listed.error && <Failure error={listed.error} onRetry={listed.retry} />}
      {open && listed.paths && (
        <section aria-labelledby="paths-open" className={styles.open}>
          <h2 id="paths-open" ref={heading} tabIndex={-1}>
            <bdi>{open.fromName}</bdi> to <bdi>{open.name}</bdi>
            {choice.metapath && (
              <Button look="quiet" onPress={showAll}>Show all kinds</Button>
            )}
          </h2>
          <HowMany paths={listed.paths} choice={choice} set={set} />
          <PathList paths={listed.paths} />
          <p className={styles.quiet}>Weight: {listed.paths.formula}</p>
        </section>
      )}
    </>
  );
}

/** The paths of the open cell: of one kind, asked for by itself, so that none of it is cut off. */
function useListed({ from, hops, order, hubs, limit, metapath }: PathChoice, open: Column | undefined) {
  const where = useWhere();
  const search = { from: from ?? "", to: open?.id ?? "", hops, order, hubs, limit, metapath };
  const one = useQuery({ ...pathsQuery(where, search), enabled: metapath !== null && open !== undefined });
  if (metapath === null) return { paths: open?.paths, error: open?.error ?? null, retry: () => undefined };
  return { paths: one.data, error: one.error, retry: () => void one.refetch() };
}

/** Nothing is left out silently: what is not shown is counted, and one press away. */
function HowMany({ paths, choice, set }: ChoiceProps & { paths: Paths }) {
  const { shown, found, hidden_through_hubs: hidden, capped } = paths;
  const nextLimit = LIMITS.find((limit) => limit > choice.limit);
  const visible = Math.min(shown, paths.paths.length);
  return (
    <div className={styles.howMany}>
      <p role="status">
        {visible < found ? `${count(visible)} of ${count(found)} shown` : `${count(found)} found`}
        {hidden > 0 && `, ${count(hidden)} through hubs hidden`}
        {capped && ". The search stopped at its limit, so there may be more"}
      </p>
      {visible < found && nextLimit && (
        <Button onPress={() => set({ limit: String(nextLimit) })}>{found <= nextLimit && !capped ? `Show all ${found}` : `Show up to ${nextLimit}`}</Button>
      )}
      {hidden > 0 && <Button onPress={() => set({ hubs: "1" })}>Show those through hubs</Button>}
      {choice.hubs && <Button onPress={() => set({ hubs: null })}>Hide those through hubs</Button>}
      {choice.limit > FIRST_PATHS && <Button look="quiet" onPress={() => set({ limit: null })}>Show fewer</Button>}
    </div>
  );
}
