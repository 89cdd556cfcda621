import { lazy, Suspense, useState, type ReactNode } from "react";
import styles from "./Dialog.module.css";
import type { DialogProps } from "./DialogWindow";

/** It comes when the first dialog of a visit opens. */
const DialogWindow = lazy(async () => ({ default: (await import("./DialogWindow")).DialogWindow }));

export function Dialog(props: DialogProps) {
  const [isNeeded, setNeeded] = useState(props.isOpen);
  if (props.isOpen && !isNeeded) setNeeded(true);
  return isNeeded && <Suspense><DialogWindow {...props} /></Suspense>;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
