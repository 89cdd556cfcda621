import { X } from "lucide-react";
import { useId, type KeyboardEvent } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Button } from "@/components/Button";
import styles from "./ConfidenceField.module.css";

const CONFIDENCE_STEPS: { value: number; word: string }[] = [
  { value: 1, word: "a guess" },
  { value: 2, word: "a little sure" },
  { value: 3, word: "fairly sure" },
  { value: 4, word: "sure" },
  { value: 5, word: "certain" },
];

interface Props {
  value: number | null;
  onChange: (value: number | null) => void;
  /** A digit that was pressed chooses, and gives the focus back. */
  onLeave: () => void;
}

/** The id by which the shortcut finds the field. */
export const CONFIDENCE_FIELD_ID = "confidence";

/** One to five, none preset: silence is not an answer, and an answer can be taken back. */
export function ConfidenceField({ value, onChange, onLeave }: Props) {
  const id = useId();
  const chooseByKey = (event: KeyboardEvent) => {
    const step = CONFIDENCE_STEPS.find((one) => String(one.value) === event.key);
    if (step) onChange(step.value);
    if (step || event.key === "Escape") onLeave();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys act on the buttons inside
    <div id={CONFIDENCE_FIELD_ID} className={styles.sureness} onKeyDown={chooseByKey}>
      <p id={id} className={styles.label}>How sure are you?</p>
      <ToggleButtonGroup
        aria-labelledby={id}
        className={styles.steps ?? ""}
        selectionMode="single"
        selectedKeys={value === null ? [] : [String(value)]}
        onSelectionChange={(keys) => {
          const [key] = [...keys];
          onChange(key === undefined ? null : Number(key));
        }}
      >
        {CONFIDENCE_STEPS.map((step) => (
          <ToggleButton key={step.value} id={String(step.value)} className={styles.step ?? ""} aria-label={`${step.value}, ${step.word}`}>
            {step.value}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <p className={styles.word}>
        {value === null ? "1 guess, 5 certain" : CONFIDENCE_STEPS[value - 1]?.word}
        {value !== null && (
          <Button variant="quiet" size="icon" onPress={() => onChange(null)} aria-label="Clear how sure">
            <X size={16} aria-hidden />
          </Button>
        )}
      </p>
    </div>
  );
}
