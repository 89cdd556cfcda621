import { Quote } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Passage } from "@/domains/studies/marks/Passage";
import type { DecidingSentence } from "./answer";
import styles from "./Pair.module.css";

export interface SentenceMarking {
  onMark: (because: DecidingSentence) => void;
  onLeave: () => void;
}

interface Props {
  part: DecidingSentence["id"];
  sentences: string[];
  because: DecidingSentence | null;
  /** While the expert looks for the sentence that decided, each can be pressed. */
  marking?: SentenceMarking | undefined;
}

export function Sentences({ part, sentences, because, marking }: Props) {
  const deciding = because?.id === part ? because.sentence : null;
  if (!marking) return <p className={styles.rationale}>{sentences.map((text, at) => <Sentence key={at} text={text} isDeciding={at === deciding} />)}</p>;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => event.key === "Escape" && marking.onLeave();
  return (
    <ul className={styles.sentences}>
      {sentences.map((text, at) => (
        <li key={at}>
          <Passage isMarked={at === deciding} onToggle={() => marking.onMark({ id: part, sentence: at })} onKeyDown={onKeyDown}>{text.trim()}</Passage>
        </li>
      ))}
    </ul>
  );
}

function Sentence({ text, isDeciding }: { text: string; isDeciding: boolean }) {
  if (!isDeciding) return <span>{text}</span>;
  return (
    <mark className={styles.deciding}>
      <Quote size={13} aria-hidden />
      <span className="visually-hidden">This sentence decided: </span>
      {text}
    </mark>
  );
}
