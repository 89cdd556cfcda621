import { DataTable } from "@/components/DataTable";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { IntervalNotes } from "@/domains/evaluation/IntervalNotes";
import { coverageNote, itemsLabel, rankText, scoreNote, scoreText } from "@/domains/evaluation/labels";
import type { BoardMetric, BoardRow, Result } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import styles from "./Result.module.css";

const FIRST_SLICES = 10;

/** Every metric over every slice, with intervals. */
export function ResultScores({ result, entry }: { result: Result; entry: BoardRow }) {
  // Those of the board, that of all items first; what begins after an entry's knowledge has not each of them.
  const slices = result.slices.filter((slice) => result.metrics.some(({ id }) => entry.scores[`${id} ${slice}`]));
  const { shown, more } = useFirstRows(slices, FIRST_SLICES);
  const metrics = result.metrics.toSorted((one, other) => Number(other.id === result.main_metric) - Number(one.id === result.main_metric));
  const columns = ["Items", ...metrics.map(({ label }) => ({ label, isNumeric: true })), { label: "n", isNumeric: true }];
  return (
    <section className={styles.section} aria-labelledby="scores-heading">
      <h2 id="scores-heading">{entry.rank ? `Rank ${rankText(entry.rank)}` : "Declared sample, not ranked"}</h2>
      <DataTable label="Scores by items" folds minWidth={(metrics.length + 1) * 140} columns={columns}>
        {shown.map((slice) => (
          <tr key={slice}>
            <th scope="row">{itemsLabel(slice, slices[0])}</th>
            {metrics.map((metric) => <ScoreCell key={metric.id} entry={entry} slice={slice} metric={metric} />)}
            <CountCell entry={entry} scoreKey={`${result.main_metric} ${slice}`} />
          </tr>
        ))}
      </DataTable>
      <IntervalNotes rows={[entry]} keys={shown.flatMap((slice) => metrics.map(({ id }) => `${id} ${slice}`))} />
      <AllRowsButton more={more} of="groups of items" />
    </section>
  );
}

function ScoreCell({ entry, slice, metric }: { entry: BoardRow; slice: string; metric: BoardMetric }) {
  const key = `${metric.id} ${slice}`;
  const value = entry.scores[key]?.[0];
  if (value === null || value === undefined) return <td data-numeric>not given</td>;
  return (
    <td data-numeric className="number">
      {scoreText(value, metric)} <span className={styles.interval}>{scoreNote(entry, key, metric)}</span>
    </td>
  );
}

/** How many items count, and how many of them have a prediction if not all. */
function CountCell({ entry, scoreKey }: { entry: BoardRow; scoreKey: string }) {
  const coverage = coverageNote(entry, scoreKey);
  return (
    <td data-numeric className="number">
      {formatCount(entry.scores[scoreKey]?.[3] ?? 0)}
      {coverage && <> <span className={styles.interval}>{coverage}</span></>}
    </td>
  );
}
