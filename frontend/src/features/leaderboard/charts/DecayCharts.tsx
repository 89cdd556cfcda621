import { DataTable } from "@/components/DataTable";
import series from "@/components/LineSeries.module.css";
import { entryName, scoreText } from "@/domains/evaluation/labels";
import type { Board, BoardMetric, BoardRow } from "@/domains/evaluation/queries";
import styles from "./Charts.module.css";
import { linearTicks } from "./axes";

interface Props {
  board: Board;
  metric: BoardMetric;
}

const MOST_LINES = 5;
const BINS = ["importance low", "importance medium", "importance high"];
/** As wide as it is drawn in a column of the board or on a phone, so that its words are as large as others. */
const WIDTH = 360;
const HEIGHT = 200;
const MARGIN = { left: 48, right: 24, top: 12, bottom: 32 };
const MOST_LABELS = 7;

/** How the main metric changes with the year of the items, and with how much they mattered. */
export function DecayCharts({ board, metric }: Props) {
  const years = board.slices.filter((slice) => /^\d{4}$/.test(slice)).toSorted();
  const bins = BINS.filter((slice) => board.slices.includes(slice));
  const rows = board.results.filter(({ rank }) => rank !== null).slice(0, MOST_LINES);
  if (rows.length === 0) return null;
  return (
    <>
      {years.length > 1 && <Decay title={`${metric.label} by year`} slices={years} rows={rows} metric={metric} />}
      {bins.length > 1 && <Decay title={`${metric.label} by importance`} slices={bins} rows={rows} metric={metric} />}
    </>
  );
}

interface DecayProps {
  title: string;
  slices: string[];
  rows: BoardRow[];
  metric: BoardMetric;
}

const valueOf = (row: BoardRow, metric: BoardMetric, slice: string) => row.scores[`${metric.id} ${slice}`]?.[0] ?? null;

function Decay({ title, slices, rows, metric }: DecayProps) {
  return (
    <figure className={styles.figure}>
      <figcaption><h3>{title}</h3></figcaption>
      <Lines slices={slices} rows={rows} metric={metric} />
      <DataTable label={`${title}, first entries of this page`} minWidth={150 + 64 * slices.length} columns={["Entry", ...slices.map((slice) => ({ label: slice.replace("importance ", ""), isNumeric: true }))]}>
        {rows.map((row, at) => (
          <tr key={row.submission}>
            <th scope="row"><span className={series.key} data-place={at} aria-hidden /> {entryName(row)}</th>
            {slices.map((slice) => {
              const value = valueOf(row, metric, slice);
              return <td key={slice} data-numeric className="number">{value === null ? <span className={styles.quiet}>none</span> : scoreText(value, metric)}</td>;
            })}
          </tr>
        ))}
      </DataTable>
    </figure>
  );
}

/** The table beside it has every value, so that the drawing needs no text of its own. */
function Lines({ slices, rows, metric }: Omit<DecayProps, "title">) {
  const values = rows.flatMap((row) => slices.flatMap((slice) => valueOf(row, metric, slice) ?? []));
  const low = Math.min(...values);
  const high = Math.max(low + 1e-9, ...values);
  const every = Math.ceil(slices.length / MOST_LABELS);
  const x = (at: number) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * at) / (slices.length - 1);
  const y = (value: number) => MARGIN.top + (HEIGHT - MARGIN.top - MARGIN.bottom) * (1 - (value - low) / (high - low));
  const line = (row: BoardRow) => slices.flatMap((slice, at) => {
    const value = valueOf(row, metric, slice);
    return value === null ? [] : [`${x(at)},${y(value)}`];
  }).join(" ");
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.decay} aria-hidden>
      {linearTicks(low, high).map((tick) => (
        <g key={tick}>
          <line className={series.grid} x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text className={series.tick} x={MARGIN.left - 8} y={y(tick) + 4} textAnchor="end">{scoreText(tick, metric)}</text>
        </g>
      ))}
      {slices.map((slice, at) => at % every === 0 && <text key={slice} className={series.tick} x={x(at)} y={HEIGHT - 10} textAnchor="middle">{slice.replace("importance ", "")}</text>)}
      {rows.map((row, at) => <polyline key={row.submission} className={series.line} data-place={at} points={line(row)} />)}
    </svg>
  );
}
