import styles from "./RegionPattern.module.css";

/** How many regions look different; what comes after shares the last look and has its number. */
const PATTERN_COUNT = 6;

/** Each look is a tint and, so that colour never speaks alone, a pattern of its own. */
const PATTERNS = [
  null,
  "M-1 1l2 -2M0 8l8 -8M7 9l2 -2",
  "M2 2h0.01M6 6h0.01",
  "M0 4h8",
  "M-1 7l2 2M0 0l8 8M7 -1l2 2",
  "M4 0v8M0 4h8",
];

function patternOf(rank: number): number {
  return Math.min(rank, PATTERN_COUNT - 1);
}

/** The patterns of one picture; their names are the page's, so each picture has its own. */
export function RegionPatternDefs({ id }: { id: string }) {
  return (
    <defs>
      {PATTERNS.map((path, look) => path && (
        <pattern key={look} id={`${id}-${look}`} width={8} height={8} patternUnits="userSpaceOnUse">
          <path d={path} className={look === 2 ? styles.dots : styles.lines} />
        </pattern>
      ))}
    </defs>
  );
}

export function RegionPattern({ id, rank, points }: { id: string; rank: number; points: string }) {
  const pattern = patternOf(rank);
  return (
    <>
      <polygon points={points} className={styles.fill} data-look={pattern} />
      {PATTERNS[pattern] && <polygon points={points} fill={`url(#${id}-${pattern})`} />}
    </>
  );
}

/** The same look as a small square beside a name. */
export function Swatch({ id, rank }: { id: string; rank: number }) {
  return (
    <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden className={styles.swatch}>
      <RegionPatternDefs id={id} />
      <RegionPattern id={id} rank={rank} points="0,0 14,0 14,14 0,14" />
      <rect x={0.5} y={0.5} width={13} height={13} className={styles.edge} />
    </svg>
  );
}
