import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { plural } from "@/lib/format";
import type { HeldAnswer } from "@/lib/held";
import styles from "./Batches.module.css";

/** What the server refused after she had gone on: nothing of it is lost, and each has a way to it. */
export function HeldAnswers({ held }: { held: HeldAnswer[] }) {
  const [first, ...rest] = held;
  if (!first) return null;
  return (
    <Notice tone="warn">
      <p>
        The server did not take {plural(held.length, "answer")} of yours. {held.length === 1 ? "It is" : "They are"}{" "}
        kept on this device until you decide what becomes of {held.length === 1 ? "it" : "them"}.
      </p>
      <div>
        <ButtonLink to={first.to}>Open {inSentence(first.name)}</ButtonLink>
      </div>
      {rest.length > 0 && (
        <ul className={styles.held}>
          {rest.map(({ assignment, name, to }) => (
            <li key={assignment}>
              <Link to={to}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

const inSentence = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
