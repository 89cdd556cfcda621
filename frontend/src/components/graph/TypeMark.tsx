import { corners } from "@/lib/graphs/looks";
import styles from "./TypeMark.module.css";
import { useLooks } from "./useLooks";

/** The small sign of a type of entity; the word stands beside it. */
export function TypeMark({ type, size = 12 }: { type: string; size?: number }) {
  const { shape, ink } = useLooks()(type);
  const points = corners(shape, 5.5, 6, 6);
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden className={styles.mark} style={{ color: `var(--${ink})` }}>
      {points ? <polygon points={points} fill="currentcolor" /> : <circle cx={6} cy={6} r={5} fill="currentcolor" />}
    </svg>
  );
}

/** A type, as sign and word. */
export function TypeWord({ type }: { type: string }) {
  return (
    <span className={styles.type}>
      <TypeMark type={type} />
      {type}
    </span>
  );
}
