import { CircleCheck, CircleDashed, CircleHelp, CornerDownRight, PencilLine, Replace, TriangleAlert, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Assignment, Id, State } from "@/api/contract";
import { STATE_WORDS } from "@/lib/words";
import { byNumber } from "./progress";
import styles from "./QuestionList.module.css";

const ICONS: Record<State, LucideIcon> = {
  untouched: CircleDashed,
  draft: PencilLine,
  confirmed: CircleCheck,
  changed: Replace,
  not_sure: CircleHelp,
  skipped: CornerDownRight,
};

interface Props {
  assignments: Assignment[];
  current: Assignment | undefined;
  /** Those whose answer waits here for her decision. */
  held: ReadonlySet<Id>;
  onOpen: (assignment: Assignment) => void;
}

/** Every question with what became of it; each can be opened again. */
export function QuestionList({ assignments, current, held, onOpen }: Props) {
  const here = useRef<HTMLButtonElement>(null);
  const followed = useRef(false);
  const place = current?.id;
  useEffect(() => {
    // Opened at her question; as she goes on, it scrolls only where it must.
    const block = followed.current ? "nearest" : "center";
    // Newer browsers answer with a promise, which an effect must not return.
    if (place) here.current?.scrollIntoView?.({ block });
    followed.current = true;
  }, [place]);
  return (
    <ol className={styles.list}>
      {byNumber(assignments).map((assignment) => {
        const { id, question, response } = assignment;
        const isHeld = held.has(id);
        const Icon = isHeld ? TriangleAlert : ICONS[response.state];
        const isHere = id === current?.id;
        return (
          <li key={id}>
            <button
              ref={isHere ? here : null}
              type="button"
              className={styles.question}
              aria-current={isHere || undefined}
              onClick={() => onOpen(assignment)}
            >
              <span className={styles.number}>{question.number}</span>
              <span className={styles.text}>{question.text}</span>
              <span className={styles.state} data-state={isHeld ? "held" : response.state}>
                <Icon size={14} aria-hidden />
                {isHeld ? "not sent" : STATE_WORDS[response.state]}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
