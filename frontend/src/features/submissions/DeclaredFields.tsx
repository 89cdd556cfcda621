import { TextField } from "@/components/TextField";
import type { Declared } from "./declared";
import styles from "./Submissions.module.css";

interface Props {
  declared: Declared;
  onChange: (declared: Declared) => void;
}

/** How the predictions were made. All of it is optional and public. */
export function DeclaredFields({ declared, onChange }: Props) {
  const bind = (field: keyof Declared) => ({ value: declared[field], onChange: (value: string) => onChange({ ...declared, [field]: value }) });
  return (
    <details className={styles.declared}>
      <summary>What is declared</summary>
      <p className={styles.quiet}>All fields are optional. The page of the result shows them to everyone.</p>
      <TextField label="Cost, in US dollars" inputMode="decimal" {...bind("cost_usd")} />
      <TextField label="Latency of a prediction, in seconds" inputMode="decimal" {...bind("latency_s")} />
      <TextField label="Hardware" maxLength={200} {...bind("hardware")} />
      <TextField label="Sample" hint="The part of the items that was answered, if not all. A sample is not ranked." maxLength={200} {...bind("sample")} />
      <TextField label="Knowledge until" hint="The last year of which the model has read anything." inputMode="numeric" maxLength={4} {...bind("knowledge_until")} />
      <TextField label="How it was made" hint="Such as prompt, decoding and training. Public with the name of the model." rows={4} maxLength={2000} {...bind("method")} />
      <TextField label="Notes" hint="Public with the name of the model." rows={3} maxLength={5000} {...bind("notes")} />
    </details>
  );
}
