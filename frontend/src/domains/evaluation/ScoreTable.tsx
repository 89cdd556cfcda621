import { DataTable } from "@/components/DataTable";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { formatCount } from "@/lib/format";
import { IntervalNotes } from "./IntervalNotes";
import { coverageNote, itemsLabel, scoreNote, scoreText } from "./labels";
import type { BoardMetric, BoardRow } from "./queries";
import styles from "./ScoreTable.module.css";

const FIRST_SLICES = 10;
/** A board has no score that would nearly be that of single items. */
const WITHOUT_SCORE = "hidden: too few items";

export type Scores = Pick<BoardRow, "scores" | "interval_reasons" | "coverages">;

interface Props {
  label: string;
  entry: Scores;
  metrics: Pick<BoardMetric, "id" | "label" | "unit">[];
  mainMetric: string;
  /** That of all items first. */
  slices: string[];
}

/** Every metric over every slice, with intervals: the main metric first, a row for each slice. */
export function ScoreTable({ label, entry, metrics: all, mainMetric, slices: given }: Props) {
  // What begins after an entry's knowledge has not each slice.
  const slices = given.filter((slice) => all.some(({ id }) => entry.scores[`${id} ${slice}`]));
  const { shown, more } = useFirstRows(slices, FIRST_SLICES);
  const metrics = all.toSorted((one, other) => Number(other.id === mainMetric) - Number(one.id === mainMetric));
  const columns = ["Items", ...metrics.map((metric) => ({ label: metric.label, isNumeric: true })), { label: "n", isNumeric: true }];
  return (
    <>
      <DataTable label={label} folds minWidth={(metrics.length + 1) * 140} columns={columns}>
        {shown.map((slice) => (
          <tr key={slice}>
            <th scope="row">{itemsLabel(slice, slices[0])}</th>
            {metrics.map((metric) => <ScoreCell key={metric.id} entry={entry} slice={slice} metric={metric} />)}
            <CountCell entry={entry} slice={slice} metrics={metrics} />
          </tr>
        ))}
      </DataTable>
      <IntervalNotes rows={[entry]} keys={shown.flatMap((slice) => metrics.map(({ id }) => `${id} ${slice}`))} />
      <AllRowsButton more={more} of="groups of items" />
    </>
  );
}

function ScoreCell({ entry, slice, metric }: { entry: Scores; slice: string; metric: Props["metrics"][number] }) {
  const key = `${metric.id} ${slice}`;
  const value = entry.scores[key]?.[0];
  if (value === null || value === undefined) return <td data-numeric><span className={styles.interval}>{WITHOUT_SCORE}</span></td>;
  return (
    <td data-numeric className="number">
      {scoreText(value, metric)} <span className={styles.interval}>{scoreNote(entry, key, metric)}</span>
    </td>
  );
}

/** How many items count in each metric, as a range where metrics differ, and how many of the main one's have a prediction if not all. */
function CountCell({ entry, slice, metrics }: { entry: Scores; slice: string; metrics: Props["metrics"] }) {
  const counts = metrics.flatMap(({ id }) => entry.scores[`${id} ${slice}`]?.[3] ?? []);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const coverage = coverageNote(entry, `${metrics[0]?.id} ${slice}`);
  return (
    <td data-numeric className="number">
      {least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`}
      {coverage && <> <span className={styles.interval}>{coverage}</span></>}
    </td>
  );
}
