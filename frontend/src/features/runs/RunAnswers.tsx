import { useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatMoney } from "@/domains/endpoints/labels";
import { useCursorList } from "@/lib/cursor";
import { formatCount } from "@/lib/format";
import { answerText, outcomeLabel } from "./labels";
import { answersKey, answersPath, type Outcome, type Run, type RunAnswer } from "./queries";
import styles from "./Runs.module.css";

/** What the model was sent and what it answered, item by item. Texts are shown as they are. */
export function RunAnswers({ run }: { run: Run }) {
  const [outcome, setOutcome] = useState<Outcome | "">("");
  const answers = useCursorList<RunAnswer>(answersKey(run, outcome), answersPath(run, outcome));
  const outcomes = Object.entries(run.outcomes) as [Outcome, number][];
  return (
    <section className={styles.section} aria-label="Answers">
      <h2>Answers</h2>
      {outcomes.length > 1 && (
        <div className={styles.choice}>
          <SelectField
            label="Show"
            value={outcome}
            options={[{ value: "", label: "All outcomes" }, ...outcomes.map(([value, count]) => ({ value, label: `${outcomeLabel(value)} (${formatCount(count)})` }))]}
            onChange={setOutcome}
          />
        </div>
      )}
      <QueryBoundary query={answers} skeleton={<SkeletonRows rows={4} />}>
        {(results) => (
          <>
            {results.length === 0 && <EmptyState>There are no answers yet.</EmptyState>}
            <ul className={styles.answers}>{results.map((answer) => <Answer key={`${answer.split} ${answer.item_key}`} answer={answer} />)}</ul>
            <ShowMore list={answers} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

/** Predictions are written when the run ends; until then the answer stands for its own. */
function Prediction({ answer: { prediction, outcome, text, reason } }: { answer: RunAnswer }) {
  if (prediction !== null) return <span className={styles.prediction}>{prediction}</span>;
  if (outcome === "answered") return <span className={styles.prediction}>{answerText(text)}</span>;
  return <span className={styles.quiet}>No prediction{reason && `: ${reason}`}</span>;
}

function Answer({ answer }: { answer: RunAnswer }) {
  return (
    <li className={styles.answer}>
      <p>{answer.question}</p>
      <p className={styles.row}>
        <Prediction answer={answer} />
        <Tag>{outcomeLabel(answer.outcome)}</Tag>
        {answer.is_retried && <Tag>Second try</Tag>}
        {answer.is_cached && <Tag>From the cache</Tag>}
        <span className={styles.quiet}>{formatMoney(answer.cost)}</span>
      </p>
      <details className={styles.details}>
        <summary>Messages and answer</summary>
        {answer.messages.map(({ role, content }, at) => (
          <div key={at}>
            <h3>{role}</h3>
            <pre>{content}</pre>
          </div>
        ))}
        <div>
          <h3>Answer</h3>
          <pre>{answer.text || "Nothing"}</pre>
        </div>
      </details>
    </li>
  );
}
