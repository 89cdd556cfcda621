import { useId } from "react";
import { count, plural } from "@/lib/format";
import type { Bench } from "./api";
import { CalibrationWords } from "./CalibrationWords";
import { Swatch } from "./Fill";
import type { Weights } from "./simplex";
import { Ternary } from "./Ternary";
import styles from "./WeightPanel.module.css";
import { Presets, WeightFields } from "./WeightFields";
import { tiedAt, type Region } from "./winners";
import { listWords, shareWords } from "./words";

interface Props {
  bench: Bench;
  weights: Weights;
  onChange: (weights: Weights) => void;
  regions: Region[];
  split: number;
  namesOf: (split: number) => string[];
}

/** What counts: the weights, and the map of what each choice of them chooses. */
export function WeightPanel({ bench, weights, onChange, regions, split, namesOf }: Props) {
  const { splits, presets, calibration } = bench;
  const tied = splits ? tiedAt(splits, weights) : 0;
  return (
    <section className={styles.panel} aria-labelledby="what-counts">
      <div className={styles.head}>
        <h2 id="what-counts">What counts</h2>
        <Presets presets={presets} weights={weights} onChange={onChange} />
      </div>
      <Ternary weights={weights} onChange={onChange} regions={regions} />
      <WeightFields weights={weights} onChange={onChange} />
      {splits && (
        <>
          <p role="status" className={styles.chosen}>
            Chosen here: <b>{listWords(namesOf(split))}</b>
            {tied > 1 && <span className={styles.quiet}>, the first by identifier of {count(tied)} that score the same</span>}
          </p>
          <MapWords regions={regions} split={split} namesOf={namesOf} isExact={splits.exact} size={bench.size ?? 1} />
        </>
      )}
      {calibration && <CalibrationWords calibration={calibration} />}
    </section>
  );
}

const LISTED = 6;

interface MapProps {
  regions: Region[];
  split: number;
  namesOf: (split: number) => string[];
  isExact: boolean;
  size: number;
}

/** The map in words: who is chosen on which share of the triangle. */
function MapWords({ regions, split, namesOf, isExact, size }: MapProps) {
  const id = useId().replaceAll(/\W/g, "");
  const rest = regions.slice(LISTED);
  const what = size === 1 ? "candidate" : "set";
  return (
    <div className={styles.map}>
      <p className={styles.quiet}>
        Drag the point, or use the arrow keys on it. Each region is the {what} that is chosen there, with its share of the
        triangle{isExact ? "" : ", approximate"}.
      </p>
      <ol className={styles.legend}>
        {regions.slice(0, LISTED).map((region, rank) => (
          <li key={region.split} data-here={region.split === split}>
            <Swatch id={`${id}s${rank}`} rank={rank} />
            <span className={styles.rank}>{rank + 1}</span>
            <span className={styles.names}>{listWords(namesOf(region.split))}</span>
            <span className="number">{shareWords(region.share)}</span>
          </li>
        ))}
      </ol>
      {rest.length > 0 && (
        <p className={styles.quiet}>
          {plural(rest.length, `other ${what}`)}, {shareWords(rest.reduce((sum, { share }) => sum + share, 0))} in all.
        </p>
      )}
    </div>
  );
}
