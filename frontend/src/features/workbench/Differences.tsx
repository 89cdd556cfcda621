import type { Workbench } from "./api";
import styles from "./QuestionPage.module.css";
import { differenceText, differingPositions, overlapText, namedSplits, tauText } from "./splitComparison";

/** Where the methods disagree, in words; under a moving hand it follows. */
export function SplitDifferences({ bench, chosen, nameOf }: { bench: Workbench; chosen: ReadonlySet<number>; nameOf: (position: number) => string }) {
  const sides = namedSplits(bench, chosen);
  if (sides.length < 2) {
    return <p className={styles.quiet}>{sides.length === 1 ? "Only one method has a partition of this question yet." : "No method has a partition of this question yet."}</p>;
  }
  return (
    <div className={styles.differences}>
      <p><b>{differenceText(differingPositions(sides), nameOf)}</b></p>
      <ul className={styles.quiet}>
        {sides.flatMap((one, at) => sides.slice(at + 1).map((other) => (
          <li key={`${one.method} ${other.method}`}>{overlapText(one, other)}</li>
        )))}
        {bench.comparisons.map((one) => <li key={`${one.one}-${one.other}`}>{tauText(one)}</li>)}
      </ul>
    </div>
  );
}
