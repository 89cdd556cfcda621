import { rankText } from "@/domains/evaluation/labels";
import type { BoardRow, Result } from "@/domains/evaluation/queries";
import { ScoreTable } from "@/domains/evaluation/ScoreTable";
import styles from "./Result.module.css";

/** The rank of an entry and its scores. */
export function ResultScores({ result, entry }: { result: Result; entry: BoardRow }) {
  return (
    <section className={styles.section} aria-labelledby="scores-heading">
      <h2 id="scores-heading">{entry.rank ? `Rank ${rankText(entry.rank)}` : "Declared sample, not ranked"}</h2>
      <ScoreTable label="Scores by items" entry={entry} metrics={result.metrics} mainMetric={result.main_metric} slices={result.slices} />
    </section>
  );
}
