import { judgeKey, judgeSentence, type BoardGroundedness } from "@/domains/evaluation/groundedness";
import { GroundednessBins } from "@/domains/evaluation/GroundednessBins";
import { GroundednessTrust } from "@/domains/evaluation/GroundednessTrust";
import styles from "./Evaluated.module.css";

/** Who judged the rationales, and how accurate hypotheses are by how much of them is supported. */
export function GroundednessSection({ groundedness: { judges } }: { groundedness: BoardGroundedness }) {
  if (judges.length === 0) return null;
  return (
    <section className={styles.release} aria-label="Accuracy by groundedness">
      <h3>Accuracy by groundedness</h3>
      {judges.map(({ judge, agreements, bins }) => (
        <div key={judgeKey(judge)} className={styles.release}>
          <p className={styles.quiet}>{judgeSentence(judge)}</p>
          <GroundednessTrust agreements={agreements} />
          {bins
            ? <GroundednessBins bins={bins} />
            : <p className={styles.quiet}>Shown once the answers are retired: groups of test items would give them away.</p>}
        </div>
      ))}
    </section>
  );
}
