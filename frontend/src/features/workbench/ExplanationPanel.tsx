import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { LoadError } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { GraphRef } from "@/domains/graphs/graphQueries";
import { neighbourhoodUrl, entityUrl, pathsUrl } from "@/domains/graphs/graphUrls";
import { PathSteps } from "@/domains/graphs/PathSteps";
import { formatCount, formatList } from "@/lib/format";
import { explanationQuery, type Workbench, type WorkbenchCandidate, type Pair } from "./api";
import { groupStatements, namedEntities, type Statement, type StatementSection } from "./explanationGroups";
import styles from "./ExplanationPanel.module.css";

/** Pairs in one request: each is a search through the graph. */
const PAIRS_PER_PAGE = 4;
const FIRST_PAIRS = 2 * PAIRS_PER_PAGE;

interface Props {
  bench: Workbench;
  candidate: WorkbenchCandidate;
  where: GraphRef;
  /** The first candidate of the winning set, where the explained candidate is not in that set. */
  winner: WorkbenchCandidate | null;
  onShow: (position: number) => void;
}

/** What links a candidate with the others: each statement once, mechanisms first. */
export function ExplanationPanel({ bench, candidate, where, winner, onShow }: Props) {
  const others = (bench.splits?.order ?? []).filter((position) => position !== candidate.position).toSorted((a, b) => a - b);
  const [shown, setShown] = useState(FIRST_PAIRS);
  const left = others.length - shown;
  return (
    <section className={styles.why} aria-labelledby="why">
      <h2 id="why">Why {candidate.name}</h2>
      {winner && (
        <p className={styles.links}>
          At these weights, {candidate.name} is not in the serendipity set.
          <Button onPress={() => onShow(winner.position)}>Show why {winner.name}</Button>
        </p>
      )}
      {candidate.entity && (
        <p className={styles.links}>
          <Link to={entityUrl(where, candidate.entity.id)}>Its page in the graph</Link>
          <Link to={neighbourhoodUrl(where, candidate.entity.id)}>Its neighbourhood</Link>
        </p>
      )}
      <p className={styles.quiet}>What links it with the other candidates, within three hops: mechanisms first, what the question states last.</p>
      {others.length === 0
        ? <EmptyState>No other candidate is in this graph, so there is no path to show.</EmptyState>
        : <Statements bench={bench} candidate={candidate} where={where} others={others.slice(0, shown)} />}
      {left > 0 && (
        <div>
          <Button onPress={() => setShown(shown + PAIRS_PER_PAGE)}>Search from {Math.min(left, PAIRS_PER_PAGE)} more of {formatCount(others.length)}</Button>
        </div>
      )}
    </section>
  );
}

interface StatementsProps extends Pick<Props, "bench" | "candidate" | "where"> {
  others: number[];
}

function Statements({ bench, candidate, where, others }: StatementsProps) {
  const pages = Array.from({ length: Math.ceil(others.length / PAIRS_PER_PAGE) }, (_, page) =>
    others.slice(page * PAIRS_PER_PAGE, (page + 1) * PAIRS_PER_PAGE));
  const queries = useQueries({ queries: pages.map((existing) => explanationQuery(bench.question.id, where, existing, candidate.position)) });
  const failed = queries.find(({ isError }) => isError);
  const pairs = queries.flatMap(({ data }) => data?.pairs ?? []);
  if (failed) return <LoadError error={failed.error} onRetry={() => queries.forEach((one) => void one.refetch())} isBusy={failed.isFetching} />;
  if (queries.some(({ isPending }) => isPending)) return <div aria-busy="true"><SkeletonRows rows={3} height={72} /></div>;
  const sections = groupStatements(pairs, namedEntities(bench));
  return (
    <>
      {sections.length === 0 && <EmptyState>No path of up to three hops leads here from the other candidates.</EmptyState>}
      {sections.length > 0 && sections.every(({ isKnown }) => isKnown) && (
        <p>The graph links {candidate.name} with them only through what the question states.</p>
      )}
      {sections.map((section) => <Section key={section.title} section={section} where={where} />)}
      <PathCounts pairs={pairs} where={where} />
    </>
  );
}

const MAX_STATEMENTS = 4;

function Section({ section: { title, isKnown, statements }, where }: { section: StatementSection; where: GraphRef }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? statements : statements.slice(0, MAX_STATEMENTS);
  const list = (
    <>
      <ul className={styles.paths}>{shown.map((statement) => <li key={statement.key}><StatementRow statement={statement} where={where} /></li>)}</ul>
      {shown.length < statements.length && <div><Button onPress={() => setWhole(true)}>Show {statements.length - shown.length} more</Button></div>}
    </>
  );
  if (isKnown) return <details className={styles.section}><summary>{title} ({formatCount(statements.length)})</summary>{list}</details>;
  return <section className={styles.section} aria-label={title}><h3>{title} <span className={styles.quiet}>{formatCount(statements.length)}</span></h3>{list}</section>;
}

function StatementRow({ statement: { path, from }, where }: { statement: Statement; where: GraphRef }) {
  const [, ...others] = from;
  return (
    <>
      <PathSteps path={path} where={where} />
      {others.length > 0 && <p className={styles.quiet}>The same from {formatList(others)}.</p>}
    </>
  );
}

/** How many paths lead from each other candidate, with the way to all of them. */
function PathCounts({ pairs, where }: { pairs: Pair[]; where: GraphRef }) {
  return (
    <details className={styles.section}>
      <summary>Paths within three hops, by where they start</summary>
      <ul className={styles.counts}>
        {pairs.map(({ existing, serendipity, total, capped }) => (
          <li key={existing.id}>
            {total > 0 ? <Link to={pathsUrl(where, existing.id, [serendipity.id])}>From {existing.name}</Link> : `From ${existing.name}`}
            <span className={styles.quiet}> {total === 0 ? "none" : `${capped ? "at least " : ""}${formatCount(total)}`}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
