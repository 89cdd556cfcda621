import { MessageSquare, MessageSquareText, Tag as TagIcon } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import type { Reason } from "@/api/contract";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { REASON_WORDS } from "@/lib/answerWords";
import { type Answer } from "@/lib/offline";
import styles from "./Remarks.module.css";
import { Sureness } from "./Sureness";
import type { AnswerControl } from "./useAnswer";
import { REASONS } from "./words";

interface Props {
  answer: Answer;
  letters: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
  onSet: AnswerControl["set"];
  onLeave: () => void;
}

/** Its id, by which the key that opens it comes back to it. */
export const COMMENT = "comment";

/** How sure, why, and in her own words; the last two only where she wants them. */
export function Remarks({ answer, letters, open, onOpen, onSet, onLeave }: Props) {
  const { confidence, reasons, comment } = answer;
  return (
    <div className={styles.remarks}>
      <Sureness value={confidence} onChange={(value) => onSet("confidence", value)} />
      <div className={styles.buttons}>
        <Button look="quiet" onPress={() => onOpen(!open)} aria-expanded={open} aria-label={said(comment, reasons)}>
          {comment || reasons.length ? <MessageSquareText size={16} aria-hidden /> : <MessageSquare size={16} aria-hidden />}
          <span>{comment ? "Commented" : "Comment"}</span>
          <span className={styles.wide}>
            <TagIcon size={16} aria-hidden />
            {reasons.length ? `Reasons (${reasons.length})` : "Reasons"}
          </span>
          {letters && <Kbd>C</Kbd>}
        </Button>
      </div>
      {open && (
        <div ref={intoView} className={styles.more}>
          <Comment value={comment} onChange={(value) => onSet("comment", value)} onLeave={onLeave} />
          <Reasons value={reasons} onChange={(value) => onSet("reasons", value)} />
        </div>
      )}
    </div>
  );
}

function said(comment: string, reasons: Reason[]): string {
  const chosen = reasons.length ? `Reasons (${reasons.length})` : "Reasons";
  return `${comment ? "Commented" : "Comment"}, ${chosen}`;
}

/** All of what was opened, where there is room for it. */
function intoView(part: HTMLDivElement | null): void {
  // Newer browsers answer with a promise, which a ref must not return.
  part?.scrollIntoView?.({ block: "nearest" });
}

function Reasons({ value, onChange }: { value: Reason[]; onChange: (reasons: Reason[]) => void }) {
  const id = useId();
  const toggle = (reason: Reason) =>
    onChange(value.includes(reason) ? value.filter((one) => one !== reason) : [...value, reason]);
  return (
    <div role="group" aria-labelledby={id} className={styles.reasons}>
      <p id={id}>What about the first of your order?</p>
      <div className={styles.chips}>
        {REASONS.map((reason) => (
          <button key={reason} type="button" className={styles.chip} aria-pressed={value.includes(reason)} onClick={() => toggle(reason)}>
            {REASON_WORDS[reason]}
          </button>
        ))}
      </div>
    </div>
  );
}

interface CommentProps {
  value: string;
  onChange: (comment: string) => void;
  onLeave: () => void;
}

function Comment({ value, onChange, onLeave }: CommentProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  return (
    <label className={styles.comment}>
      <span>Comment</span>
      <textarea
        ref={field}
        id={COMMENT}
        rows={3}
        value={value}
        maxLength={10_000}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onLeave()}
      />
    </label>
  );
}
