import { DataTable } from "@/components/DataTable";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { formatMoney } from "@/domains/endpoints/labels";
import { BarList } from "./BarList";
import { costSentence, rounded, tokensOfItem, type ReleaseCosts } from "./costData";
import styles from "./Costs.module.css";
import type { ModelCost } from "./queries";

const FIRST_BARS = 8;

/** Tokens for one item by setting, drawn and as a table of models by settings. */
export function ReleaseSection({ costs }: { costs: ReleaseCosts }) {
  const id = `tokens-${costs.slug}`;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>Tokens for one item of {costs.title}</h2>
      <div className={styles.beside}>
        <TokenBars costs={costs} />
        <SettingTable costs={costs} />
      </div>
    </section>
  );
}

function TokenBars({ costs }: { costs: ReleaseCosts }) {
  const sorted = costs.rows.toSorted((left, right) => tokensOfItem(right) - tokensOfItem(left));
  const { shown, more } = useFirstRows(sorted, FIRST_BARS);
  return (
    <figure className={styles.figure}>
      <BarList label={`Tokens for one item of ${costs.title}`} bars={shown.map(tokenBar)} />
      <AllRowsButton more={more} of={`bars of ${costs.title}`} />
      <figcaption className={styles.quiet}>{costSentence(costs)}</figcaption>
    </figure>
  );
}

function tokenBar(row: ModelCost) {
  const { tokens_in_per_item: input, tokens_out_per_item: output } = row;
  return {
    key: `${row.task.name} ${row.model}`,
    label: row.task.title,
    note: row.model,
    values: [
      { key: "in", value: input, text: `${rounded(input)} in` },
      { key: "out", value: output, text: `${rounded(output)} out` },
    ],
  };
}

function SettingTable({ costs: { title, settings, models } }: { costs: ReleaseCosts }) {
  return (
    <DataTable label={`Models by settings: ${title}`} minWidth={140 + 130 * settings.length} folds columns={["Model", ...settings.map(({ name, title: setting }) => ({ key: name, label: setting, className: styles.setting }))]}>
      {models.map(({ model, bySetting }) => (
        <tr key={model}>
          <th scope="row" className={styles.model}>{model}</th>
          {settings.map(({ name }) => <td key={name}><SettingCell row={bySetting.get(name)} /></td>)}
        </tr>
      ))}
    </DataTable>
  );
}

function SettingCell({ row }: { row: ModelCost | undefined }) {
  if (!row) return <span className={styles.quiet}>not run</span>;
  return (
    <>
      <span className={styles.tokens}>{rounded(row.tokens_in_per_item)} in, {rounded(row.tokens_out_per_item)} out</span>
      <span className={styles.note}>{formatMoney(row.cost_per_item)} an item</span>
    </>
  );
}
