import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Assignment, Id } from "@/api/contract";
import { questionState, type QuestionState } from "@/domains/studies/questionState";
import type { StudyKind } from "@/domains/studies/studyKind";
import { sortByNumber } from "./progress";
import styles from "./QuestionList.module.css";

interface Props {
  kind: StudyKind;
  assignments: Assignment[];
  current: Assignment | undefined;
  /** Those whose answer waits here for a decision. */
  blocked: ReadonlySet<Id>;
  onOpen: (assignment: Assignment) => void;
}

export function QuestionList({ kind, assignments, current, blocked, onOpen }: Props) {
  const currentButton = useRef<HTMLButtonElement>(null);
  const hasScrolled = useRef(false);
  const currentId = current?.id;
  useEffect(() => {
    // Centred when the list opens; afterwards it scrolls only where it must.
    const block = hasScrolled.current ? "nearest" : "center";
    // Newer browsers return a promise, which an effect must not.
    if (currentId) currentButton.current?.scrollIntoView?.({ block });
    hasScrolled.current = true;
  }, [currentId]);
  return (
    <ol className={styles.list}>
      {sortByNumber(assignments).map((assignment) => {
        const { id, item, response } = assignment;
        const { Icon, tone, label } = blocked.has(id) ? BLOCKED : questionState(kind, response.status, response.outcome);
        const isCurrent = id === currentId;
        return (
          <li key={id}>
            <button
              ref={isCurrent ? currentButton : null}
              type="button"
              className={styles.question}
              aria-current={isCurrent || undefined}
              onClick={() => onOpen(assignment)}
            >
              <span className={styles.number}>{item.number}</span>
              <span className={styles.text}>{item.text}</span>
              <span className={styles.state} data-tone={tone}><Icon size={14} aria-hidden />{label}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const BLOCKED: QuestionState = { Icon: TriangleAlert, tone: "bad", label: "not sent" };
