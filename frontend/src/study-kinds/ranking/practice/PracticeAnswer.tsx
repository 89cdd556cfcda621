import { useEffect, useRef, type ReactNode } from "react";
import { ExternalLink } from "@/components/ExternalLink";
import { formatPercent } from "@/lib/format";
import { competitionRanks, flattenRanking, isSameOrder, type Ranking } from "../board/rankingModel";
import { describeOrder } from "./orderVerdict";
import styles from "./Practice.module.css";
import type { PracticeCandidate, PracticeQuestion } from "./practiceQuery";
import { firstByRns, weightShares } from "./weightings";

interface Props {
  question: PracticeQuestion;
  answer: Ranking;
  /** What can be done next. */
  children: ReactNode;
}

/** The visitor's order beside what the literature and the graph's RNS put first. */
export function PracticeAnswer({ question: { item, published, explanation, sources }, answer, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { candidates } = item;
  const rns = firstByRns(candidates);
  const shares = weightShares(candidates);
  const ranks = competitionRanks(answer);
  const ordered = flattenRanking(answer).flatMap((id) => candidates.find((one) => one.id === id) ?? []);
  return (
    <div className={styles.answer}>
      <h3 ref={heading} tabIndex={-1} className={styles.verdict}>{describeOrder(answer, candidates, { published, rns, isUnchanged: isSameOrder(answer, item.prior) })}</h3>
      <ol className={styles.results} aria-label="Your order">
        {ordered.map((one) => (
          <ResultCard
            key={one.id}
            candidate={one}
            rank={ranks.get(one.id) ?? 0}
            share={shares.get(one.id) ?? 0}
            marks={[...(one.id === published ? ["First in the literature"] : []), ...(one.id === rns ? ["First by RNS"] : [])]}
          />
        ))}
      </ol>
      <p className={styles.legend}>RNS: relevance, novelty and surprise in a graph of drugs and diseases. A bar: for which share of their weightings the answer comes first.</p>
      <p>{explanation}</p>
      <div className={styles.ways}>{children}</div>
      <details className={styles.details}>
        <summary>Where this comes from</summary>
        <p>Equal weights of relevance, novelty and surprise decide which answer is ‘first by RNS’.</p>
        <ul className={styles.sources}>
          {sources.map(({ claim, source, url }) => (
            <li key={claim}>{claim} <ExternalLink href={url}>{source}</ExternalLink></li>
          ))}
        </ul>
      </details>
    </div>
  );
}

interface CardProps {
  candidate: PracticeCandidate;
  rank: number;
  share: number;
  marks: string[];
}

function ResultCard({ candidate, rank, share, marks }: CardProps) {
  return (
    <li className={styles.result}>
      <span className={styles.rank}>{rank}</span>
      <span className={styles.name} translate="no">{candidate.name}</span>
      <span className={styles.marks}>{marks.map((mark) => <span key={mark} className={styles.mark}>{mark}</span>)}</span>
      <span className={styles.track} aria-hidden><span style={{ width: `${100 * share}%` }} /></span>
      <span className={styles.share}>{share ? `RNS first for ${formatPercent(share)} of weightings` : "RNS never first"}</span>
    </li>
  );
}
