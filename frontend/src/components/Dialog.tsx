import type { ReactNode } from "react";
import { Part, usePart } from "@/lib/part";
import styles from "./Dialog.module.css";
import type { DialogProps } from "./DialogWindow";
import { PartFailed } from "./PartFailed";

/** It comes when the first dialog of a visit opens, or before, where a page must work without a network. */
export const dialogPart = new Part(() => import("./DialogWindow"));

export function Dialog(props: DialogProps) {
  const { module, hasFailed } = usePart(dialogPart, props.isOpen);
  if (module) return <module.DialogWindow {...props} />;
  return props.isOpen && hasFailed && <PartFailed onRetry={dialogPart.load} />;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
