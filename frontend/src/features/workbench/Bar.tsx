import { coefficient } from "@/lib/format";
import type { Measured } from "./api";
import styles from "./Bar.module.css";
import { PARTS, type Weights } from "./simplex";

/** What each part adds to the bar: R is never above 0, so the bar draws 1 + R. */
export function drawn({ relevance, novelty, surprise }: Measured, weights: Weights): Weights {
  return {
    relevance: weights.relevance * (1 + relevance),
    novelty: weights.novelty * Math.max(0, novelty),
    surprise: weights.surprise * surprise,
  };
}

export function totalOfBar({ relevance, novelty, surprise }: Measured, weights: Weights): number {
  return weights.relevance * relevance + weights.novelty * novelty + weights.surprise * surprise;
}

/** The weighted parts one after the other, on a scale from 0 to 1; their figures below. */
export function ScoreBar({ bar, weights }: { bar: Measured; weights: Weights }) {
  const lengths = drawn(bar, weights);
  return (
    <div className={styles.score}>
      <div className={styles.track} aria-hidden>
        {PARTS.map((part) => (
          <span key={part} data-part={part} style={{ width: `${100 * Math.min(1, lengths[part])}%` }} />
        ))}
      </div>
      <p className={`${styles.figures} number`}>
        <abbr title="Relevance">R</abbr> {coefficient(bar.relevance, 3)} <abbr title="Novelty">N</abbr> {coefficient(bar.novelty, 3)}{" "}
        <abbr title="Surprise">S</abbr> {coefficient(bar.surprise, 3)}
      </p>
    </div>
  );
}

/** A value among others of its kind, from 0 to the largest; below 0 it is drawn hollow. */
export function OwnScale({ value, largest }: { value: number; largest: number }) {
  const share = largest > 0 ? Math.min(1, Math.abs(value) / largest) : 0;
  return (
    <div className={styles.own} aria-hidden>
      <span data-negative={value < 0 || undefined} style={{ width: `${100 * share}%` }} />
    </div>
  );
}

export function PartLegend() {
  return (
    <ul className={styles.legend}>
      {PARTS.map((part) => (
        <li key={part}><span data-part={part} aria-hidden /> {part}</li>
      ))}
    </ul>
  );
}
