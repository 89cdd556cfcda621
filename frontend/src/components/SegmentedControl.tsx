import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import styles from "./SegmentedControl.module.css";

interface Props<T extends string> {
  label: string;
  options: { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A switch between a few views of the same thing; one is always on. */
export function SegmentedControl<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.group ?? ""}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const option = options.find((one) => keys.has(one.value));
        if (option) onChange(option.value);
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value} className={styles.segment ?? ""}>{option.label}</ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
