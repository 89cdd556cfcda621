import { useId } from "react";
import { formatCount, formatList, formatPlural, formatPercent } from "@/lib/format";
import type { Workbench, Calibration } from "./api";
import { shareLabel } from "./labels";
import { Swatch } from "./RegionPattern";
import type { Weights } from "@/lib/weights/simplex";
import { WeightTriangle } from "./Ternary";
import { Presets, WeightFields } from "./WeightFields";
import styles from "./WeightPanel.module.css";
import { countTied, type Region } from "@/lib/weights/winningSplits";

interface Props {
  bench: Workbench;
  weights: Weights;
  onChange: (weights: Weights) => void;
  regions: Region[];
  split: number;
  namesOf: (split: number) => string[];
}

/** Weights: the weights, and the map of what each choice of them chooses. */
export function WeightPanel({ bench, weights, onChange, regions, split, namesOf }: Props) {
  const { splits, presets, calibration } = bench;
  const tied = splits ? countTied(splits, weights) : 0;
  return (
    <section className={styles.panel} aria-labelledby="what-counts">
      <div className={styles.head}>
        <h2 id="what-counts">Weights</h2>
        <Presets presets={presets} weights={weights} onChange={onChange} />
        <p className={styles.quiet}>{presetSentence(presets)}</p>
      </div>
      <div className={styles.dock}>
        <WeightTriangle weights={weights} onChange={onChange} regions={regions} />
        <WeightFields weights={weights} onChange={onChange} />
        {splits && (
          <p role="status" className={styles.chosen}>
            Chosen here: <b>{formatList(namesOf(split))}</b>
            {tied > 1 && <span className={styles.quiet}>, the first by identifier of {formatCount(tied)} that score the same</span>}
          </p>
        )}
      </div>
      <div className={styles.rest}>
        {splits && <RegionTable regions={regions} split={split} namesOf={namesOf} isExact={splits.exact} size={bench.size ?? 1} />}
        {calibration && <CalibrationSummary calibration={calibration} />}
      </div>
    </section>
  );
}

function presetSentence(presets: Workbench["presets"]): string {
  const isCalibrated = presets.some(({ name }) => name === "calibrated");
  return `The paper prints no weights. ${isCalibrated ? "Calibrated ones are fitted to what experts chose." : "Calibrated ones need a study whose experts have ranked these questions."}`;
}

const MAX_LISTED_NAMES = 6;

interface MapProps {
  regions: Region[];
  split: number;
  namesOf: (split: number) => string[];
  isExact: boolean;
  size: number;
}

/** The map in words: who is chosen on which share of the triangle. */
function RegionTable({ regions, split, namesOf, isExact, size }: MapProps) {
  const id = useId().replaceAll(/\W/g, "");
  const rest = regions.slice(MAX_LISTED_NAMES);
  const what = size === 1 ? "candidate" : "set";
  return (
    <div className={styles.map}>
      <p className={styles.quiet}>
        Drag the point, or move it with the arrow keys. Each region is the {what} that is chosen there, with its share of the
        triangle{isExact ? "" : ", approximate"}.
      </p>
      <ol className={styles.legend}>
        {regions.slice(0, MAX_LISTED_NAMES).map((region, rank) => (
          <li key={region.split} data-here={region.split === split}>
            <Swatch id={`${id}s${rank}`} rank={rank} />
            <span className={styles.rank}>{rank + 1}</span>
            <span className={styles.names}>{formatList(namesOf(region.split))}</span>
            <span className="number">{shareLabel(region.share)}</span>
          </li>
        ))}
      </ol>
      {rest.length > 0 && (
        <p className={styles.quiet}>
          {formatPlural(rest.length, `other ${what}`)}, {shareLabel(rest.reduce((sum, { share }) => sum + share, 0))} in all.
        </p>
      )}
    </div>
  );
}

/** How far fitted weights can be trusted, in words. */
function CalibrationSummary({ calibration: { n, learned, parts, agreement, chance, equal } }: { calibration: Calibration }) {
  const { value, low, high } = agreement;
  const noise = parts.filter(({ is_significant: isSignificant }) => !isSignificant).map(({ part }) => part);
  return (
    <div className={styles.quiet}>
      <p>
        {learned
          ? `Calibrated on experts' choices in ${n} questions.`
          : `Calibration on ${n} questions found no weights better than noise, so the calibrated weights are equal.`}{" "}
        {value !== null && `On held-out questions they find ${formatPercent(value)} of the serendipitous candidates`}
        {value !== null && low !== null && high !== null && ` (95% interval ${Math.round(100 * low)} to ${formatPercent(high)})`}
        {value !== null && `; by chance ${formatPercent(chance)}, with equal weights ${formatPercent(equal)}.`}
      </p>
      {learned && noise.length > 0 && <p>The weight of {formatList(noise)} does not differ from noise and is not used.</p>}
    </div>
  );
}
