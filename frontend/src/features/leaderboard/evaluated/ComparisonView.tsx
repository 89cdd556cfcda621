import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { CopyLink } from "@/components/CopyLink";
import { DataTable } from "@/components/DataTable";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { entryName, intervalText, itemsLabel, metricInSentence, scoreText } from "@/domains/evaluation/labels";
import { comparisonQuery, type Board, type BoardMetric, type EntryComparison } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import type { UrlChanges } from "@/lib/useUrlParams";
import type { BoardView } from "./boardView";
import styles from "./Evaluated.module.css";

interface Props {
  board: Board;
  view: BoardView;
  onChange: (changes: UrlChanges) => void;
}

/** The paired difference of the two chosen entries, by slice; the address carries the choice. */
export function ComparisonView({ board, view, onChange }: Props) {
  const [first, second] = view.compared;
  if (view.at) return <p className={styles.quiet}>Entries are compared on the board of now.</p>;
  if (!first || !second) return <p className={styles.quiet} role="status">{first ? "Choose one more entry to compare." : "Choose two entries to compare them."}</p>;
  return <Comparison key={`${first} ${second}`} board={board} first={first} second={second} metric={view.measure ?? board.main_metric} onChange={onChange} />;
}

interface ComparisonProps extends Pick<Props, "board" | "onChange"> {
  first: string;
  second: string;
  metric: string;
}

function Comparison({ board, first, second, metric, onChange }: ComparisonProps) {
  const comparison = useQuery(comparisonQuery(board.release, first, second, metric));
  const section = useRef<HTMLElement>(null);
  const isShown = comparison.isSuccess;
  // It opens below a long table, where nobody would see it.
  useEffect(() => {
    if (!isShown) return;
    section.current?.focus({ preventScroll: true });
    section.current?.scrollIntoView?.({ block: "start" });
  }, [isShown]);
  return (
    <section ref={section} tabIndex={-1} className={styles.comparison} aria-label="Comparison of two entries">
      <QueryBoundary query={comparison} skeleton={<SkeletonRows rows={3} />}>
        {(data) => {
          const shown = board.metrics.find(({ id }) => id === data.metric) ?? board.metrics[0];
          return shown && (
            <>
              <div className={styles.head}><h3>{titleOf(data)}</h3><CopyLink /></div>
              <div className={styles.controls}>
                <SelectField
                  label="Measure compared"
                  value={data.metric}
                  options={board.metrics.map(({ id, label }) => ({ value: id, label }))}
                  onChange={(measure) => onChange({ measure: measure === board.main_metric ? null : measure })}
                />
              </div>
              <Verdict comparison={data} metric={shown} />
              <Slices comparison={data} board={board} metric={shown} />
              <Items comparison={data} board={board} />
            </>
          );
        }}
      </QueryBoundary>
    </section>
  );
}

const nameOf = ({ name }: EntryComparison["first"]) => name ?? entryName({ model: null });
const titleOf = ({ first, second }: EntryComparison) => `${nameOf(first)} minus ${nameOf(second)}`;
const SIGNIFICANT = 0.05;

/** What the numbers below mean, over all items. */
function Verdict({ comparison, metric }: { comparison: EntryComparison; metric: BoardMetric }) {
  const [overall] = comparison.slices;
  if (!overall) return null;
  const { difference, p_adjusted: p } = overall;
  const names = [nameOf(comparison.first), nameOf(comparison.second)];
  const isFirstBetter = metric.direction === "lower" ? difference < 0 : difference > 0;
  const [better, worse] = isFirstBetter ? names : names.toReversed();
  return (
    <p>
      {p < SIGNIFICANT
        ? `${better} is better than ${worse} in ${metricInSentence(metric)}, beyond what chance explains.`
        : `These items resolve no difference between ${names[0]} and ${names[1]} in ${metricInSentence(metric)}.`}
    </p>
  );
}

function Slices({ comparison, board, metric }: { comparison: EntryComparison; board: Board; metric: BoardMetric }) {
  const columns = ["Items", { label: `Difference in ${metricInSentence(metric)}`, isNumeric: true }, "95% interval", { label: "n", isNumeric: true }, { label: "p, Holm", isNumeric: true }];
  return (
    <>
      <DataTable label={titleOf(comparison)} minWidth={520} columns={columns}>
        {comparison.slices.map((slice) => (
          <tr key={slice.slice}>
            <th scope="row">{itemsLabel(slice.slice, board.overall)}</th>
            <td data-numeric className="number">{scoreText(slice.difference, metric)}</td>
            <td className="number">{intervalText([slice.difference, slice.low, slice.high], metric)}</td>
            <td data-numeric className="number">{formatCount(slice.n)}</td>
            <td data-numeric className="number">{slice.p_adjusted < 0.001 ? "under 0.001" : slice.p_adjusted.toFixed(3)}</td>
          </tr>
        ))}
      </DataTable>
      <p className={styles.quiet}>p decides: it is corrected for all rows (Holm). Each interval is of its row alone.</p>
    </>
  );
}

/** Items of a public split where the two differ; of a test split there are none to show. */
function Items({ comparison: { items, first, second, split }, board }: { comparison: EntryComparison; board: Board }) {
  if (!items) {
    return <p className={styles.quiet}>{split === "test" ? "Values by item of the test split are hidden." : "This measure has no value by item."}</p>;
  }
  const metric = board.metrics.find(({ id }) => id === items.metric) ?? { label: items.metric, unit: "" };
  return (
    <details className={styles.embed}>
      <summary>They differ in {metricInSentence(metric)} on {formatCount(items.total)} of {formatCount(items.n)} items</summary>
      <DataTable
        label="Items where the two differ"
        minWidth={520}
        columns={["Item", { key: "first", label: nameOf(first), isNumeric: true }, { key: "second", label: nameOf(second), isNumeric: true }]}
      >
        {items.listed.map((item) => (
          <tr key={item.key}>
            <th scope="row">{item.key}</th>
            <td data-numeric className="number">{scoreText(item.first, metric)}</td>
            <td data-numeric className="number">{scoreText(item.second, metric)}</td>
          </tr>
        ))}
      </DataTable>
      {items.listed.length < items.total && <p className={styles.quiet}>The first {items.listed.length} are listed.</p>}
    </details>
  );
}
