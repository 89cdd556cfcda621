import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { PracticeQuestion } from "@/api/contract";
import { Loadable } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { practiceQuery } from "@/lib/practice";
import styles from "./Front.module.css";

/** A look at what is asked here, without an account. */
export function PracticePreview() {
  const practice = useQuery(practiceQuery);
  return (
    <section className={styles.section} aria-labelledby="practice-heading">
      <h2 id="practice-heading">A question like those asked here</h2>
      <Loadable query={practice} skeleton={<SkeletonRows rows={5} height={28} />}>
        {(data) => <Preview practice={data} />}
      </Loadable>
    </section>
  );
}

function Preview({ practice: { question } }: { practice: PracticeQuestion }) {
  return (
    <div className={styles.preview}>
      <p className={styles.question}>{question.text}</p>
      <ol className={styles.candidates}>
        {question.candidates.map((candidate) => (
          <li key={candidate.id}>
            <span className={styles.name}>{candidate.name}</span>
            <span className={styles.hint}>{candidate.hint}</span>
          </li>
        ))}
      </ol>
      <p>
        Which of them would a physician be glad to have stumbled on?{" "}
        <Link to="/practice">Put them in your order</Link>; nothing is saved.
      </p>
    </div>
  );
}
