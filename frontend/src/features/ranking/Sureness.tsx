import { X } from "lucide-react";
import { useId } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Button } from "@/components/Button";
import styles from "./Sureness.module.css";

const STEPS: { value: number; word: string }[] = [
  { value: 1, word: "a guess" },
  { value: 2, word: "a little sure" },
  { value: 3, word: "fairly sure" },
  { value: 4, word: "sure" },
  { value: 5, word: "certain" },
];

interface Props {
  value: number | null;
  onChange: (value: number | null) => void;
}

/** One to five, none preset: silence is not an answer, and an answer can be taken back. */
export function Sureness({ value, onChange }: Props) {
  const id = useId();
  return (
    <div className={styles.sureness}>
      <p id={id} className={styles.label}>
        How sure are you?
      </p>
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
        {STEPS.map((step) => (
          <ToggleButton key={step.value} id={String(step.value)} className={styles.step ?? ""} aria-label={`${step.value}, ${step.word}`}>
            {step.value}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <p className={styles.word}>
        {value === null ? "1 guess, 5 certain" : STEPS[value - 1]?.word}
        {value !== null && (
          <Button look="quiet" size="icon" onPress={() => onChange(null)} aria-label="Clear how sure">
            <X size={16} aria-hidden />
          </Button>
        )}
      </p>
    </div>
  );
}
