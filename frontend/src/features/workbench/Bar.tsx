import { formatCoefficient } from "@/lib/format";
import type { PartScores } from "./api";
import styles from "./Bar.module.css";
import { SCORE_PARTS, type ScorePart, type Weights } from "@/lib/weights/simplex";

/** What each part adds to the total; R is never above 0 and lowers it. */
function contributions({ relevance, novelty, surprise }: PartScores, weights: Weights): Weights {
  return { relevance: weights.relevance * relevance, novelty: weights.novelty * novelty, surprise: weights.surprise * surprise };
}

/** RNS = α R + β N + γ S. */
export function barTotal(bar: PartScores, weights: Weights): number {
  const { relevance, novelty, surprise } = contributions(bar, weights);
  return relevance + novelty + surprise;
}

/** A part that varies by less among the candidates changes no order. */
const CONSTANT_SPREAD = 0.005;

/** The parts that are as good as the same for all; they raise or lower every bar alike. */
export function constantParts(bars: PartScores[]): ReadonlySet<ScorePart> {
  if (bars.length < 2) return new Set();
  return new Set(SCORE_PARTS.filter((part) => {
    const values = bars.map((bar) => bar[part]);
    return Math.max(...values) - Math.min(...values) < CONSTANT_SPREAD;
  }));
}

/** Start and end of each part and of the total, in percent of a track from −α to 1 − α. */
export function barLayout(bar: PartScores, weights: Weights) {
  const { relevance, novelty, surprise } = contributions(bar, weights);
  const zero = weights.relevance;
  const noveltyEnd = zero + Math.max(0, novelty);
  const percent = (share: number) => 100 * Math.min(1, Math.max(0, share));
  return {
    zero: percent(zero),
    total: percent(zero + relevance + novelty + surprise),
    relevance: [percent(zero + relevance), percent(zero)],
    novelty: [percent(zero), percent(noveltyEnd)],
    surprise: [percent(noveltyEnd), percent(noveltyEnd + surprise)],
  } as const;
}

/** R to the left of the zero line, N and S to its right, and a mark at the total; the figures below. */
export function ScoreBar({ bar, weights, constant }: { bar: PartScores; weights: Weights; constant?: ReadonlySet<ScorePart> }) {
  const layout = barLayout(bar, weights);
  return (
    <div className={styles.score}>
      <div className={styles.track} aria-hidden>
        {SCORE_PARTS.map((part) => {
          const [start, end] = layout[part];
          return <span key={part} data-part={part} data-constant={constant?.has(part) || undefined} style={{ left: `${start}%`, width: `${end - start}%` }} />;
        })}
        <span className={styles.zero} style={{ left: `${layout.zero}%` }} />
        <span className={styles.total} style={{ left: `${layout.total}%` }} />
      </div>
      <p className={`${styles.figures} number`}>
        <abbr title="Relevance">R</abbr> {formatCoefficient(bar.relevance, 3)} <abbr title="Novelty">N</abbr> {formatCoefficient(bar.novelty, 3)}{" "}
        <abbr title="Surprise">S</abbr> {formatCoefficient(bar.surprise, 3)}
      </p>
    </div>
  );
}

/** A value among others of its kind, from 0 to the largest; below 0 it is drawn hollow. */
export function ScaleNote({ value, largest }: { value: number; largest: number }) {
  const share = largest > 0 ? Math.min(1, Math.abs(value) / largest) : 0;
  return (
    <div className={styles.own} aria-hidden>
      <span data-negative={value < 0 || undefined} style={{ width: `${100 * share}%` }} />
    </div>
  );
}

export function PartLegend({ constant }: { constant?: ReadonlySet<ScorePart> }) {
  return (
    <ul className={styles.legend}>
      {SCORE_PARTS.map((part) => (
        <li key={part}>
          <span data-part={part} data-constant={constant?.has(part) || undefined} aria-hidden /> {part}
          {constant?.has(part) && ", the same for all: it changes no order"}
        </li>
      ))}
    </ul>
  );
}
