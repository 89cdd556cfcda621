import type { ExpertProgress } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { ProgressBar } from "@/components/ProgressBar";
import { Tag } from "@/components/Tag";
import { count, moment } from "@/lib/format";
import styles from "./ExpertTable.module.css";
import { changedInWords, nameOf, timeInWords } from "./words";

interface Props {
  experts: ExpertProgress[];
  onAssign: (expert: ExpertProgress) => void;
}

/** How far each expert is, in all and in each of her batches. */
export function ExpertTable({ experts, onAssign }: Props) {
  return (
    <DataTable label="Progress of each expert" minWidth={1080}>
      <thead>
        <tr>
          <th scope="col">Expert</th>
          <th scope="col">Answered</th>
          <th scope="col">By batch</th>
          <th scope="col" data-numeric>
            Time
          </th>
          <th scope="col" data-numeric>
            Orders changed
          </th>
          <th scope="col">Last answer</th>
          <th scope="col">Consent</th>
          <th scope="col">
            <span className="visually-hidden">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {experts.map((expert) => (
          <Row key={expert.id} expert={expert} onAssign={() => onAssign(expert)} />
        ))}
      </tbody>
    </DataTable>
  );
}

function Row({ expert, onAssign }: { expert: ExpertProgress; onAssign: () => void }) {
  return (
    <tr>
      <th scope="row" className={styles.expert}>
        {expert.name || expert.email} {expert.is_simulated && <Tag>simulated</Tag>}
        {expert.name && <span className={styles.email}>{expert.email}</span>}
      </th>
      <td>
        <Answered expert={expert} />
      </td>
      <td>
        <Batches expert={expert} />
      </td>
      <td data-numeric className={quiet(expert.median_active_ms === null)}>
        {timeInWords(expert.median_active_ms)}
      </td>
      <td data-numeric className={quiet(expert.changed_share === null)}>
        {changedInWords(expert)}
      </td>
      <td className={`${styles.date} ${quiet(expert.last_at === null) ?? ""}`}>
        {expert.last_at === null ? "not yet" : moment(expert.last_at)}
      </td>
      <td className={quiet(!expert.consented)}>{expert.consented ? "given" : "not yet"}</td>
      <td data-action>
        <Button onPress={onAssign} aria-label={`Batches of ${nameOf(expert) || expert.email}`}>
          Batches
        </Button>
      </td>
    </tr>
  );
}

function quiet(isQuiet: boolean): string | undefined {
  return isQuiet ? styles.quiet : undefined;
}

function Answered({ expert }: { expert: ExpertProgress }) {
  if (expert.total === 0) return <span className={styles.quiet}>no batches</span>;
  return (
    <div className={styles.answered}>
      <ProgressBar label={`${expert.name || expert.email}, answered`} value={expert.answered} total={expert.total} />
      <span className={styles.count}>
        {count(expert.answered)} of {count(expert.total)}
      </span>
    </div>
  );
}

/** A small bar under each batch's number. */
function Batches({ expert }: { expert: ExpertProgress }) {
  return (
    <ul className={styles.batches}>
      {expert.batches.map(({ id, number, answered, total }) => {
        const words = `Batch ${number}: ${count(answered)} of ${count(total)}`;
        return (
          <li key={id} title={words}>
            <span className="visually-hidden">{words}</span>
            <span className={styles.number} aria-hidden>
              {number}
            </span>
            <span className={styles.track} aria-hidden>
              <span className={styles.fill} style={{ width: `${(100 * answered) / Math.max(total, 1)}%` }} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
