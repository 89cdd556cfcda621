import type { ReactNode } from "react";
import { formatDollars, formatLatency, PROVENANCE_LABELS, scoreNote, scoreText } from "@/domains/evaluation/labels";
import type { Board, BoardMetric, BoardRow } from "@/domains/evaluation/queries";
import { formatLongDate, formatPercent } from "@/lib/format";
import type { BoardView } from "./boardView";
import { scaleOf, ScoreScale } from "../ScoreScale";
import styles from "./Evaluated.module.css";

/** A column that can be picked and sorted by. */
export interface BoardColumn {
  id: string;
  label: string;
  isNumeric: boolean;
  cell: (row: BoardRow) => ReactNode;
}

const MAX_DEFAULT_METRICS = 3;
const NOT_GIVEN = <span className={styles.quiet}>not given</span>;

/** Every column, the main metric first. */
export function boardColumns(board: Board, slice: string | null): BoardColumn[] {
  const isMain = ({ id }: BoardMetric) => id === board.main_metric;
  const metrics = [...board.metrics.filter(isMain), ...board.metrics.filter((metric) => !isMain(metric))];
  return [
    ...metrics.map((metric) => ({
      id: metric.id,
      label: metric.label,
      isNumeric: true,
      cell: (row: BoardRow) => <Score row={row} metric={metric} slice={slice ?? board.default_slice} isDrawn={isMain(metric)} />,
    })),
    { id: "coverage", label: "Coverage", isNumeric: true, cell: ({ coverage }) => formatPercent(coverage) },
    { id: "queries", label: "Query", isNumeric: true, cell: ({ query, model }) => (query ? `${query} of ${board.queries}` : <span className={styles.quiet}>{model ? "none counted" : "not shown"}</span>) },
    { id: "cost", label: "Cost", isNumeric: true, cell: ({ cost_usd: cost }) => (cost === null ? NOT_GIVEN : formatDollars(cost)) },
    { id: "latency", label: "Latency", isNumeric: true, cell: ({ latency_s: seconds }) => (seconds === null ? NOT_GIVEN : formatLatency(seconds)) },
    { id: "source", label: "Source", isNumeric: false, cell: ({ provenance }) => PROVENANCE_LABELS[provenance] ?? provenance },
    { id: "date", label: "Date", isNumeric: false, cell: ({ submitted_at: at }) => formatLongDate(at) },
  ];
}

/** Those that the address names, else those with values among the entries in sight. */
export function shownColumns(board: Board, columns: BoardColumn[], { columns: named }: BoardView, isPhone: boolean): BoardColumn[] {
  if (named) return columns.filter(({ id }) => named.includes(id));
  const { results } = board;
  // What is the same in every row stands in no column; where an entry comes from is a mark beside its name.
  const differing = [
    ...(results.some(({ coverage }) => coverage < 1) ? ["coverage"] : []),
    ...(results.some(({ query }) => query !== null) ? ["queries"] : []),
    ...(results.some(({ cost_usd: cost }) => cost !== null) ? ["cost"] : []),
    ...(results.some(({ latency_s: seconds }) => seconds !== null) ? ["latency"] : []),
  ];
  if (isPhone) return columns.filter(({ id }) => id === board.main_metric || (id === "coverage" && differing.includes(id)));
  const metrics = columns.filter(({ id }) => board.metrics.some((metric) => metric.id === id)).slice(0, MAX_DEFAULT_METRICS);
  return [...metrics, ...columns.filter(({ id }) => differing.includes(id))];
}

export const isSortable = ({ id }: BoardColumn) => id !== "source";

interface ScoreProps {
  row: BoardRow;
  metric: BoardMetric;
  slice: string;
  /** With a dot and whisker on the metric's scale. */
  isDrawn: boolean;
}

function Score({ row, metric, slice, isDrawn }: ScoreProps) {
  const key = `${metric.id} ${slice}`;
  const score = row.scores[key];
  const value = score?.[0];
  if (!score || value === null || value === undefined) return NOT_GIVEN;
  const [, low, high] = score;
  return (
    <>
      {scoreText(value, metric)} <span className={styles.interval}>{scoreNote(row, key, metric)}</span>
      {isDrawn && <ScoreScale value={value} low={low ?? null} high={high ?? null} scale={scaleOf(metric.unit, [value])} />}
    </>
  );
}
