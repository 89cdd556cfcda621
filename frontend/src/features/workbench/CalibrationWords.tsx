import { percent } from "@/lib/format";
import type { Calibration } from "./api";
import styles from "./WeightPanel.module.css";
import { listWords } from "./words";

/** How far fitted weights can be trusted, in words. */
export function CalibrationWords({ calibration: { n, learned, parts, agreement, chance, equal } }: { calibration: Calibration }) {
  const { value, low, high } = agreement;
  const noise = parts.filter(({ told }) => !told).map(({ part }) => part);
  return (
    <div className={styles.quiet}>
      <p>
        {learned
          ? `Calibrated on what experts chose in ${n} questions.`
          : `Calibrating on ${n} questions found no weights that fit experts better than noise, so calibrated means equal.`}{" "}
        {value !== null && `In questions held out it finds ${percent(value)} of their serendipitous candidates`}
        {value !== null && low !== null && high !== null && ` (95% interval ${Math.round(100 * low)} to ${percent(high)})`}
        {value !== null && `; chance finds ${percent(chance)}, equal weights ${percent(equal)}.`}
      </p>
      {learned && noise.length > 0 && (
        <p>The weight of {listWords(noise)} cannot be told from noise, and is not used.</p>
      )}
    </div>
  );
}
