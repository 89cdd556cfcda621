import { MessageSquare, MessageSquareText, Tag as TagIcon } from "lucide-react";
import { useId, type ReactNode, type RefObject } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { REASON_LABELS } from "./labels";
import styles from "./Remarks.module.css";

interface Props {
  text: string;
  tags: string[];
  shortcutsEnabled: boolean;
  isOpen: boolean;
  onToggle: () => void;
  field: RefObject<HTMLTextAreaElement | null>;
  onTextChange: (text: string) => void;
  onTagsChange: (tags: string[]) => void;
  onLeave: () => void;
  children?: ReactNode;
}

/** Free text and tags about the answer, hidden until the expert opens them. */
export function Remarks({ text, tags, shortcutsEnabled, isOpen, onToggle, field, onTextChange, onTagsChange, onLeave, children }: Props) {
  const textLabel = text ? "Commented" : "Comment";
  const tagsLabel = tags.length ? `Reasons (${tags.length})` : "Reasons";
  return (
    <>
      <div className={styles.buttons}>
        <Button variant="quiet" onPress={onToggle} aria-expanded={isOpen} aria-label={`${textLabel}, ${tagsLabel}`}>
          {text || tags.length ? <MessageSquareText size={16} aria-hidden /> : <MessageSquare size={16} aria-hidden />}
          <span>{textLabel}</span>
          <span className={styles.wide}><TagIcon size={16} aria-hidden />{tagsLabel}</span>
          {shortcutsEnabled && <Kbd>C</Kbd>}
        </Button>
      </div>
      {isOpen && (
        <div ref={scrollIntoView} className={styles.more}>
          <CommentField ref={field} value={text} onChange={onTextChange} onLeave={onLeave} />
          <ReasonField value={tags} onChange={onTagsChange} />
          {children}
        </div>
      )}
    </>
  );
}

function scrollIntoView(element: HTMLDivElement | null): void {
  // Newer browsers return a promise, which a ref must not.
  element?.scrollIntoView?.({ block: "nearest" });
}

function ReasonField({ value, onChange }: { value: string[]; onChange: (tags: string[]) => void }) {
  const id = useId();
  const toggle = (tag: string) => onChange(value.includes(tag) ? value.filter((other) => other !== tag) : [...value, tag]);
  return (
    <div role="group" aria-labelledby={id} className={styles.reasons}>
      <p id={id}>What about the first of your order?</p>
      <div className={styles.chips}>
        {Object.entries(REASON_LABELS).map(([tag, label]) => (
          <button key={tag} type="button" className={styles.chip} aria-pressed={value.includes(tag)} onClick={() => toggle(tag)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
