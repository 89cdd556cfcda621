import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Kbd } from "@/components/Kbd";
import styles from "./ChoiceBar.module.css";

export interface ShownChoice<Value extends string> {
  value: Value;
  key: string;
  label: string;
  /** What is shown in place of the label. */
  content?: ReactNode;
}

interface Props<Value extends string> {
  label: string;
  choices: ShownChoice<Value>[];
  value: Value | null;
  shortcutsEnabled: boolean;
  /** What is missing yet, or empty. */
  hint?: string;
  /** The grid of the buttons, each of which has its value as `data-choice`. */
  className: string | undefined;
  onChange: (value: Value) => void;
}

/** Stays in reach while what is judged scrolls past above it. */
export function ChoiceBar<Value extends string>({ label, choices, value, shortcutsEnabled, hint, className = "", onChange }: Props<Value>) {
  return (
    <div className={styles.bar}>
      {hint !== undefined && <p className={styles.hint} role="status">{hint}</p>}
      <ToggleButtonGroup
        aria-label={label}
        className={className}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={value === null ? [] : [value]}
        onSelectionChange={(keys) => {
          const chosen = choices.find((one) => keys.has(one.value));
          if (chosen) onChange(chosen.value);
        }}
      >
        {choices.map((one) => (
          <ToggleButton key={one.value} id={one.value} className={styles.choice ?? ""} data-choice={one.value} aria-label={one.label}>
            {value === one.value && <Check size={14} aria-hidden />}
            <span>{one.content ?? one.label}</span>
            {shortcutsEnabled && <Kbd>{one.key.toUpperCase()}</Kbd>}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
