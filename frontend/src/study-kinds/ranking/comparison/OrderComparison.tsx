import { useState } from "react";
import type { Id, Json } from "@/api/contract";
import { MarkCounts } from "@/domains/studies/marks/MarkCounts";
import { markKey } from "@/domains/studies/marks/marks";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import { markText, marksOf, type RankingAnswer, type RankingItem } from "../answer";
import styles from "./OrderComparison.module.css";
import { candidateSlopes, comparisonSentences, orderColumns, type CandidateSlope, type OrderColumn } from "./slopes";

const COLUMN_PX = 48;
const ROW_PX = 40;
const RADIUS_PX = 11;

/** A line for each candidate through the prior order, if there is one, and those of the experts. */
export function OrderComparison({ item, consensus, answers }: ComparisonProps<RankingItem, RankingAnswer>) {
  const [marked, setMarked] = useState<Id | null>(null);
  const columns = orderColumns({ item, answers });
  const slopes = candidateSlopes({ item, consensus }, columns);
  const selected = marked ?? slopes[0]?.id ?? null;
  return (
    <div className={styles.comparison}>
      <div className={styles.sentences}>{comparisonSentences(columns, slopes).map((sentence) => <p key={sentence}>{sentence}</p>)}</div>
      <div className={styles.chart}>
        {/* Wider than a phone with many experts: it scrolls, by keys too. */}
        <div className={styles.lines} role="region" aria-label="Orders as lines" tabIndex={0}>
          <SlopeChart columns={columns} slopes={slopes} selected={selected} />
        </div>
        <ol className={styles.names} aria-label={namesLabel(item, consensus)}>
          {slopes.map(({ id, name }) => (
            <li key={id} style={{ height: ROW_PX }} data-selected={id === selected || undefined}>
              <button type="button" aria-pressed={id === selected} onClick={() => setMarked(id)} onPointerEnter={() => setMarked(id)} translate="no" title={name}>
                {name}
              </button>
            </li>
          ))}
        </ol>
      </div>
      <RankTable columns={columns} slopes={slopes} />
      <MarkCounts marks={answers.flatMap(({ payload }) => marksOf(payload)).map((mark) => ({ key: markKey(mark), text: markText(item, mark) }))} />
    </div>
  );
}

function namesLabel({ prior }: RankingItem, consensus: Json): string {
  if (consensus !== null) return "Candidates in the common order";
  return prior ? "Candidates in the prior order" : "Candidates";
}

interface ChartProps {
  columns: OrderColumn[];
  slopes: CandidateSlope[];
}

/** The last piece of each line leads to the candidate's name. The selected line is drawn above the others. */
function SlopeChart({ columns, slopes, selected }: ChartProps & { selected: Id | null }) {
  const width = (columns.length + 1) * COLUMN_PX;
  const height = slopes.length * ROW_PX;
  const drawn = slopes.map((slope, row) => ({ ...slope, row })).toSorted((one, other) => Number(one.id === selected) - Number(other.id === selected));
  return (
    <svg width={width} height={height + ROW_PX} viewBox={`0 ${-ROW_PX} ${width} ${height + ROW_PX}`} aria-hidden>
      {columns.map(({ head, name }, at) => (
        <text key={head} x={xOf(at)} y={-ROW_PX / 2 + 4} className={styles.head}><title>{name}</title>{head}</text>
      ))}
      {drawn.map(({ id, places, ranks, row }) => (
        <g key={id} className={styles.slope} data-selected={id === selected || undefined}>
          <polyline points={[...places.map((place, at) => `${xOf(at)},${yOf(place)}`), `${width},${yOf(row + 1)}`].join(" ")} />
          {places.map((place, at) => (
            <g key={columns[at]?.head}>
              <circle cx={xOf(at)} cy={yOf(place)} r={RADIUS_PX} />
              <text x={xOf(at)} y={yOf(place) + 4}>{ranks[at]}</text>
            </g>
          ))}
        </g>
      ))}
    </svg>
  );
}

const xOf = (column: number) => (column + 0.5) * COLUMN_PX;
const yOf = (place: number) => (place - 0.5) * ROW_PX;

/** The same for screen readers. */
function RankTable({ columns, slopes }: ChartProps) {
  return (
    <table className="visually-hidden">
      <caption>Rank of each candidate in each order</caption>
      <thead>
        <tr><th scope="col">Candidate</th>{columns.map(({ head, name }) => <th key={head} scope="col">{name}</th>)}</tr>
      </thead>
      <tbody>
        {slopes.map(({ id, name, ranks }) => (
          <tr key={id}><th scope="row">{name}</th>{ranks.map((rank, at) => <td key={columns[at]?.head}>{rank}</td>)}</tr>
        ))}
      </tbody>
    </table>
  );
}
