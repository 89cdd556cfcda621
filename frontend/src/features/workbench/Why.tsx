import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { PathSteps } from "@/components/graph/PathSteps";
import { Failure } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { count } from "@/lib/format";
import { canvasPlace, entityPlace, pathsPlace } from "@/lib/graphs/places";
import type { Where } from "@/lib/graphs/reading";
import { explainedQuery, type Bench, type BenchCandidate, type Pair } from "./api";
import styles from "./Why.module.css";

/** So many pairs are asked for at a time: each is a search through the graph. */
const PAIRS = 4;

/** Why a candidate may matter beside the others: the best paths from each of them, in words. */
export function Why({ bench, candidate, where }: { bench: Bench; candidate: BenchCandidate; where: Where }) {
  const others = (bench.splits?.order ?? []).filter((position) => position !== candidate.position).toSorted((a, b) => a - b);
  const [shown, setShown] = useState(PAIRS);
  const pages = Array.from({ length: Math.ceil(Math.min(shown, others.length) / PAIRS) }, (_, page) =>
    others.slice(page * PAIRS, Math.min(shown, (page + 1) * PAIRS)));
  const left = others.length - shown;
  return (
    <section className={styles.why} aria-labelledby="why">
      <h2 id="why">Why {candidate.name}</h2>
      {candidate.entity && (
        <p className={styles.links}>
          <Link to={entityPlace(where, candidate.entity.id)}>What the graph says of it</Link>
          <Link to={canvasPlace(where, candidate.entity.id)}>What is near it</Link>
        </p>
      )}
      <p className={styles.quiet}>
        The most probable ways to it from each other candidate, within three hops. They say what links the two, not that
        one treats what the other treats.
      </p>
      {others.length === 0 && <Empty>There is no other candidate in this graph to begin at.</Empty>}
      {pages.map((existing) => (
        <Pairs key={existing.join()} bench={bench} existing={existing} candidate={candidate} where={where} />
      ))}
      {left > 0 && (
        <div>
          <Button onPress={() => setShown(shown + PAIRS)}>Show from {Math.min(left, PAIRS)} more of {count(others.length)}</Button>
        </div>
      )}
    </section>
  );
}

interface PairsProps {
  bench: Bench;
  existing: number[];
  candidate: BenchCandidate;
  where: Where;
}

function Pairs({ bench, existing, candidate, where }: PairsProps) {
  const found = useQuery(explainedQuery(bench.question.id, where, existing, candidate.position));
  if (found.isError) return <Failure error={found.error} onRetry={() => void found.refetch()} busy={found.isFetching} />;
  if (!found.data) return <div aria-busy="true"><SkeletonRows rows={existing.length} height={72} /></div>;
  return (
    <ul className={styles.pairs}>
      {found.data.pairs.map((pair) => <PairRow key={pair.existing.id} pair={pair} where={where} />)}
    </ul>
  );
}

function PairRow({ pair, where }: { pair: Pair; where: Where }) {
  const { existing, serendipity, found, shown, capped, paths } = pair;
  return (
    <li className={styles.pair}>
      <h3>
        From {existing.name}
        <span className={styles.quiet}>
          {found === 0 ? "no path within three hops" : `${count(shown)} of ${capped ? "at least " : ""}${count(found)} ${found === 1 ? "path" : "paths"}`}
        </span>
      </h3>
      {paths.length > 0 && (
        <ol className={styles.paths}>
          {paths.map((path) => <li key={path.rank}><PathSteps path={path} where={where} /></li>)}
        </ol>
      )}
      {shown < found && (
        <Link to={pathsPlace(where, existing.id, [serendipity.id])} className={styles.all}>All paths from {existing.name}</Link>
      )}
    </li>
  );
}
