import { useId, type RefObject } from "react";
import { Kbd } from "@/components/Kbd";
import { toStorableText } from "@/lib/offline/writeLimits";
import { MAX_QUERY_LENGTH } from "./answer";
import styles from "./Query.module.css";

interface Props {
  ref: RefObject<HTMLTextAreaElement | null>;
  query: string;
  /** What the answer is called, as far as the query contains it. */
  leaks: string[];
  shortcutsEnabled: boolean;
  onChange: (query: string) => void;
  onLeave: () => void;
}

/** The query, and which of the answer's names must leave it. */
export function QueryField({ ref, query, leaks, shortcutsEnabled, onChange, onLeave }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Your query {shortcutsEnabled && <Kbd>W</Kbd>}</label>
      <textarea
        id={id}
        ref={ref}
        rows={3}
        value={query}
        maxLength={MAX_QUERY_LENGTH}
        aria-invalid={leaks.length > 0 || undefined}
        aria-describedby={`${id}-leaks`}
        onChange={(event) => onChange(toStorableText(event.target.value))}
        onKeyDown={(event) => event.key === "Escape" && onLeave()}
      />
      <p id={`${id}-leaks`} className={styles.leaks} role="status">
        {leaks.length > 0 && `The query contains ${leaks.map((name) => `“${name}”`).join(", ")}. Describe the answer without its names.`}
      </p>
    </div>
  );
}
