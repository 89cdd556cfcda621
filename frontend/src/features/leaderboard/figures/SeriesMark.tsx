import styles from "./Figures.module.css";

const SIZE = 6;

/** The shape of a series, centred at a point: disc, square, triangle. */
export function SeriesShape({ place, x, y }: { place: number; x: number; y: number }) {
  if (place === 0) return <circle cx={x} cy={y} r={SIZE} />;
  if (place === 1) return <rect x={x - SIZE} y={y - SIZE} width={2 * SIZE} height={2 * SIZE} />;
  return <polygon points={`${x},${y - SIZE - 1} ${x + SIZE + 1},${y + SIZE} ${x - SIZE - 1},${y + SIZE}`} />;
}

export function SeriesMark({ place }: { place: number }) {
  return (
    <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden className={styles.series} data-place={place}>
      <SeriesShape place={place} x={8} y={8} />
    </svg>
  );
}
