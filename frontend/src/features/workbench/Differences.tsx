import type { Bench } from "./api";
import { differenceWords, differing, sharedWords, sidesOf, tauWords } from "./comparing";
import styles from "./QuestionPage.module.css";

/** Where the methods disagree, in words; under a moving hand it follows. */
export function Differences({ bench, chosen, nameOf }: { bench: Bench; chosen: ReadonlySet<number>; nameOf: (position: number) => string }) {
  const sides = sidesOf(bench, chosen);
  if (sides.length < 2) {
    return <p className={styles.quiet}>{sides.length === 1 ? "Only one method has a partition of this question yet." : "No method has a partition of this question yet."}</p>;
  }
  return (
    <div className={styles.differences}>
      <p><b>{differenceWords(differing(sides), nameOf)}</b></p>
      <ul className={styles.quiet}>
        {sides.flatMap((one, at) => sides.slice(at + 1).map((other) => (
          <li key={`${one.method} ${other.method}`}>{sharedWords(one, other)}</li>
        )))}
        {bench.comparisons.map((one) => <li key={`${one.one}-${one.other}`}>{tauWords(one)}</li>)}
      </ul>
    </div>
  );
}
