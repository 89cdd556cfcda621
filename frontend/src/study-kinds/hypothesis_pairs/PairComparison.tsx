import type { ComparisonProps } from "@/domains/studies/studyKind";
import { formatPlural } from "@/lib/format";
import { sentenceText, type PairAnswer, type PairItem } from "./answer";
import styles from "./PairComparison.module.css";

type Props = ComparisonProps<PairItem, PairAnswer>;

const VERDICTS: Record<string, string> = {
  a_much: "the first is much better",
  a: "the first is better",
  tie: "a tie",
  b: "the second is better",
  b_much: "the second is much better",
  both_bad: "both bad",
  not_sure: "not sure",
};

const PARTS = { a: "first", b: "second", background: "background" };

/** The answers as if every expert had seen the pair as its file lists it. */
export function PairComparison({ item, answers }: Props) {
  const [first, second] = item.hypotheses;
  const chosen = answers.filter(({ payload }) => payload.choice !== null);
  return (
    <div className={styles.comparison}>
      <dl className={styles.hypotheses}>
        <div><dt>First</dt><dd>{first?.hypothesis}</dd></div>
        <div><dt>Second</dt><dd>{second?.hypothesis}</dd></div>
      </dl>
      <ul className={styles.counts} aria-label="Answers by verdict">
        {Object.entries(VERDICTS).map(([choice, label]) => {
          const count = chosen.filter(({ payload }) => payload.choice === choice).length;
          return count > 0 && <li key={choice}>{formatPlural(count, "expert")}: {label}</li>;
        })}
      </ul>
      <ul aria-label="Each expert’s choice">
        {chosen.map(({ number, name, payload }) => (
          <li key={number}>{name}: {choiceText(item, payload)}.</li>
        ))}
      </ul>
      <p className={styles.note}>In the list of answers, A is what the expert saw on the left, which differs between experts.</p>
    </div>
  );
}

function choiceText(item: PairItem, payload: PairAnswer): string {
  const verdict = VERDICTS[payload.choice ?? ""] ?? "";
  return payload.because ? `${verdict}, because of “${sentenceText(item, payload.because)}” (${PARTS[payload.because.id]})` : verdict;
}
