import styles from "./TypeIcon.module.css";
import { shapePoints } from "./typeStyles";
import { useTypeStyles } from "./useTypeStyles";

/** The small sign of a type of entity; the word stands beside it. */
export function TypeIcon({ type, size = 12 }: { type: string; size?: number }) {
  const { shape, colour } = useTypeStyles()(type);
  const points = shapePoints(shape, 5.5, 6, 6);
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden className={styles.mark} style={{ color: `var(--${colour})` }}>
      {points ? <polygon points={points} fill="currentcolor" /> : <circle cx={6} cy={6} r={5} fill="currentcolor" />}
    </svg>
  );
}

export function TypeLabel({ type }: { type: string }) {
  return <span className={styles.type}><TypeIcon type={type} />{type}</span>;
}
