import { MarkCounts } from "@/domains/studies/marks/MarkCounts";
import { markKey } from "@/domains/studies/marks/marks";
import type { ComparisonProps } from "@/domains/studies/studyKind";
import { formatPlural } from "@/lib/format";
import { becauseText, markText, type ClaimAnswer, type ClaimItem } from "./answer";
import styles from "./Claim.module.css";
import { verdictLabel, VERDICTS } from "./verdicts";

/** Who chose which verdict, and how often each sentence and edge was marked. */
export function ClaimComparison({ item, answers }: ComparisonProps<ClaimItem, ClaimAnswer>) {
  const chosen = answers.filter(({ payload }) => payload.verdict !== null);
  const marks = chosen.flatMap(({ payload }) => payload.because).map((mark) => ({ key: markKey(mark), text: markText(item, mark) }));
  return (
    <div className={styles.comparison}>
      <ul aria-label="Answers by verdict">
        {VERDICTS.map(({ value: verdict, label }) => {
          const count = chosen.filter(({ payload }) => payload.verdict === verdict).length;
          return count > 0 && <li key={verdict}>{formatPlural(count, "expert")}: {label.toLowerCase()}</li>;
        })}
      </ul>
      <MarkCounts marks={marks} />
      <ul aria-label="Each expert’s verdict">
        {chosen.map(({ number, name, payload }) => (
          <li key={number}>{name}: {verdictText(item, payload)}.</li>
        ))}
      </ul>
    </div>
  );
}

function verdictText(item: ClaimItem, payload: ClaimAnswer): string {
  const verdict = verdictLabel(payload.verdict ?? "").toLowerCase();
  return payload.because.length ? `${verdict}, because of ${becauseText(item, payload)}` : verdict;
}
