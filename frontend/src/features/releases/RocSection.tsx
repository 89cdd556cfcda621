import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import series from "@/components/LineSeries.module.css";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatCount, formatPlural } from "@/lib/format";
import { rocCurvesQuery, type RocCurve, type RocCurves } from "./queries";
import styles from "./RocSection.module.css";

const SIZE = 320;
const MARGIN = { left: 44, right: 12, top: 12, bottom: 40 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];

interface Line {
  key: string;
  name: string;
  model: string | null;
  curve: RocCurve;
  /** Of the series of the chart; null for the degrees alone. */
  place: number | null;
}

/** ROC curves of the best entries beside that of the degrees alone; nothing where there are no entries. */
export function RocSection({ slug }: { slug: string }) {
  const query = useQuery(rocCurvesQuery(slug));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={3} height={72} />}>
      {(curves) => (curves.results.length > 0 ? <Curves curves={curves} /> : null)}
    </QueryBoundary>
  );
}

function Curves({ curves }: { curves: RocCurves }) {
  const lines = linesOf(curves);
  return (
    <section className={styles.section} aria-labelledby="roc-curves">
      <h2 id="roc-curves">ROC curves</h2>
      <p className={styles.note}>
        True links scored above a threshold against negatives above it: {formatPlural(curves.positives, "link")} and {formatCount(curves.negatives)} negatives of the {curves.split} items. The diagonal is guessing.
      </p>
      <figure className={styles.figure}>
        <Chart lines={lines} />
        <DataTable label="Area under each curve" minWidth={240} columns={["Entry", { label: "ROC AUC", isNumeric: true }]}>
          {lines.map(({ key, name, model, curve, place }) => (
            <tr key={key}>
              <th scope="row"><span className={series.key} data-place={place ?? "none"} aria-hidden /> {model ? <Link to={`/models/${model}`}>{name}</Link> : name}</th>
              <td data-numeric className="number">{curve.auc.toFixed(3)}</td>
            </tr>
          ))}
        </DataTable>
      </figure>
    </section>
  );
}

function linesOf({ results, degrees }: RocCurves): Line[] {
  const entries = results.map(({ entry, curve }, place) => ({
    key: entry.submission, name: entry.name ?? "an anonymous entry", model: entry.model, curve, place,
  }));
  return degrees ? [...entries, { key: "degrees", name: "Degrees alone", model: null, curve: degrees, place: null }] : entries;
}

const x = (rate: number) => MARGIN.left + (SIZE - MARGIN.left - MARGIN.right) * rate;
const y = (rate: number) => MARGIN.top + (SIZE - MARGIN.top - MARGIN.bottom) * (1 - rate);
const pathOf = ({ points }: RocCurve) => points.map(([false_ = 0, true_ = 0]) => `${x(false_)},${y(true_)}`).join(" ");

/** The table beside it has the areas, and the text what the axes are. */
function Chart({ lines }: { lines: Line[] }) {
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className={styles.chart} aria-hidden>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className={series.grid} x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
          <text className={series.tick} x={x(0) - 6} y={y(tick) + 4} textAnchor="end">{tick}</text>
          <text className={series.tick} x={x(tick)} y={y(0) + 16} textAnchor="middle">{tick}</text>
        </g>
      ))}
      <text className={series.tick} x={x(0.5)} y={SIZE - 6} textAnchor="middle">false positive rate</text>
      <text className={series.tick} transform={`translate(11 ${y(0.5)}) rotate(-90)`} textAnchor="middle">true positive rate</text>
      <line className={styles.guess} x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {lines.map(({ key, curve, place }) => <polyline key={key} className={series.line} data-place={place ?? "none"} points={pathOf(curve)} />)}
    </svg>
  );
}
