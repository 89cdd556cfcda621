import { useId } from "react";
import styles from "./SelectField.module.css";

interface Props<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  hint?: string | undefined;
  error?: string | undefined;
  /** "no" where the options are names. */
  translate?: "no";
}

/** One of several, in the system's own list, with its label above and a hint or what is wrong below. */
export function SelectField<Value extends string>({ label, value, options, onChange, hint, error, translate }: Props<Value>) {
  const id = useId();
  const describedBy = error ?? hint;
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => choose(event.target.value)}
        aria-describedby={describedBy ? `${id}-hint` : undefined}
        aria-invalid={Boolean(error)}
        translate={translate}
      >
        {options.map((one) => <option key={one.value} value={one.value}>{one.label}</option>)}
      </select>
      {describedBy && <p id={`${id}-hint`} className={error ? styles.error : styles.hint}>{describedBy}</p>}
    </div>
  );
}
