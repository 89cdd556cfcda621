import type { RefObject } from "react";
import { MAX_COMMENT_LENGTH } from "../answerLines";
import { toStorableText } from "@/lib/offline/writeLimits";
import styles from "./CommentField.module.css";

interface Props {
  label?: string;
  rows?: number;
  value: string;
  onChange: (text: string) => void;
  /** Escape in the field. */
  onLeave?: () => void;
  ref?: RefObject<HTMLTextAreaElement | null>;
}

/** Free text about an answer. */
export function CommentField({ label = "Comment", rows = 3, value, onChange, onLeave, ref }: Props) {
  return (
    <label className={styles.comment}>
      <span>{label}</span>
      <textarea
        ref={ref}
        rows={rows}
        value={value}
        maxLength={MAX_COMMENT_LENGTH}
        onChange={(event) => onChange(toStorableText(event.target.value))}
        onKeyDown={(event) => event.key === "Escape" && onLeave?.()}
      />
    </label>
  );
}
