import { useQuery } from "@tanstack/react-query";
import { formatPercent } from "@/lib/format";
import { TRIANGLE_HEIGHT } from "@/lib/weights/simplex";
import { practiceQuery } from "./practiceQuery";
import { weightRegions } from "./weightings";
import styles from "./WeightTriangle.module.css";

const SIDE = 16;
const HEIGHT = SIDE * TRIANGLE_HEIGHT;

/** Which answer RNS puts first, at every weight of relevance, novelty and surprise. */
export function WeightTriangle() {
  const { data } = useQuery(practiceQuery);
  const candidates = data?.[0]?.item.candidates;
  if (!candidates) return <div className={styles.figure} />;
  const places = new Map(candidates.map(({ id }, place) => [id, place]));
  const regions = weightRegions(candidates);
  const others = candidates.filter(({ id }) => regions.every(({ candidate }) => candidate.id !== id));
  return (
    <div className={styles.figure}>
      <svg viewBox={`-2 -3 ${SIDE + 4} ${HEIGHT + 6}`} className={styles.triangle} aria-hidden>
        {regions.map(({ candidate, corners }) => (
          <polygon key={candidate.id} points={corners.map(({ x, y }) => `${(x * SIDE).toFixed(2)},${(y * SIDE).toFixed(2)}`).join(" ")} data-place={places.get(candidate.id)} />
        ))}
        <text x={SIDE / 2} y={-0.8} textAnchor="middle">surprising</text>
        <text x={-2} y={HEIGHT + 2.2}>relevant</text>
        <text x={SIDE + 2} y={HEIGHT + 2.2} textAnchor="end">new</text>
      </svg>
      <div className={styles.key}>
        <p>For the question above. A colour is the answer that the graph's score (RNS) puts first, with its share of all weights:</p>
        <ul className={styles.legend} aria-label="Share of the weights at which RNS puts an answer first">
          {regions.map(({ candidate: { id, name }, share }) => (
            <li key={id} data-place={places.get(id)}><span translate="no">{name}</span> {formatPercent(share)}</li>
          ))}
        </ul>
        {others.length > 0 && <p>Never first: <span translate="no">{others.map(({ name }) => name).join(", ")}</span>.</p>}
      </div>
    </div>
  );
}
