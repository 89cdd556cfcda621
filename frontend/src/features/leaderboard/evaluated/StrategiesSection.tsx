import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { CopyLink } from "@/components/CopyLink";
import { DataTable } from "@/components/DataTable";
import { SelectField } from "@/components/SelectField";
import { intervalText, metricInSentence, scoreText } from "@/domains/evaluation/labels";
import { strategiesQuery, type Board, type BoardMetric, type Strategy, type StrategyTable } from "@/domains/evaluation/queries";
import { formatCount } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { ScoreScale } from "../ScoreScale";
import styles from "./Evaluated.module.css";

/** Runs of guided exploration by model and setting, beside the baselines: each minus the chosen reference. */
export function StrategiesSection({ board }: { board: Board }) {
  const [params, change] = useUrlParams();
  const chosen = params.get("measure");
  const metric = board.metrics.find(({ id }) => id === chosen)?.id ?? board.main_metric;
  const reference = params.get("reference") ?? "";
  const requested = useQuery({ ...strategiesQuery(board.release, board.split, metric, reference), placeholderData: (before) => before });
  // The reference of an address may stand on the board of another split.
  const usual = useQuery({ ...strategiesQuery(board.release, board.split, metric, ""), enabled: requested.isError && reference !== "" });
  const table = requested.isError ? usual.data : requested.data;
  const shown = board.metrics.find(({ id }) => id === table?.metric);
  if (!table || !shown || table.strategies.length < 2) return null;
  return (
    <section className={styles.release} aria-label="Strategies of exploration">
      <div className={styles.head}><h3>Strategies of exploration</h3><CopyLink /></div>
      <div className={styles.controls}>
        <SelectField
          label="Measure of the strategies"
          value={metric}
          options={board.metrics.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => change({ measure: id === board.main_metric ? null : id })}
        />
        <SelectField
          label="Reference"
          value={table.reference ?? ""}
          options={table.strategies.map(({ submission, name }) => ({ value: submission, label: name }))}
          onChange={(id) => change({ reference: id })}
        />
      </div>
      <Strategies table={table} metric={shown} />
      <p className={styles.quiet}>Differences are paired by item. p is corrected for all rows (Holm); each interval is of its row alone.</p>
    </section>
  );
}

function Strategies({ table: { strategies, reference }, metric }: { table: StrategyTable; metric: BoardMetric }) {
  const name = strategies.find(({ submission }) => submission === reference)?.name ?? "the reference";
  const most = Math.max(Number.EPSILON, ...strategies.flatMap(({ difference: one }) => (one ? [one.difference, one.low ?? 0, one.high ?? 0].map(Math.abs) : [])));
  const columns = [
    "Strategy", "Setting", { label: metric.label, isNumeric: true }, "95% interval",
    { label: "Difference", isNumeric: true }, { key: "of difference", label: "95% interval of the difference" }, { label: "p, Holm", isNumeric: true }, "Against zero",
  ];
  return (
    <DataTable label={`Strategies minus ${name}, in ${metricInSentence(metric)}`} minWidth={920} folds columns={columns}>
      {strategies.map((one) => <Row key={one.submission} strategy={one} metric={metric} most={most} />)}
    </DataTable>
  );
}

function Row({ strategy: { name, submission, run, beam, answered_by: model, score, difference: paired }, metric, most }: { strategy: Strategy; metric: BoardMetric; most: number }) {
  return (
    <tr>
      <th scope="row"><Link to={run ? `/runs/${run}` : `/results/${submission}`}>{name}</Link></th>
      <td>{beam ? `${model}: ${beamText(beam)}` : "Baseline"}</td>
      <td data-numeric className="number">{scoreText(score.value, metric)}</td>
      <td className="number">{intervalText([score.value, score.low, score.high], metric)}, n {formatCount(score.n)}</td>
      <td data-numeric className="number">{paired ? signed(paired.difference, metric) : "reference"}</td>
      <td className="number">{paired ? intervalText([paired.difference, paired.low, paired.high], metric) : ""}</td>
      <td data-numeric className="number">{paired ? pText(paired.p_adjusted) : ""}</td>
      <td>{paired && <ScoreScale value={paired.difference} low={paired.low} high={paired.high} scale={[-most, most]} reference={0} />}</td>
    </tr>
  );
}

/** 'm 5, k 10, n 30, h 3, without summaries': m, k, n and h as in Algorithm 3. */
function beamText({ relations, edges, width, depth, has_summaries: hasSummaries, has_weights: hasWeights }: NonNullable<Strategy["beam"]>): string {
  const parts = [`m ${relations}`, `k ${edges}`, `n ${width}`, `h ${depth}`, !hasSummaries && "without summaries", !hasWeights && "without weights"];
  return parts.filter(Boolean).join(", ");
}

const signed = (value: number, metric: BoardMetric) => `${value > 0 ? "+" : ""}${scoreText(value, metric)}`;

const pText = (p: number) => (p < 0.001 ? "under 0.001" : p.toFixed(3));
