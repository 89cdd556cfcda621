import { DataTable } from "@/components/DataTable";
import { formatCount, formatPlural } from "@/lib/format";
import chart from "./AccuracyChart.module.css";
import { intervalOf, judgeSentence, sourceInSentence, spanText, type AccuracyBins } from "./groundedness";
import styles from "./GroundednessBins.module.css";

const LEAST = 10;
const WIDTH = 360;
const HEIGHT = 220;
const MARGIN = { left: 60, right: 24, top: 12, bottom: 40 };
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
const TICKS = [0, 25, 50, 75, 100];
const x = (value: number) => MARGIN.left + (INNER.width * value) / 100;
const y = (value: number) => MARGIN.top + INNER.height * (1 - value / 100);
const radius = (share: number) => 3 + 6 * Math.sqrt(share);

/** Accuracy of hypotheses by how much of their rationale is supported; the figures stand beside the chart. */
export function GroundednessBins({ bins: figure }: { bins: AccuracyBins }) {
  const { bins, overall, undefined: without, source, entries, judge } = figure;
  const of = entries > 1 ? `Over the hypotheses of ${formatPlural(entries, "entry", "entries")}. ` : "";
  return (
    <figure className={styles.figure}>
      <figcaption>
        {of}Groundedness by {sourceInSentence(source)}, {groupText(bins)}. {without && without.n < LEAST && `Fewer than ${LEAST} have no claim. `}The line is the accuracy of all.
      </figcaption>
      <div className={styles.parts}>
        <Chart figure={figure} />
        <DataTable label={`Figures of accuracy, ${judgeSentence(judge)}`} folds columns={["Groundedness", { label: "Hypotheses", isNumeric: true }, { label: "Accuracy", isNumeric: true }, "95% interval"]}>
          {bins.map((one) => <Row key={one.low} name={spanText(one)} accuracy={one.accuracy} />)}
          {without && <Row name="no claim" accuracy={without} />}
          <Row name="all" accuracy={overall} />
        </DataTable>
      </div>
    </figure>
  );
}

/** A group is small only where all hypotheses with a claim are fewer. */
function groupText(bins: AccuracyBins["bins"]): string {
  if (bins.length === 0) return "of which none has a claim";
  return bins.some(({ accuracy }) => accuracy.n < LEAST) ? `fewer than ${LEAST} hypotheses with a claim, in one group` : `in groups of at least ${LEAST} hypotheses`;
}

function Row({ name, accuracy: { value, low, high, n } }: { name: string; accuracy: AccuracyBins["overall"] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-numeric className="number">{formatCount(n)}</td>
      <td data-numeric className="number">{value.toFixed(1)}%</td>
      <td className="number">{intervalOf(low, high)}</td>
    </tr>
  );
}

/** The size of a dot shows its number of hypotheses. */
function Chart({ figure: { bins, overall } }: { figure: AccuracyBins }) {
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={chart.chart} aria-hidden>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className={chart.grid} x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text className={chart.label} x={MARGIN.left - 6} y={y(tick) + 4} textAnchor="end">{tick}</text>
          <text className={chart.label} x={x(tick)} y={HEIGHT - MARGIN.bottom + 16} textAnchor="middle">{tick}</text>
        </g>
      ))}
      <text className={chart.label} x={MARGIN.left + INNER.width / 2} y={HEIGHT - 6} textAnchor="middle">Groundedness, %</text>
      <text className={chart.label} transform={`translate(16 ${MARGIN.top + INNER.height / 2}) rotate(-90)`} textAnchor="middle">Accuracy, %</text>
      <line className={chart.overall} x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(overall.value)} y2={y(overall.value)} />
      {bins.map(({ low, groundedness, accuracy }) => (
        <g key={low}>
          {accuracy.low !== null && accuracy.high !== null && <line className={chart.whisker} x1={x(groundedness)} x2={x(groundedness)} y1={y(accuracy.low)} y2={y(accuracy.high)} />}
          <circle className={chart.dot} cx={x(groundedness)} cy={y(accuracy.value)} r={radius(accuracy.n / Math.max(overall.n, 1))} />
        </g>
      ))}
    </svg>
  );
}
