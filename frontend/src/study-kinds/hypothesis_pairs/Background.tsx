import { useId, useState } from "react";
import { Button } from "@/components/Button";
import type { PairItem, PairAnswer } from "./answer";
import styles from "./Pair.module.css";
import { Sentences, type SentenceMarking } from "./Sentences";

/** About two lines of a phone. */
const FOLDED_LENGTH = 90;

interface Props {
  item: PairItem;
  because: PairAnswer["because"];
  marking?: SentenceMarking | undefined;
  onOpen?: () => void;
}

/** On a phone it is folded after two lines, but not where a sentence of it is marked. */
export function Background({ item: { background: text, background_sentences: sentences }, because, marking, onOpen }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (!text.trim()) return null;
  if (sentences?.length && (marking || because?.id === "background")) {
    return (
      <section className={styles.background} aria-label="Background">
        <p><b>Background.</b></p>
        <Sentences part="background" sentences={sentences} because={because} marking={marking} />
      </section>
    );
  }
  const toggle = () => {
    if (!isOpen) onOpen?.();
    setOpen(!isOpen);
  };
  return (
    <section className={styles.background} aria-label="Background">
      <p id={id} className={styles.backgroundText} data-folded={!isOpen || undefined}>
        <b>Background.</b> {text.trim()}
      </p>
      {text.length > FOLDED_LENGTH && (
        <div className={styles.fold}>
          <Button variant="quiet" onPress={toggle} aria-expanded={isOpen} aria-controls={id}>
            {isOpen ? "Fold the background" : "Read all of the background"}
          </Button>
        </div>
      )}
    </section>
  );
}
