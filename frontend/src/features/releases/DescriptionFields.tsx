import { TextField } from "@/components/TextField";
import { fieldMessage } from "@/lib/errorMessages";
import { FIELD_LABELS, type ReleaseFields } from "./releaseFields";
import styles from "./Releases.module.css";

interface Props {
  fields: ReleaseFields;
  onChange: (fields: ReleaseFields) => void;
  /** What the server found wrong. */
  error: unknown;
}

/** What may be changed later as well; the items never are. */
export function DescriptionFields({ fields, onChange, error }: Props) {
  const bind = (field: keyof ReleaseFields, place: string) => ({
    label: FIELD_LABELS[field],
    value: fields[field],
    onChange: (value: string) => onChange({ ...fields, [field]: value }),
    error: fieldMessage(error, place),
  });
  return (
    <>
      <TextField isRequired maxLength={200} {...bind("name", "name")} />
      <div className={styles.pair}>
        <TextField hint="Scores on the test items, over all models." inputMode="numeric" {...bind("queries", "queries")} />
        <TextField inputMode="numeric" {...bind("queriesPerDay", "queries_per_day")} />
      </div>
      <div className={styles.pair}>
        <TextField hint="Your time. Empty: once you open it." type="datetime-local" {...bind("opensAt", "opens_at")} />
        <TextField hint="Your time. Empty: when you close it." type="datetime-local" {...bind("closesAt", "closes_at")} />
      </div>
      <TextField maxLength={200} {...bind("licence", "licence")} />
      <TextField rows={3} maxLength={20_000} {...bind("citation", "citation")} />
      <TextField hint="Where the items are from and what they are for; plain text." rows={6} maxLength={50_000} {...bind("dataCard", "data_card")} />
      <TextField hint="What those who submit agree to; plain text." rows={3} maxLength={20_000} {...bind("terms", "terms")} />
    </>
  );
}
