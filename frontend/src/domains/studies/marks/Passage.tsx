import { Quote } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import styles from "./Marks.module.css";

interface Props {
  isMarked: boolean;
  /** Absent where nothing can be changed. */
  onToggle?: (() => void) | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  /** In place of what it shows, for screen readers. */
  label?: string;
  /** A press with the mouse leaves the focus where it is, so that the keys of the answer still act. */
  keepsFocus?: boolean;
  isSmall?: boolean;
  children?: ReactNode;
}

/** A sentence, an edge, a path or a paper that can be marked as what decided, or was. */
export function Passage({ isMarked, onToggle, onKeyDown, label, keepsFocus, isSmall, children }: Props) {
  const look = { className: styles.passage, "data-deciding": isMarked || undefined, "data-small": isSmall || undefined };
  if (!onToggle) {
    return (
      <span {...look}>
        {isMarked && <><Quote size={13} aria-hidden /><span className="visually-hidden">This decided: {label}</span></>}
        {children && <span>{children}</span>}
      </span>
    );
  }
  return (
    <button
      type="button"
      {...look}
      data-evidence
      aria-pressed={isMarked}
      aria-label={label}
      onClick={onToggle}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => keepsFocus && event.preventDefault()}
    >
      {(isMarked || isSmall) && <Quote size={13} aria-hidden />}
      {children && <span>{children}</span>}
    </button>
  );
}
