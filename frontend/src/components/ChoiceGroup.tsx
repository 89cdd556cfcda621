import type { ReactNode } from "react";
import { Checkbox, CheckboxGroup, Label, Radio, RadioGroup, Text } from "react-aria-components";
import { Check } from "lucide-react";
import styles from "./ChoiceGroup.module.css";

interface Option<T extends string> {
  value: T;
  label: ReactNode;
  hint?: string;
}

interface RadioProps<T extends string> {
  label: string;
  options: Option<T>[];
  /** Null while none is chosen. */
  value: T | null;
  onChange: (value: T) => void;
}

/** One of a few, each with a word on what it means. */
export function RadioChoiceGroup<T extends string>({ label, options, value, onChange }: RadioProps<T>) {
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
          <span>{option.label}{option.hint && <span className={styles.hint}>{option.hint}</span>}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

interface CheckboxGroupProps {
  label: string;
  hint?: string;
  options: (Option<string> & { isDisabled?: boolean })[];
  value: string[];
  onChange: (value: string[]) => void;
}

/** Any of a list; a long one scrolls inside. */
export function CheckboxChoiceGroup({ label, hint, options, value, onChange }: CheckboxGroupProps) {
  return (
    <CheckboxGroup className={styles.group ?? ""} value={value} onChange={onChange}>
      <Label className={styles.label ?? ""}>{label}</Label>
      {hint && <Text slot="description" className={styles.hint ?? ""}>{hint}</Text>}
      <div className={styles.list}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            value={option.value}
            isDisabled={option.isDisabled ?? false}
            className={styles.option ?? ""}
          >
            <CheckMark />
            <span>{option.label}{option.hint && <span className={styles.hint}>{option.hint}</span>}</span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  );
}

interface CheckboxProps {
  isSelected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}

export function LabelledCheckbox({ isSelected, onChange, children }: CheckboxProps) {
  return (
    <Checkbox isSelected={isSelected} onChange={onChange} className={styles.option ?? ""}>
      <CheckMark />
      <span>{children}</span>
    </Checkbox>
  );
}

function CheckMark() {
  return <span className={styles.box} aria-hidden><Check size={14} strokeWidth={3} /></span>;
}
