import { TriangleAlert } from "lucide-react";
import type { ExpertProgress } from "@/api/contract";
import { Button } from "@/components/Button";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { ProgressBar } from "@/components/ProgressBar";
import { Tag } from "@/components/Tag";
import { formatCount, formatDateTime } from "@/lib/format";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import styles from "./ExpertTable.module.css";
import { FLAG_NOTES, flagText, qualificationLabel } from "./flagLabels";
import { shareLabel, shareValue, expertName, durationLabel } from "./labels";

interface Props {
  info: StudyKindInfo;
  experts: ExpertProgress[];
  onAssign: (expert: ExpertProgress) => void;
  onWaive: (expert: ExpertProgress) => void;
}

export function ExpertTable({ info, experts, onAssign, onWaive }: Props) {
  return (
    <>
      <DataTable
        label="Progress of each expert" minWidth={1240} folds
        columns={[
          "Expert",
          "Answered",
          "To check",
          "By batch",
          { label: "Time", isNumeric: true },
          { label: info.dashboard.share?.heading, isNumeric: true },
          "Last answer",
          "Consent",
          ACTIONS_COLUMN,
        ]}
      >
        {experts.map((expert) => <Row key={expert.id} info={info} expert={expert} onAssign={() => onAssign(expert)} onWaive={() => onWaive(expert)} />)}
      </DataTable>
      <FlagNotes experts={experts} />
    </>
  );
}

/** Each kind of flag in the table, explained once. */
function FlagNotes({ experts }: { experts: ExpertProgress[] }) {
  const names = [...new Set(experts.flatMap(({ flags }) => flags.map(({ name }) => name)))];
  if (names.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {names.map((name) => <li key={name}><b>{FLAG_NOTES[name].label}</b>: {FLAG_NOTES[name].note}</li>)}
    </ul>
  );
}

interface RowProps {
  info: StudyKindInfo;
  expert: ExpertProgress;
  onAssign: () => void;
  onWaive: () => void;
}

function Row({ info, expert, onAssign, onWaive }: RowProps) {
  return (
    <tr>
      <th scope="row" className={styles.expert}>
        {expert.name || expert.email} {expert.is_simulated && <Tag>simulated</Tag>}
        {expert.name && <span className={styles.email}>{expert.email}</span>}
      </th>
      <td><AnsweredCell expert={expert} /></td>
      <td><FlagsCell expert={expert} /></td>
      <td><BatchesCell expert={expert} /></td>
      <td data-numeric className={mutedCell(expert.median_active_ms === null)}>{durationLabel(expert.median_active_ms)}</td>
      <td data-numeric className={mutedCell(shareValue(expert.shares, info.dashboard.share?.name) === null)}>
        {shareLabel(info, expert)}
      </td>
      <td className={`${styles.date} ${mutedCell(expert.last_at === null) ?? ""}`}>
        {expert.last_at === null ? "not yet" : formatDateTime(expert.last_at)}
      </td>
      <td className={mutedCell(!expert.consented)}>{expert.consented ? "given" : "not yet"}</td>
      <td data-action>
        {expert.qualification?.state === "failed" && (
          <Button onPress={onWaive} aria-label={`Let ${expertName(expert) || expert.email} go on`}>Let go on</Button>
        )}
        <Button onPress={onAssign} aria-label={`Batches of ${expertName(expert) || expert.email}`}>Batches</Button>
      </td>
    </tr>
  );
}

function mutedCell(isQuiet: boolean): string | undefined {
  return isQuiet ? styles.quiet : undefined;
}

function AnsweredCell({ expert }: { expert: ExpertProgress }) {
  if (expert.total === 0) return <span className={styles.quiet}>no batches</span>;
  return (
    <div className={styles.answered}>
      <ProgressBar label={`${expert.name || expert.email}, answered`} value={expert.answered} total={expert.total} />
      <span className={styles.count}>{formatCount(expert.answered)} of {formatCount(expert.total)}</span>
    </div>
  );
}

function FlagsCell({ expert }: { expert: ExpertProgress }) {
  const { flags, qualification, reminded_at: remindedAt } = expert;
  const qualified = qualification && qualificationLabel(qualification);
  if (flags.length === 0 && remindedAt === null && !qualified) return <span className={styles.quiet}>nothing</span>;
  return (
    <ul className={styles.flags}>
      {flags.map((flag) => <li key={flag.name}><TriangleAlert size={14} aria-hidden />{flagText(flag)}</li>)}
      {qualified && <li className={styles.quiet}>{qualified}</li>}
      {remindedAt !== null && <li className={styles.quiet}>Reminded {formatDateTime(remindedAt)}</li>}
    </ul>
  );
}

/** A small bar under each batch's number. */
function BatchesCell({ expert }: { expert: ExpertProgress }) {
  return (
    <ul className={styles.batches}>
      {expert.batches.map(({ id, number, answered, total }) => {
        const words = `Batch ${number}: ${formatCount(answered)} of ${formatCount(total)}`;
        return (
          <li key={id} title={words}>
            <span className="visually-hidden">{words}</span>
            <span className={styles.number} aria-hidden>{number}</span>
            <span className={styles.track} aria-hidden>
              <span className={styles.fill} style={{ width: `${(100 * answered) / Math.max(total, 1)}%` }} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
