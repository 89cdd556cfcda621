import { Tag } from "@/components/Tag";
import type { DecidingSentence, ShownHypothesis } from "./answer";
import styles from "./Pair.module.css";
import { Sentences, type SentenceMarking } from "./Sentences";

interface Props {
  shown: ShownHypothesis;
  /** 'Better', 'Much better', or empty. */
  mark: string;
  because: DecidingSentence | null;
  /** While the expert looks for the sentence that decided, each can be pressed. */
  marking?: SentenceMarking;
}

export function HypothesisCard({ shown, mark, because, marking }: Props) {
  const { id, hypothesis, sentences } = shown;
  return (
    <section className={styles.card} data-better={mark ? true : undefined} aria-label={`Hypothesis ${id.toUpperCase()}`}>
      <p className={styles.side}>
        <span className={styles.letter}>{id.toUpperCase()}</span>
        {mark && <Tag>{mark}</Tag>}
      </p>
      <h2 className={styles.hypothesis}>{hypothesis}</h2>
      {sentences.length === 0 && <p className={styles.none}>It has no rationale.</p>}
      <Sentences part={id} sentences={sentences} because={because} marking={marking} />
    </section>
  );
}
