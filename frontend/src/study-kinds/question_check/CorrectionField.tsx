import { PenLine } from "lucide-react";
import { useImperativeHandle, useState, type Ref } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import styles from "@/domains/studies/scales/Scales.module.css";

export interface CorrectionHandle {
  open: () => void;
}

interface Props {
  original: string;
  correction: string;
  shortcutsEnabled: boolean;
  onChange: (written: string) => void;
  onLeave: () => void;
  ref: Ref<CorrectionHandle>;
}

/** Starts from the original wording, which stays as it is. */
export function CorrectionField({ original, correction, shortcutsEnabled, onChange, onLeave, ref }: Props) {
  const { field, isOpen, open, toggle } = useOpenField(correction !== "");
  const [written, setWritten] = useState(correction || original);
  useImperativeHandle(ref, () => ({ open }));
  const write = (text: string) => {
    setWritten(text);
    onChange(text);
  };
  return (
    <div className={styles.remarks}>
      <Button variant="quiet" onPress={toggle} aria-expanded={isOpen}>
        <PenLine size={16} aria-hidden />
        {correction ? "Wording corrected" : "Correct the wording"}
        {shortcutsEnabled && <Kbd>W</Kbd>}
      </Button>
      {isOpen && (
        <>
          <CommentField ref={field} label="Your wording" value={written} onChange={write} onLeave={onLeave} />
          <p className={styles.note}>The question itself is not changed. Your wording is stored beside it.</p>
          {correction && <Button onPress={() => write(original)}>Back to the original wording</Button>}
        </>
      )}
    </div>
  );
}
