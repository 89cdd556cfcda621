import { Check, Copy as CopyIcon } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "./Button";
import styles from "./Copy.module.css";

const ROWS_AT_MOST = 8;

/** A text to hand on, with a button that copies it; where that is refused, it is selected instead. */
export function Copy({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      field.current?.select();
      setSaid("Selected: copy it with your keyboard");
    }
  };
  return (
    <div className={styles.copy}>
      {/* A field of one line would hand on a text without its line breaks. */}
      <textarea
        ref={field}
        className={styles.text}
        rows={Math.min(text.split("\n").length, ROWS_AT_MOST)}
        data-one-line={text.includes("\n") ? undefined : true}
        aria-label={label}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button size="large" onPress={() => void copy()}>
        {said === "Copied" ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
        Copy
      </Button>
      <p className={styles.said} role="status">
        {said}
      </p>
    </div>
  );
}
