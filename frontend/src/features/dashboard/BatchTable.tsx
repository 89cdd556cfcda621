import { ChevronDown } from "lucide-react";
import type { DashboardBatch, Person } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Menu, MenuItem, MenuSection } from "@/components/Menu";
import { ProgressBar } from "@/components/ProgressBar";
import type { MeasureInfo, StudyKindInfo } from "@/domains/studies/studyKind";
import { formatCount } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { AgreementCell } from "./AgreementCell";
import styles from "./BatchTable.module.css";
import { NOT_SHOWN, batchLabel, durationLabel, isShareHidden, shareLabel, shareValue, expertNames } from "./labels";
import { hasIntervals, listMeasures, measureByKey, missingValueReasons } from "./measures";

export function BatchTable({ info, batches }: { info: StudyKindInfo; batches: DashboardBatch[] }) {
  const { share } = info.dashboard;
  const measures = listMeasures(info.dashboard, batches);
  const [params, changeParams] = useUrlParams();
  const measure = measureByKey(measures, params.get("measure"));
  const hidden = isShareHidden(info.dashboard, batches) ? [NOT_SHOWN] : [];
  const select = (key: string) => changeParams({ measure: key === measures[0]?.key ? null : key });
  return (
    <section className={styles.section} aria-labelledby="batches-heading">
      <h2 id="batches-heading" className="visually-hidden">Batches</h2>
      <DataTable
        label="Progress and agreement of each batch" minWidth={860} folds
        columns={[
          "Batch",
          { label: "Done", colSpan: 2 },
          { label: measure && <MeasureMenu measures={measures} current={measure} onSelect={select} />, key: "measure", className: styles.measureHead },
          { label: "Time", isNumeric: true, className: styles.timeHead },
          { label: share?.heading, isNumeric: true, className: styles.changedHead },
          { label: "Active", className: styles.activeHead },
        ]}
      >
        {batches.map((batch) => <Row key={batch.id} info={info} batch={batch} measure={measure} />)}
      </DataTable>
      {measure && <TableNotes info={info} measure={measure} reasons={[...missingValueReasons(batches, measure), ...hidden]} isOfChance={batches.some(isOfChance)} hasIntervals={hasIntervals(batches, measure)} />}
    </section>
  );
}

function Row({ info, batch, measure }: { info: StudyKindInfo; batch: DashboardBatch; measure: MeasureInfo | undefined }) {
  return (
    <tr>
      <th scope="row" className={styles.batch}>
        {batchLabel(batch)}
        {batch.name && <span className={styles.name}>{batch.name}</span>}
      </th>
      <CompletionCell batch={batch} />
      <td className={styles.measure}>{measure && <AgreementCell batch={batch} measure={measure} />}</td>
      <td data-numeric className={batch.median_active_ms === null ? styles.quiet : undefined}>
        {durationLabel(batch.median_active_ms)}
      </td>
      <td data-numeric className={shareValue(batch.shares, info.dashboard.share?.name) === null ? styles.quiet : undefined}>
        {shareLabel(info, batch)}
      </td>
      <td><ActiveExperts people={batch.active} /></td>
    </tr>
  );
}

function CompletionCell({ batch }: { batch: DashboardBatch }) {
  if (batch.expected === 0) {
    return <><td className={styles.bar} /><td className={styles.quiet}>nobody assigned</td></>;
  }
  return (
    <>
      <td className={styles.bar}>
        <ProgressBar label={`${batchLabel(batch)}, done`} value={batch.answered} total={batch.expected} />
      </td>
      <td className={styles.done}>{formatCount(batch.answered)} of {formatCount(batch.expected)}</td>
    </>
  );
}

interface MeasureMenuProps {
  measures: MeasureInfo[];
  current: MeasureInfo;
  onSelect: (key: string) => void;
}

function MeasureMenu({ measures, current, onSelect }: MeasureMenuProps) {
  return (
    <Menu
      label="Measure of agreement"
      trigger={<Button variant="quiet">Agreement, {current.label}<ChevronDown size={14} aria-hidden /></Button>}
    >
      <MenuSection
        title="Measure of agreement"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[current.key]}
        onSelectionChange={(keys) => {
          const selected = measures.find(({ key }) => keys !== "all" && keys.has(key));
          if (selected) onSelect(selected.key);
        }}
      >
        {measures.map(({ key, label, hint }) => <MenuItem key={key} id={key} label={label} hint={hint} />)}
      </MenuSection>
    </Menu>
  );
}

interface NotesProps {
  info: StudyKindInfo;
  measure: MeasureInfo;
  reasons: { text: string; long: string }[];
  isOfChance: boolean;
  hasIntervals: boolean;
}

/** Whether answers to questions that were chosen by information are left out of its agreement. */
const isOfChance = ({ agreement }: DashboardBatch) => (agreement?.left_out.adaptive ?? 0) > 0;

const OF_THESE_EXPERTS = "questions, which hold for these experts alone; Statistics has wider ones over experts and questions";

/** What the numbers mean, and why some are missing. */
function TableNotes({ info: { dashboard }, measure: { label, hint, basis }, reasons, isOfChance: leavesOut, hasIntervals: isWithIntervals }: NotesProps) {
  const { share } = dashboard;
  const intervals = isWithIntervals ? `; with 95% intervals over ${basis?.intervals ?? OF_THESE_EXPERTS}` : "";
  return (
    <ul className={styles.reasons}>
      <li><b>{label}</b>: {hint.charAt(0).toLowerCase() + hint.slice(1)}{intervals}.</li>
      {leavesOut && <li><b>Chance</b>: agreement is of answers to questions drawn by chance, without those chosen by information.</li>}
      {share && <li><b>{share.heading}</b>: {share.hint}</li>}
      {reasons.map(({ text, long }) => <li key={text}><b>{text}</b>: {long}</li>)}
    </ul>
  );
}

const MAX_DOTS = 4;

/** A dot for each person at work; who they are is read out, and shown on pointing. */
function ActiveExperts({ people }: { people: Person[] }) {
  if (people.length === 0) return <span className={styles.more}>nobody<span className="visually-hidden"> now</span></span>;
  const names = expertNames(people);
  const more = people.length - MAX_DOTS;
  return (
    <span className={styles.active} title={names}>
      {people.slice(0, MAX_DOTS).map((person) => <span key={person.id} className={styles.dot} aria-hidden />)}
      {more > 0 && <span className={styles.more} aria-hidden>+{more}</span>}
      <span className="visually-hidden">{names}</span>
    </span>
  );
}
