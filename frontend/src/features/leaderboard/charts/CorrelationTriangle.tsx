import type { MetricCorrelations } from "@/api/contract";
import styles from "./SliceCorrelations.module.css";
import { triangleCorners, type Corner } from "./triangle";

interface Props {
  /** What the chart shows, for those who do not see it; the list beside it has the numbers. */
  label: string;
  /** Three. */
  slices: string[];
  pairs: MetricCorrelations["pairs"];
}

const WIDTH = 320;
const HEIGHT = 250;
const LABEL_LIFT = { top: -14, bottom: 24 };

/** Three parts of the items as corners; the shorter a side, the stronger the correlation. */
export function CorrelationTriangle({ label, slices, pairs }: Props) {
  const corners = triangleCorners(pairs.map(({ correlation }) => correlation), WIDTH, HEIGHT);
  if (!corners) return null;
  const cornerOf = (slice: string) => corners[slices.indexOf(slice)] ?? corners[0];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.triangle} role="img" aria-label={label}>
      {pairs.map((pair) => {
        const [one, other] = [cornerOf(pair.first), cornerOf(pair.second)];
        return (
          <g key={`${pair.first} ${pair.second}`}>
            <line className={styles.side} x1={one.x} y1={one.y} x2={other.x} y2={other.y} />
            <text className={styles.weight} x={(one.x + other.x) / 2} y={(one.y + other.y) / 2 + 4} textAnchor="middle">
              {pair.correlation?.toFixed(4)}
            </text>
          </g>
        );
      })}
      {slices.map((slice, at) => <CornerMark key={slice} slice={slice} corner={corners[at] ?? corners[0]} isTop={at === 0} />)}
    </svg>
  );
}

function CornerMark({ slice, corner, isTop }: { slice: string; corner: Corner; isTop: boolean }) {
  return (
    <g>
      <circle className={styles.corner} cx={corner.x} cy={corner.y} r={6} />
      <text className={styles.slice} x={corner.x} y={corner.y + (isTop ? LABEL_LIFT.top : LABEL_LIFT.bottom)} textAnchor="middle">{slice}</text>
    </g>
  );
}
