import { useEffect, useRef } from "react";
import type { ImportError } from "@/domains/studies/importError";
import { RefusedImport } from "@/domains/studies/RefusedImport";
import styles from "./Studies.module.css";

/** Takes the focus, so that the next thing read or reached by Tab is what to correct. */
export function Refusal({ refusal }: { refusal: ImportError }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={styles.refusal}>
      <RefusedImport refusal={refusal} />
    </div>
  );
}
