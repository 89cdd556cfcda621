import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { components } from "@/api/generated/schema";
import type { ExpertBatch } from "@/api/contract";
import { Button } from "@/components/Button";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchName } from "@/domains/studies/batches";
import { formatCount, formatPlural } from "@/lib/format";
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
  const [isOpen, setOpen] = useState(false);
  if (compared.length === 0) return <p className={styles.quiet}>Too few others answered these questions to show a count.</p>;
  const shown = isOpen ? compared : compared.slice(0, FIRST);
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
      {compared.length > FIRST && (
        <div>
          <Button onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>{isOpen ? "Show fewer" : `Show all ${formatCount(compared.length)}`}</Button>
        </div>
      )}
      {compared.length < total && <p className={styles.quiet}>{formatPlural(total - compared.length, "question")} had too few answers, or are part of a hidden test.</p>}
    </>
  );
}
