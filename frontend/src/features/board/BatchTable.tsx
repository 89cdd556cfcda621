import { ChevronDown } from "lucide-react";
import { useSearchParams } from "react-router";
import type { BoardBatch } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { ProgressBar } from "@/components/ProgressBar";
import { count } from "@/lib/format";
import { Active } from "./Active";
import { AgreementCell } from "./AgreementCell";
import styles from "./BatchTable.module.css";
import { MEASURES, measureNamed, reasonsShown, type Measure } from "./measures";
import { batchLabel, changedInWords, timeInWords } from "./words";

export function BatchTable({ batches }: { batches: BoardBatch[] }) {
  const [params, setParams] = useSearchParams();
  const measure = measureNamed(params.get("measure"));
  const choose = (key: Measure) =>
    setParams(key === MEASURES[0].key ? {} : { measure: key }, { replace: true, preventScrollReset: true });
  return (
    <section className={styles.section} aria-labelledby="batches-heading">
      <h2 id="batches-heading" className="visually-hidden">
        Batches
      </h2>
      <DataTable label="Progress and agreement of each batch" minWidth={860}>
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col" colSpan={2}>
              Done
            </th>
            <th scope="col" className={styles.measureHead}>
              <MeasureMenu current={measure.key} onChoose={choose} />
            </th>
            <th scope="col" data-numeric className={styles.timeHead}>
              Time
            </th>
            <th scope="col" data-numeric className={styles.changedHead}>
              Orders changed
            </th>
            <th scope="col" className={styles.activeHead}>
              Active
            </th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <Row key={batch.id} batch={batch} measure={measure} />
          ))}
        </tbody>
      </DataTable>
      <Reasons reasons={reasonsShown(batches, measure)} hint={measure.hint} label={measure.label} />
    </section>
  );
}

function Row({ batch, measure }: { batch: BoardBatch; measure: ReturnType<typeof measureNamed> }) {
  return (
    <tr>
      <th scope="row" className={styles.batch}>
        {batchLabel(batch)}
        {batch.name && <span className={styles.name}>{batch.name}</span>}
      </th>
      <Done batch={batch} />
      <td>
        <AgreementCell batch={batch} measure={measure} />
      </td>
      <td data-numeric className={batch.median_active_ms === null ? styles.quiet : undefined}>
        {timeInWords(batch.median_active_ms)}
      </td>
      <td data-numeric className={batch.changed_share === null ? styles.quiet : undefined}>
        {changedInWords(batch)}
      </td>
      <td>
        <Active people={batch.active} />
      </td>
    </tr>
  );
}

function Done({ batch }: { batch: BoardBatch }) {
  if (batch.expected === 0) {
    return (
      <td colSpan={2} className={styles.quiet}>
        nobody assigned
      </td>
    );
  }
  return (
    <>
      <td className={styles.bar}>
        <ProgressBar label={`${batchLabel(batch)}, done`} value={batch.answered} total={batch.expected} />
      </td>
      <td className={styles.done}>
        {count(batch.answered)} of {count(batch.expected)}
      </td>
    </>
  );
}

function MeasureMenu({ current, onChoose }: { current: Measure; onChoose: (key: Measure) => void }) {
  const shown = measureNamed(current);
  return (
    <Menu
      label="Measure of agreement"
      trigger={
        <Button look="quiet">
          Agreement, {shown.label}
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuSection
        title="Measure of agreement"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[current]}
        onSelectionChange={(keys) => {
          const chosen = MEASURES.find(({ key }) => keys !== "all" && keys.has(key));
          if (chosen) onChoose(chosen.key);
        }}
      >
        {MEASURES.map(({ key, label, hint }) => (
          <MenuItem key={key} id={key} label={label} hint={hint} />
        ))}
      </MenuSection>
    </Menu>
  );
}

interface ReasonsProps {
  label: string;
  hint: string;
  reasons: { text: string; long: string }[];
}

/** What the number says, and why some have none. */
function Reasons({ label, hint, reasons }: ReasonsProps) {
  return (
    <ul className={styles.reasons}>
      <li>
        <b>{label}</b>: {hint.charAt(0).toLowerCase() + hint.slice(1)}; with 95% intervals over questions.
      </li>
      <li>
        <b>Orders changed</b>: of the orders given, those that differ from the order shown. ‘Not sure’ gives none.
      </li>
      {reasons.map(({ text, long }) => (
        <li key={text}>
          <b>{text}</b>: {long}
        </li>
      ))}
    </ul>
  );
}
