import { Check, Copy as CopyIcon } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "./Button";
import styles from "./CopyText.module.css";

const MAX_ROWS = 10;

interface Props {
  label: string;
  text: string;
  /** Long lines are not wrapped but scrolled: each is a record of its own. */
  keepsLines?: boolean;
}

/** A text to hand on, with a button that copies it; where that is refused, it is selected instead. */
export function CopyText({ label, text, keepsLines = false }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [status, setStatus] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus("Copied");
    } catch {
      field.current?.select();
      setStatus("Selected: copy it with your keyboard");
    }
  };
  return (
    <div className={styles.copy}>
      {/* A field of one line would hand on a text without its line breaks. */}
      <textarea
        ref={field}
        className={styles.text}
        rows={Math.min(text.split("\n").length, MAX_ROWS)}
        data-one-line={text.includes("\n") ? undefined : true}
        aria-label={label}
        wrap={keepsLines ? "off" : undefined}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button size="large" onPress={() => void copy()}>
        {status === "Copied" ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
        Copy
      </Button>
      <p className={styles.status} role="status">{status}</p>
    </div>
  );
}
