import { Check, Copy as CopyIcon } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "./Button";
import styles from "./Copy.module.css";

/** A text to hand on, with a button that copies it; where that is refused, it is selected instead. */
export function Copy({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
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
      <input
        ref={field}
        className={styles.text}
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
