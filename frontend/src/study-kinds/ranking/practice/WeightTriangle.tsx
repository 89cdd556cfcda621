import { useQuery } from "@tanstack/react-query";
import { formatPercent } from "@/lib/format";
import { practiceQuery } from "./practiceQuery";
import { weightCells, weightShares, type WeightCell } from "./weightings";
import styles from "./WeightTriangle.module.css";

const STEPS = 16;
const HEIGHT = Math.sqrt(3) / 2;

/** Which answer RNS puts first, at every weight of relevance, novelty and surprise. */
export function WeightTriangle() {
  const { data } = useQuery(practiceQuery);
  const candidates = data?.[0]?.item.candidates;
  if (!candidates) return <div className={styles.figure} />;
  const order = candidates.map(({ id }) => id);
  const shares = weightShares(candidates);
  const shown = candidates.filter(({ id }) => shares.get(id));
  return (
    <div className={styles.figure}>
      <svg viewBox={`-2 -3 ${STEPS + 4} ${STEPS * HEIGHT + 6}`} className={styles.triangle} aria-hidden>
        {weightCells(candidates, STEPS).map((cell) => (
          <path key={`${cell.row} ${cell.column} ${cell.isDown}`} d={cellPath(cell)} data-place={order.indexOf(cell.winner)} />
        ))}
        <text x={STEPS / 2} y={-0.8} textAnchor="middle">new</text>
        <text x={-2} y={STEPS * HEIGHT + 2.2}>relevant</text>
        <text x={STEPS + 2} y={STEPS * HEIGHT + 2.2} textAnchor="end">surprising</text>
      </svg>
      <div className={styles.key}>
        <p>Each colour is an answer, where RNS (relevance, novelty, surprise) puts it first, and its share of all weights:</p>
        <ul className={styles.legend} aria-label="Share of the weights at which RNS puts an answer first">
          {shown.map(({ id, name }) => (
            <li key={id} data-place={order.indexOf(id)}><span translate="no">{name}</span> {formatPercent(shares.get(id) ?? 0)}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function cellPath({ row, column, isDown }: WeightCell): string {
  const left = (STEPS - row) / 2 + column;
  const point = (x: number, y: number) => `${x.toFixed(2)} ${(y * HEIGHT).toFixed(2)}`;
  const corners = isDown
    ? [point(left, row), point(left + 1, row), point(left + 0.5, row + 1)]
    : [point(left, row), point(left - 0.5, row + 1), point(left + 0.5, row + 1)];
  return `M${corners.join("L")}Z`;
}
