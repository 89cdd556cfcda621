import { Button } from "@/components/Button";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import type { Draft } from "./drafts";
import styles from "./Errata.module.css";
import { keyText, questionOf } from "./labels";

const ACTIONS = [
  { value: "withdraw" as const, label: "Withdraw" },
  { value: "answer" as const, label: "Change the answer" },
];

interface Props {
  draft: Draft;
  isFaulty: boolean;
  onChange: (draft: Draft) => void;
  onRemove: () => void;
}

export function CorrectionRow({ draft, isFaulty, onChange, onRemove }: Props) {
  const name = keyText(draft.key);
  return (
    <article className={styles.row} aria-label={name}>
      <div className={styles.head}>
        <h3 className={styles.key}>{name}</h3>
        <Button onPress={onRemove} aria-label={`Remove: ${name}`}>Remove</Button>
      </div>
      <p className={styles.quiet}>{questionOf(draft.content)}</p>
      <SegmentedControl label={`Correction of ${name}`} options={ACTIONS} value={draft.action} onChange={(action) => onChange({ ...draft, action })} />
      {draft.action === "answer" && (
        <TextField
          label="Answer, as JSON"
          hint="The stored answer of a test item is not shown; look it up in the source file. The track's page has the shape of an answer."
          error={isFaulty && draft.answer.trim() !== "" ? "This is not a JSON object." : undefined}
          value={draft.answer}
          onChange={(answer) => onChange({ ...draft, answer })}
          rows={3}
        />
      )}
    </article>
  );
}
