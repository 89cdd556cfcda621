import type { ReactNode } from "react";
import {
  Checkbox,
  CheckboxGroup,
  Label,
  Radio,
  RadioGroup,
  Text,
} from "react-aria-components";
import { Check } from "lucide-react";
import styles from "./Choice.module.css";

interface Option<T extends string> {
  value: T;
  label: ReactNode;
  hint?: string;
}

interface OneProps<T extends string> {
  label: string;
  options: Option<T>[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, each with a word on what it means. */
export function ChooseOne<T extends string>({ label, options, value, onChange }: OneProps<T>) {
  return (
    <RadioGroup
      className={styles.group ?? ""}
      value={value}
      onChange={(chosen) => {
        const option = options.find((one) => one.value === chosen);
        if (option) onChange(option.value);
      }}
    >
      <Label className={styles.label ?? ""}>{label}</Label>
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className={styles.option ?? ""}>
          <span className={styles.dot} aria-hidden />
          <span>
            {option.label}
            {option.hint && <span className={styles.hint}>{option.hint}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

interface SomeProps {
  label: string;
  hint?: string;
  options: (Option<string> & { isDisabled?: boolean })[];
  value: string[];
  onChange: (value: string[]) => void;
}

/** Any of a list; a long one scrolls inside. */
export function ChooseSome({ label, hint, options, value, onChange }: SomeProps) {
  return (
    <CheckboxGroup className={styles.group ?? ""} value={value} onChange={onChange}>
      <Label className={styles.label ?? ""}>{label}</Label>
      {hint && (
        <Text slot="description" className={styles.hint ?? ""}>
          {hint}
        </Text>
      )}
      <div className={styles.list}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={styles.option ?? ""}
          >
            <Tick />
            <span>
              {option.label}
              {option.hint && <span className={styles.hint}>{option.hint}</span>}
            </span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}

interface ConsentProps {
  isSelected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}

export function Tickable({ isSelected, onChange, children }: ConsentProps) {
  return (
    <Checkbox isSelected={isSelected} onChange={onChange} className={styles.option ?? ""}>
      <Tick />
      <span>{children}</span>
    </Checkbox>
  );
}

function Tick() {
  return (
    <span className={styles.box} aria-hidden>
      <Check size={14} strokeWidth={3} />
    </span>
  );
}
