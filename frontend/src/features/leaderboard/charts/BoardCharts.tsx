import { entryName, formatDollars, scoreText } from "@/domains/evaluation/labels";
import type { Board, BoardMetric, BoardRow } from "@/domains/evaluation/queries";
import { formatPlural } from "@/lib/format";
import styles from "./Charts.module.css";
import { DecayCharts } from "./DecayCharts";
import { paretoFront, type ChartPoint } from "./pareto";
import { ScatterChart } from "./ScatterChart";

interface Props {
  board: Board;
  slice: string;
}

/** Score against cost, and by the years and the importance of the items where they have these. */
export function BoardCharts({ board, slice }: Props) {
  const metric = board.metrics.find(({ id }) => id === board.main_metric);
  if (!metric) return null;
  return (
    <section className={styles.charts} aria-label="Charts">
      <CostChart board={board} slice={slice} metric={metric} />
      <DecayCharts board={board} metric={metric} />
    </section>
  );
}

function CostChart({ board, slice, metric }: Props & { metric: BoardMetric }) {
  const points = board.results.flatMap((row) => entryPoint(row, row.cost_usd, `${metric.id} ${slice}`));
  const front = paretoFront(points, metric.direction === "lower");
  const missing = board.results.length - points.length;
  return (
    <figure className={styles.figure}>
      <figcaption><h3>{metric.label} against cost</h3></figcaption>
      {points.length === 0 ? <p className={styles.quiet}>No entry in sight declares a cost.</p> : (
        <>
          <ScatterChart
            label={`${metric.label} against declared cost, with the Pareto front`}
            points={points}
            front={front}
            xLabel="Declared cost, US dollars"
            yLabel={metric.label}
            xText={formatShortDollars}
            unit={metric.unit}
          />
          <p className={styles.quiet}>Pareto front, where no entry is both cheaper and better:</p>
          <ol className={styles.frontList}>
            {front.map((point) => <li key={point.id}>{point.name}: {scoreText(point.score, metric)} for {formatDollars(point.x)}</li>)}
          </ol>
          {board.matching > board.results.length && <p className={styles.quiet}>Of the entries on this page.</p>}
          {missing > 0 && <p className={styles.quiet}>{formatPlural(missing, "entry", "entries")} without a declared cost, or of a sample, left out.</p>}
        </>
      )}
    </figure>
  );
}

function entryPoint(row: BoardRow, x: number | null | undefined, key: string): ChartPoint[] {
  const [score, low, high] = row.scores[key] ?? [];
  if (x === null || x === undefined || score === null || score === undefined || !row.rank) return [];
  const kind = row.is_simulated ? "simulated" : "evaluated";
  return [{ id: row.submission, name: entryName(row), x, score, low: low ?? null, high: high ?? null, kind }];
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const formatShortDollars = (cost: number) => (cost >= 1 ? `$${SHORT.format(cost)}` : `$${Number(cost.toPrecision(1))}`);
