import { formatPlural } from "@/lib/format";
import type { QuestionCheckItem } from "./answer";
import styles from "./QuestionSource.module.css";

/** More are folded. */
const MAX_SHOWN = 12;

/** What the question was written from: its graph pattern, and what answers it. */
export function QuestionSource({ item: { pattern, answers } }: { item: QuestionCheckItem }) {
  const rest = answers.slice(MAX_SHOWN);
  return (
    <dl className={styles.source}>
      <div>
        <dt>Pattern</dt>
        <dd>{pattern.trim() ? <pre className={styles.pattern} translate="no">{pattern.trim()}</pre> : "No pattern is shown."}</dd>
      </div>
      <div>
        <dt>{answers.length ? formatPlural(answers.length, "answer") : "Answers"}</dt>
        <dd>
          {answers.length ? <span translate="no">{answers.slice(0, MAX_SHOWN).join(", ")}</span> : "No answers are shown."}
          {rest.length > 0 && <details><summary>and {rest.length} more</summary><span translate="no">{rest.join(", ")}</span></details>}
        </dd>
      </div>
    </dl>
  );
}
