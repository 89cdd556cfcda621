import { useEffect, useRef } from "react";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Notice } from "@/components/Notice";
import { errorsTitle, type ImportError } from "@/domains/studies/importError";
import styles from "./Studies.module.css";

/** Takes the focus, so that the next thing read or reached by Tab is what to correct. */
export function Refusal({ refusal }: { refusal: ImportError }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={styles.refusal}>
      <Notice tone="bad"><p>{refusal.message}</p></Notice>
      {refusal.errors.length > 0 && <ErrorTable title={errorsTitle(refusal)} rows={errorRows(refusal.errors)} />}
    </div>
  );
}
