import { CircleCheck, CircleDashed, CircleHelp, CornerDownRight, PencilLine, Replace, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Assignment, State } from "@/api/contract";
import { byNumber } from "./progress";
import styles from "./QuestionList.module.css";
import { STATE_WORDS } from "./words";

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
  onOpen: (assignment: Assignment) => void;
}

/** Every question with what became of it; each can be opened again. */
export function QuestionList({ assignments, current, onOpen }: Props) {
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
        const Icon = ICONS[response.state];
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
              <span className={styles.state} data-state={response.state}>
                <Icon size={14} aria-hidden />
                {STATE_WORDS[response.state]}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
