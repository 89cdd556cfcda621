import { entryName, formatDollars, formatParameters, scoreText } from "@/domains/evaluation/labels";
import type { Board, BoardMetric, BoardRow, ModelMatrix } from "@/domains/evaluation/queries";
import { formatPlural } from "@/lib/format";
import styles from "./Charts.module.css";
import { paretoFront, type ChartPoint } from "./pareto";
import { ScatterChart } from "./ScatterChart";

interface Props {
  board: Board;
  /** The models of every track, or null while they cannot be read. */
  matrix: ModelMatrix | null;
  slice: string;
}

/** Score against cost and against parameters, of the entries that the filter leaves. */
export function BoardCharts({ board, matrix, slice }: Props) {
  const metric = board.metrics.find(({ id }) => id === board.main_metric);
  if (!metric) return null;
  return (
    <section className={styles.charts} aria-label="Charts">
      <CostChart board={board} slice={slice} metric={metric} />
      <ParametersChart board={board} matrix={matrix} metric={metric} />
    </section>
  );
}

function CostChart({ board, slice, metric }: Omit<Props, "matrix"> & { metric: BoardMetric }) {
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

const formatShortDollars = (cost: number) => (cost >= 1 ? `$${cost}` : `$${Number(cost.toPrecision(1))}`);

function ParametersChart({ board, matrix, metric }: Omit<Props, "slice"> & { metric: BoardMetric }) {
  const evaluated = board.results.flatMap((row) => entryPoint(row, row.model?.parameters, `${metric.id} ${board.overall}`));
  const printed = matrix ? printedPoints(matrix, board.track) : [];
  const points = [...evaluated, ...printed];
  const track = matrix?.tracks.find((one) => one.track === board.track);
  return (
    <figure className={styles.figure}>
      <figcaption><h3>{metric.label} against parameters</h3></figcaption>
      {points.length === 0 ? <p className={styles.quiet}>No entry in sight states its parameters.</p> : (
        <>
          <ScatterChart
            label={`${metric.label} against parameters, evaluated here and printed`}
            points={points}
            xLabel="Parameters"
            yLabel={metric.label}
            xText={formatParameters}
            unit={metric.unit}
          />
          <ul className={styles.legend}>
            <li data-kind="evaluated">evaluated here</li>
            <li data-kind="simulated">simulated</li>
            <li data-kind="printed">as printed, from other data{track?.printed_label && `: ${track.printed_label}, the best setting`}</li>
          </ul>
          <PointTable points={points} metric={metric} />
        </>
      )}
    </figure>
  );
}

function printedPoints({ results }: ModelMatrix, track: string): ChartPoint[] {
  return results.flatMap(({ slug, name, parameters, cells }) => {
    const cell = cells.find((one) => one.track === track);
    if (!cell?.printed || cell.sample || parameters === null) return [];
    return [{ id: `printed ${slug}`, name, x: parameters, score: Number(cell.printed), low: null, high: null, kind: "printed" as const }];
  });
}

const KIND_LABELS = { evaluated: "evaluated here", simulated: "simulated", printed: "as printed" };

function PointTable({ points, metric }: { points: ChartPoint[]; metric: BoardMetric }) {
  return (
    <details>
      <summary>The values of this chart</summary>
      <ul className={styles.values}>
        {points.toSorted((one, other) => one.x - other.x).map((point) => (
          <li key={point.id}>{point.name}, {formatParameters(point.x)}: {scoreText(point.score, metric)}, {KIND_LABELS[point.kind]}</li>
        ))}
      </ul>
    </details>
  );
}
