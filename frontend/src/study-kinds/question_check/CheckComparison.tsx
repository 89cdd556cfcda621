import { ScaleComparison } from "@/domains/studies/scales/ScaleComparison";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import type { QuestionCheckAnswer, QuestionCheckItem } from "./answer";
import styles from "./CheckComparison.module.css";

/** The levels, and each corrected wording with who wrote it, beside the original. */
export function CheckComparison(props: ComparisonProps<QuestionCheckItem, QuestionCheckAnswer>) {
  const corrected = props.answers.filter(({ payload }) => payload.correction);
  return (
    <div className={styles.comparison}>
      <ScaleComparison {...props} />
      {corrected.length > 0 && (
        <dl className={styles.wordings} aria-label="Corrected wordings">
          <div><dt>Original</dt><dd>{props.item.text}</dd></div>
          {corrected.map(({ number, name, payload }) => <div key={number}><dt>{name}</dt><dd>{payload.correction}</dd></div>)}
        </dl>
      )}
    </div>
  );
}
