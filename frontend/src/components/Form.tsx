import type { ReactNode } from "react";
import { Form as AriaForm } from "react-aria-components";
import styles from "./Form.module.css";

/** Fields under each other; Enter sends. Faults are shown by this app, not by the browser. */
export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <AriaForm
      className={styles.form ?? ""}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </AriaForm>
  );
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
