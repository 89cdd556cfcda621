import type { ReactNode } from "react";
import { Tag } from "@/components/Tag";
import { cellNote, cellValue, correctedNote, sourceInSentence, verifierName, type BoardGroundedness } from "@/domains/evaluation/groundedness";
import { coverageNote, coverageText, formatDollars, formatLatency, PROVENANCE_LABELS, scoreNote, scoreText } from "@/domains/evaluation/labels";
import type { Board, BoardMetric, BoardRow, JudgedBoard } from "@/domains/evaluation/queries";
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

const NOT_GIVEN = <span className={styles.quiet}>not given</span>;

/** What the API cannot sort by. */
const UNSORTED = ["source", "judged", "bounds"];

/** How much of an entry's answers is judged, and the main metric if all else were in its favour, and if nothing were. */
function judgedColumns(board: Board, judged: JudgedBoard | undefined): BoardColumn[] {
  const metric = board.metrics.find(({ id }) => id === board.main_metric);
  if (!judged || judged.depth === null || !metric) return [];
  const rows = new Map(judged.entries.map((one) => [one.submission, one]));
  const notKnown = <span className={styles.quiet}>not known yet</span>;
  return [
    {
      id: "judged",
      label: `Judged@${judged.depth}`,
      isNumeric: true,
      cell: ({ submission }) => {
        const share = rows.get(submission)?.judged;
        return share === undefined || share === null ? notKnown : formatPercent(share);
      },
    },
    {
      id: "bounds",
      label: judged.is_outdated ? `${metric.label} bounds, of an earlier board` : `${metric.label} bounds`,
      isNumeric: true,
      cell: ({ submission }) => {
        const row = rows.get(submission);
        return row ? `${scoreText(row.low, metric)} to ${scoreText(row.high, metric)}` : notKnown;
      },
    },
  ];
}

const GROUNDED = "grounded";

/** Of each judge and source that an entry has; scores of two judges are never in one column. */
function groundedColumns(groundedness: BoardGroundedness | undefined): BoardColumn[] {
  return (groundedness?.judges ?? []).flatMap(({ judge, entries }, at) => {
    const bySubmission = new Map(entries.map((one) => [one.submission, one]));
    const sources = [...new Set(entries.flatMap((one) => one.cells.map(({ source }) => source)))];
    return sources.flatMap((source) => {
      const label = `Groundedness by ${sourceInSentence(source)}, ${verifierName(judge)}`;
      const raw: BoardColumn = {
        id: `${GROUNDED}-${at}-${source}`,
        label,
        isNumeric: true,
        cell: ({ submission }) => {
          const cell = bySubmission.get(submission)?.cells.find((one) => one.source === source);
          return cell ? <Figure value={cellValue(cell)} note={cellNote(cell)} /> : <span className={styles.quiet}>not grounded</span>;
        },
      };
      if (!entries.some((one) => one.corrected.some((cell) => cell.source === source))) return [raw];
      const corrected: BoardColumn = {
        id: `${GROUNDED}-${at}-${source}-corrected`,
        label: `${label}, corrected by experts`,
        isNumeric: true,
        cell: ({ submission }) => {
          const cell = bySubmission.get(submission)?.corrected.find((one) => one.source === source);
          return cell ? <Figure value={cellValue(cell)} note={correctedNote(cell)} /> : <span className={styles.quiet}>not verified</span>;
        },
      };
      return [raw, corrected];
    });
  });
}

function Figure({ value, note }: { value: string; note: string }) {
  return <>{value} <span className={styles.interval}>{note}</span></>;
}

const isGrounded = ({ id }: BoardColumn) => id.startsWith(`${GROUNDED}-`);

interface BoardExtras {
  /** Of a track whose answers are pooled. */
  judged?: JudgedBoard | undefined;
  /** Of a track with rationales. */
  groundedness?: BoardGroundedness | undefined;
  /** Submissions than which none is both cheaper and better. */
  front?: string[] | undefined;
}

/** The metric that the address names, else the main one. */
export function shownMetric(board: Board, { metric }: Pick<BoardView, "metric">): string {
  return board.metrics.some(({ id }) => id === metric) && metric !== null ? metric : board.main_metric;
}

/** Every column, the shown metric first. */
export function boardColumns(board: Board, view: Pick<BoardView, "slice" | "metric">, { judged, groundedness, front = [] }: BoardExtras = {}): BoardColumn[] {
  const first = shownMetric(board, view);
  const isFirst = ({ id }: BoardMetric) => id === first;
  const metrics = [...board.metrics.filter(isFirst), ...board.metrics.filter((metric) => !isFirst(metric))];
  const slice = view.slice ?? board.default_slice;
  return [
    ...metrics.map((metric) => {
      const scale = isFirst(metric) ? scaleOfRows(board, metric, slice) : null;
      const cell = (row: BoardRow) => <Score row={row} metric={metric} slice={slice} scale={scale} />;
      return { id: metric.id, label: metric.label, isNumeric: true, cell };
    }),
    ...judgedColumns(board, judged),
    ...groundedColumns(groundedness),
    { id: "coverage", label: "Coverage", isNumeric: true, cell: ({ coverage }) => coverageText(coverage) },
    { id: "queries", label: "Query", isNumeric: true, cell: ({ query, model }) => (query ? `${query} of ${board.queries}` : <span className={styles.quiet}>{model ? "none counted" : "not shown"}</span>) },
    { id: "cost", label: "Cost", isNumeric: true, cell: ({ submission, cost_usd: cost }) => (cost === null ? NOT_GIVEN : <span className={styles.wrapping}>{formatDollars(cost)}{front.includes(submission) && <> <Tag>Pareto front</Tag></>}</span>) },
    { id: "latency", label: "Latency, declared", isNumeric: true, cell: ({ latency_s: seconds }) => (seconds === null ? NOT_GIVEN : formatLatency(seconds)) },
    { id: "source", label: "Source", isNumeric: false, cell: ({ provenance }) => PROVENANCE_LABELS[provenance] ?? provenance },
    { id: "date", label: "Date", isNumeric: false, cell: ({ submitted_at: at }) => formatLongDate(at) },
  ];
}

/** Those that the address names, else one metric and those with values among the entries in sight. */
export function shownColumns(board: Board, columns: BoardColumn[], view: BoardView, isPhone: boolean): BoardColumn[] {
  const { columns: named } = view;
  if (named) return columns.filter(({ id }) => named.includes(id));
  const { results } = board;
  const metric = shownMetric(board, view);
  // What is the same in every row stands in no column; where an entry comes from is a mark beside its name.
  const differing = [
    ...(results.some(({ coverage }) => coverage < 1) ? ["coverage"] : []),
    ...(results.some(({ query }) => query !== null) ? ["queries"] : []),
    ...(results.some(({ cost_usd: cost }) => cost !== null) ? ["cost"] : []),
    ...(results.some(({ latency_s: seconds }) => seconds !== null) ? ["latency"] : []),
  ];
  if (isPhone) return columns.filter((column) => column.id === metric || isGrounded(column) || (column.id === "coverage" && differing.includes(column.id)));
  const judged = columns.filter((column) => column.id === metric || column.id === "judged" || column.id === "bounds" || isGrounded(column));
  return [...judged, ...columns.filter(({ id }) => differing.includes(id))];
}

export const isSortable = (column: BoardColumn) => !UNSORTED.includes(column.id) && !isGrounded(column);

interface ScoreProps {
  row: BoardRow;
  metric: BoardMetric;
  slice: string;
  /** Of the dot and whisker that are drawn; null draws none. */
  scale: [number, number] | null;
}

/** One scale for all rows, so that they compare. */
function scaleOfRows({ results }: Board, { id, unit }: BoardMetric, slice: string): [number, number] {
  return scaleOf(unit, results.flatMap(({ scores }) => scores[`${id} ${slice}`]?.slice(0, 3).filter((one) => one !== null) ?? []));
}

function Score({ row, metric, slice, scale }: ScoreProps) {
  const key = `${metric.id} ${slice}`;
  const score = row.scores[key];
  const value = score?.[0];
  if (!score || value === null || value === undefined) return NOT_GIVEN;
  const [, low, high] = score;
  const coverage = coverageNote(row, key);
  return (
    <span className={styles.wrapping}>
      {scoreText(value, metric)} <span className={styles.interval}>{scoreNote(row, key, metric)}</span>
      {coverage && <> <span className={styles.interval}>{coverage}</span></>}
      {scale && <ScoreScale value={value} low={low ?? null} high={high ?? null} scale={scale} />}
    </span>
  );
}
