import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/components/DataTable";
import { PartBoundary } from "@/components/QueryBoundary";
import { modelText } from "@/domains/endpoints/labels";
import { boardBestOfNQuery, intervalOf, judgeSentence, type BestOfN, type SampledSetting, type SelectionAccuracy } from "@/domains/evaluation/groundedness";
import { formatCount, formatPlural } from "@/lib/format";
import styles from "./Evaluated.module.css";
import { SelectionChart } from "./SelectionChart";

/** Accuracy of the most grounded of several answers, per task and model, beside greedy decoding and the majority. */
export function BestOfNSection({ release, split }: { release: string; split: string }) {
  return (
    <PartBoundary query={useQuery(boardBestOfNQuery(release, split))} part="Accuracy of the most grounded answers">
      {({ settings }) => settings.length > 0 && (
        <section className={styles.release} aria-label="Most grounded of several answers">
          <h3>Most grounded of several answers</h3>
          {settings.map((one) => <Setting key={settingName(one)} setting={one} />)}
        </section>
      )}
    </PartBoundary>
  );
}

const settingName = ({ task, prompt_version: version, model, model_size: size, endpoint, temperature, samples }: SampledSetting) =>
  `${task}, prompt ${version}, ${modelText(`${model} at ${endpoint}`, size)}: ${formatPlural(samples, "sample")} at temperature ${temperature}`;

function Setting({ setting }: { setting: SampledSetting }) {
  const { comparison, reason } = setting;
  const name = settingName(setting);
  return (
    <article className={styles.release} aria-label={name}>
      <h4>{name}</h4>
      {comparison ? <Comparison name={name} comparison={comparison} /> : <p className={styles.quiet}>{reason}</p>}
    </article>
  );
}

function Comparison({ name, comparison: { selections, items, tied, undefined: without, judge } }: { name: string; comparison: BestOfN }) {
  return (
    <>
      <p className={styles.quiet}>
        Groundedness by {judgeSentence(judge)}. {formatPlural(items, "item")}: {formatCount(tied)} with equally grounded answers, {formatCount(without)} without a claim in any answer.
      </p>
      <SelectionChart selections={selections} label={selectionLabel} />
      <DataTable label={`Accuracy by selection, ${name}`} folds columns={["Answer", { label: "Accuracy", isNumeric: true }, "95% interval", { label: "Most grounded minus it", isNumeric: true }, "95% interval of the difference"]}>
        {selections.map((one) => (
          <tr key={one.selection}>
            <th scope="row">{selectionLabel(one)}</th>
            <td data-numeric className="number">{one.accuracy.value.toFixed(1)}%</td>
            <td className="number">{intervalOf(one.accuracy.low, one.accuracy.high)}</td>
            <td data-numeric className="number">{one.difference === null ? "" : signed(one.difference)}</td>
            <td className="number">{one.difference === null ? "" : intervalOf(one.difference_low, one.difference_high)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

const LABELS: Record<string, string> = {
  groundedness: "most grounded sample",
  greedy: "greedy decoding",
  majority: "majority of the samples",
  random: "any one sample",
  any: "right if one sample is",
};

const selectionLabel = ({ selection }: SelectionAccuracy) => LABELS[selection] ?? selection;

const signed = (value: number) => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
