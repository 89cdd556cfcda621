import { MessageSquare, Tag as TagIcon } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import type { Reason } from "@/api/contract";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { type Answer } from "@/lib/offline";
import styles from "./Remarks.module.css";
import { Sureness } from "./Sureness";
import type { AnswerControl } from "./useAnswer";
import { REASON_WORDS, REASONS } from "./words";

interface Props {
  answer: Answer;
  letters: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
  onSet: AnswerControl["set"];
  onLeave: () => void;
}

/** How sure, why, and in her own words; the last two only where she wants them. */
export function Remarks({ answer, letters, open, onOpen, onSet, onLeave }: Props) {
  const { confidence, reasons, comment } = answer;
  return (
    <div className={styles.remarks}>
      <Sureness value={confidence} onChange={(value) => onSet("confidence", value)} />
      <div className={styles.buttons}>
        <Button look="quiet" onPress={() => onOpen(!open)} aria-expanded={open} aria-label="Comment and reasons">
          <MessageSquare size={16} aria-hidden />
          <span>{comment ? "Comment written" : "Comment"}</span>
          <TagIcon size={16} aria-hidden />
          <span>{reasons.length ? `Reasons (${reasons.length})` : "Reasons"}</span>
          {letters && <Kbd>C</Kbd>}
        </Button>
      </div>
      {open && (
        <div className={styles.more}>
          <Reasons value={reasons} onChange={(value) => onSet("reasons", value)} />
          <Comment value={comment} onChange={(value) => onSet("comment", value)} onLeave={onLeave} />
        </div>
      )}
    </div>
  );
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
  }, []);
  return (
    <label className={styles.comment}>
      <span>Comment</span>
      <textarea
        ref={field}
        rows={3}
        value={value}
        maxLength={10_000}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onLeave()}
      />
    </label>
  );
}
