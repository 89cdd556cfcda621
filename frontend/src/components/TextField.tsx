import { FieldError, Input, Label, Text, TextArea, TextField as AriaTextField, type TextFieldProps } from "react-aria-components";
import styles from "./TextField.module.css";

interface Props extends Omit<TextFieldProps, "className" | "children"> {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Rows of a multi-line field. */
  rows?: number;
}

export function TextField({ label, hint, error, rows, ...props }: Props) {
  return (
    <AriaTextField {...props} className={styles.field ?? ""} isInvalid={Boolean(error)}>
      <Label className={styles.label ?? ""}>{label}</Label>
      {rows ? <TextArea className={styles.input ?? ""} rows={rows} dir="auto" /> : <Input className={styles.input ?? ""} dir="auto" />}
      {hint && <Text slot="description" className={styles.hint ?? ""}>{hint}</Text>}
      <FieldError className={styles.error ?? ""}>{error}</FieldError>
    </AriaTextField>
  );
}
