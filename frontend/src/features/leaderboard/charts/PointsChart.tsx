import { useQuery } from "@tanstack/react-query";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatDollars, formatParameters, scoreText, SIMULATED_NOTE } from "@/domains/evaluation/labels";
import { boardPointsQuery, type BoardMetric, type BoardPoints, type PointAxis } from "@/domains/evaluation/queries";
import { formatCount, formatPlural } from "@/lib/format";
import type { ChartPoint } from "./axes";
import styles from "./Charts.module.css";
import { ScatterChart } from "./ScatterChart";

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const formatShortDollars = (cost: number) => (cost >= 1 ? `$${SHORT.format(cost)}` : `$${Number(cost.toPrecision(1))}`);

const AXES = {
  cost: { title: "cost", label: "Declared cost, US dollars", tick: formatShortDollars, text: formatDollars, none: "No entry declares a cost.", missing: "without a declared cost", smaller: "cheaper", by: "for" },
  parameters: { title: "parameters", label: "Parameters", tick: formatParameters, text: formatParameters, none: "No entry states the size of its model.", missing: "without a stated size", smaller: "smaller", by: "with" },
};

interface Props {
  release: string;
  axis: PointAxis;
  metric: BoardMetric;
  /** Of the entries, as the API takes it. */
  filter: string;
}

/** The main metric of all entries that the filter leaves, with the Pareto front of all. */
export function PointsChart({ release, axis, metric, filter }: Props) {
  const points = useQuery(boardPointsQuery(release, axis, filter));
  return (
    <figure className={styles.figure}>
      <figcaption><h3>{metric.label} against {AXES[axis].title}</h3></figcaption>
      <QueryBoundary query={points} skeleton={<SkeletonRows rows={8} />}>
        {(data) => (data.placed === 0 ? <p className={styles.quiet}>{AXES[axis].none}</p> : <Points data={data} axis={axis} metric={metric} />)}
      </QueryBoundary>
    </figure>
  );
}

function Points({ data, axis, metric }: { data: BoardPoints } & Pick<Props, "axis" | "metric">) {
  const { title, label, tick, text, missing, smaller, by } = AXES[axis];
  const points = data.points.map(({ submission, name, is_simulated: isSimulated, ...rest }): ChartPoint => ({
    ...rest,
    id: submission,
    name: name ?? "Anonymous entry",
    kind: isSimulated ? "simulated" : "evaluated",
  }));
  const byId = new Map(points.map((point) => [point.id, point]));
  const front = data.front.flatMap((id) => byId.get(id) ?? []);
  const without = data.entries - data.placed;
  return (
    <>
      <ScatterChart
        label={`${metric.label} against ${title}, with the Pareto front`}
        points={points}
        front={front}
        xLabel={label}
        yLabel={metric.label}
        xText={tick}
        unit={metric.unit}
      />
      {data.points.some((point) => point.is_simulated) && <p className={styles.quiet}>{SIMULATED_NOTE}</p>}
      <p className={styles.quiet}>Pareto front of all entries, where none is both {smaller} and better:</p>
      <ol className={styles.frontList}>
        {front.map((point) => <li key={point.id}>{point.name}: {scoreText(point.score, metric)} {by} {text(point.x)}</li>)}
      </ol>
      {data.placed > points.length && <p className={styles.quiet}>Drawn are {formatCount(points.length)} of {formatCount(data.placed)} entries: the first ones, and the front.</p>}
      {without > 0 && <p className={styles.quiet}>{formatPlural(without, "entry", "entries")} {missing} left out.</p>}
    </>
  );
}
