import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { MetricCorrelations } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { PhoneFold } from "@/components/PhoneFold";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { scoreText } from "@/domains/evaluation/labels";
import { boardCorrelationsQuery, type Board } from "@/domains/evaluation/queries";
import { printedCorrelationsQuery } from "@/domains/leaderboard/queries";
import { formatPlural } from "@/lib/format";
import { CorrelationTriangle } from "./CorrelationTriangle";
import styles from "./Charts.module.css";
import correlationStyles from "./SliceCorrelations.module.css";

/** How alike the metrics of a board order its entries over two slices: read once it is opened. */
export function BoardCorrelations({ board, at }: { board: Board; at: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const query = new URLSearchParams({ split: board.split, ...(at ? { at } : {}) });
  const correlations = useQuery({ ...boardCorrelationsQuery(board.release, query.toString()), enabled: isOpen });
  return (
    <details className={correlationStyles.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Sensitivity of the entries to the items</summary>
      {isOpen && (
        <QueryBoundary query={correlations} skeleton={<SkeletonRows rows={3} />}>
          {({ metrics, reason }) => <Correlations metrics={metrics} reason={reason} of="the entries of this board" />}
        </QueryBoundary>
      )}
    </details>
  );
}

/** The same of the models as printed: SerenQA's Figure 3. */
export function PrintedCorrelations({ track }: { track: string }) {
  const id = useId();
  const metrics = (useQuery(printedCorrelationsQuery(track)).data?.metrics ?? []).filter(isDrawn);
  if (metrics.length === 0) return null;
  return (
    <section aria-labelledby={id} className={correlationStyles.section}>
      <PhoneFold summary={<h3 id={id}>Sensitivity to the items</h3>} isHeading>
        <Correlations metrics={metrics} of="the printed models, each setting counted" />
      </PhoneFold>
    </section>
  );
}

const NESTED = "Parts may share items, which raises r; where one contains the other, there is none.";

const NOTHING_DRAWN: Record<string, string> = {
  no_board: "This split has no board yet. Correlations need scores of three entries.",
  no_graph: "This release has no graph, so no other partition of its questions is known.",
  no_other_partition: "No other public release has these questions by another partition on this graph.",
  other_questions: "Releases of the other partitions have other questions, so scores cannot be compared.",
  no_other_board: "The releases of the other partitions have no board of this split yet.",
};
const TOO_FEW = "No metric has scores of three entries over two parts of the items.";

function Correlations({ metrics: all, reason = "", of }: { metrics: MetricCorrelations[]; reason?: string; of: string }) {
  const metrics = all.filter(isDrawn);
  if (metrics.length === 0) return <p className={styles.quiet}>{NOTHING_DRAWN[reason] ?? TOO_FEW}</p>;
  return (
    <>
      <p className={styles.quiet}>
        Pearson's r between the scores of {of} over two parts of the items. At 1.00 both parts order them alike. {NESTED}
      </p>
      <div className={metrics.some(hasMatrix) ? correlationStyles.section : styles.charts}>
        {metrics.map((metric, at) => <MetricFigure key={`${metric.metric.id} ${at}`} correlations={metric} title={uniqueTitle(metrics, at)} />)}
      </div>
    </>
  );
}

/** Several printed tables may have a metric of one name: 'ROC AUC', then 'ROC AUC, table 2'. */
function uniqueTitle(all: MetricCorrelations[], at: number): string {
  const name = all[at]?.metric.label ?? "";
  const place = all.slice(0, at + 1).filter(({ metric }) => metric.label === name).length;
  return place > 1 ? `${name}, table ${place}` : name;
}

interface FigureProps {
  correlations: MetricCorrelations;
  title: string;
}

function MetricFigure({ correlations, title }: FigureProps) {
  const { slices, pairs } = correlations;
  return (
    <figure className={styles.figure} data-wide={hasMatrix(correlations) || undefined}>
      <figcaption><h4>{title}</h4></figcaption>
      {slices.length === 3 && <CorrelationTriangle label={`${title}: correlations between three parts of the items`} slices={slices} pairs={pairs} />}
      {hasMatrix(correlations) ? <PairMatrix correlations={correlations} title={title} /> : (
        <ul className={styles.values}>
          {pairs.map((pair) => <li key={`${pair.first} ${pair.second}`}>{pair.first} and {pair.second}: {pairText(pair)}</li>)}
        </ul>
      )}
      <ValueTable correlations={correlations} title={title} />
    </figure>
  );
}

const MOST_LISTED = 4;
const hasMatrix = ({ slices }: MetricCorrelations) => slices.length > MOST_LISTED;
const CELL_WIDTH = 84; // px
/** Whether there is something to draw: a table of nothing but gaps is left out. */
const isDrawn = (metric: MetricCorrelations) => !hasMatrix(metric) || metric.pairs.some(({ correlation }) => correlation !== null);

/** r of every two slices, each pair once. */
function PairMatrix({ correlations: { slices, pairs }, title }: FigureProps) {
  const cell = (first: string, second: string) => {
    const pair = pairs.find((one) => (one.first === first && one.second === second) || (one.first === second && one.second === first));
    if (!pair) return "";
    return pair.correlation === null ? "n/a" : pair.correlation.toFixed(2);
  };
  const counts = pairs.filter(({ reason }) => reason !== "contained").map(({ n }) => n);
  return (
    <>
      <DataTable
        label={`${title}: correlations between parts of the items`}
        minWidth={CELL_WIDTH * slices.length}
        columns={["Items", ...slices.slice(0, -1).map((label) => ({ label, isNumeric: true }))]}
      >
        {slices.slice(1).map((row, at) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            {slices.slice(0, -1).map((column, place) => <td key={column} data-numeric className="number">{place <= at && cell(column, row)}</td>)}
          </tr>
        ))}
      </DataTable>
      {counts.length > 0 && <p className={styles.quiet}>Of {formatPlural(Math.max(...counts), "entry", "entries")}{Math.min(...counts) < Math.max(...counts) && ` or fewer, at least ${Math.min(...counts)}`}.</p>}
    </>
  );
}

const CONTAINED = "not computed, as one contains the other";
const REASONS: Record<string, string> = {
  too_few_entries: "needs three entries",
  constant: "not defined, as the scores are equal",
};

function pairText({ correlation, n, reason }: MetricCorrelations["pairs"][number]): string {
  const counted = formatPlural(n, "entry", "entries");
  if (reason === "contained") return CONTAINED;
  return correlation === null ? `${REASONS[reason] ?? "not defined"} (${counted})` : `r = ${correlation.toFixed(4)} (${counted})`;
}

function ValueTable({ correlations: { metric, slices, entries }, title }: FigureProps) {
  return (
    <details>
      <summary>The values of this chart</summary>
      <DataTable
        label={`${title} by part of the items`}
        minWidth={CELL_WIDTH * (slices.length + 1)}
        columns={["Entry", ...slices.map((label) => ({ label, isNumeric: true }))]}
      >
        {entries.map(({ submission, name, setting, values }, row) => (
          <tr key={submission ?? `${name} ${setting} ${row}`}>
            <th scope="row">{name ?? "Anonymous entry"}{setting && `, ${setting}`}</th>
            {slices.map((slice, at) => {
              const value = values[at];
              return <td key={slice} data-numeric className="number">{value === null || value === undefined ? "no score" : scoreText(value, metric)}</td>;
            })}
          </tr>
        ))}
      </DataTable>
    </details>
  );
}
