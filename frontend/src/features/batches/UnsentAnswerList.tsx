import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { UnsentAnswer } from "@/domains/studies/unsentAnswers";
import { formatPlural } from "@/lib/format";
import styles from "./Batches.module.css";

/** The answers that the server rejected, each with a link to its question. */
export function UnsentAnswerList({ answers }: { answers: UnsentAnswer[] }) {
  const [first, ...rest] = answers;
  if (!first) return null;
  return (
    <Notice tone="warn">
      <p>
        The server rejected {formatPlural(answers.length, "answer")} of yours. {answers.length === 1 ? "It is" : "They are"}{" "}
        stored on this device until you decide.
      </p>
      <div><ButtonLink to={first.path}>Open {lowercaseFirst(first.name)}</ButtonLink></div>
      {rest.length > 0 && (
        <ul className={styles.held}>
          {rest.map(({ assignment, name, path }) => <li key={assignment}><Link to={path}>{name}</Link></li>)}
        </ul>
      )}
    </Notice>
  );
}

const lowercaseFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
