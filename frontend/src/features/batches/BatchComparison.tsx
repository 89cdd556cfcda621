import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { components } from "@/api/generated/schema";
import type { ExpertBatch } from "@/api/contract";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchName } from "@/domains/studies/batches";
import { formatPlural } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import styles from "./BatchComparison.module.css";

type AnswerComparison = components["schemas"]["AnswerComparison"];

const FIRST = 3;

/** What became of the answers: how the others answered, which the server shows once the study is closed. */
export function BatchComparison({ batch }: { batch: ExpertBatch }) {
  const query = useQuery(readQuery<AnswerComparison>(["comparison", batch.id], `/api/v1/batches/${batch.id}/comparison`));
  return (
    <section className={styles.comparison} aria-label={`How the others answered ${batchName(batch)}`}>
      <h4>How the others answered</h4>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={2} height={44} />}>
        {(comparison) => <ComparedQuestions batch={batch} comparison={comparison} />}
      </QueryBoundary>
    </section>
  );
}

function ComparedQuestions({ batch, comparison: { compared, total } }: { batch: ExpertBatch; comparison: AnswerComparison }) {
  const { shown, more } = useFirstRows(compared, FIRST);
  if (compared.length === 0) return <p className={styles.quiet}>Too few others answered these questions to show a count.</p>;
  return (
    <>
      <ol className={styles.list}>
        {shown.map(({ number, text, sentence }) => (
          <li key={number}>
            <p>{sentence}</p>
            <p className={styles.quiet}><Link to={`/rank/${batch.id}?q=${number}`}>Question {number}</Link> <span>{text}</span></p>
          </li>
        ))}
      </ol>
      <AllRowsButton more={more} />
      {compared.length < total && <p className={styles.quiet}>{formatPlural(total - compared.length, "question")} had too few answers, or are part of a hidden test.</p>}
    </>
  );
}
