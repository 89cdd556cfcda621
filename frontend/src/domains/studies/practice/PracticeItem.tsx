import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { Button } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { useAnnouncer } from "@/components/useAnnouncer";
import type { EditorHandle } from "../studyKind";
import styles from "./PracticeItem.module.css";

interface Props {
  text: string;
  /** Whether the answer could be submitted. */
  isComplete: boolean;
  /** On the button that shows the explanation. */
  revealLabel: string;
  /** The visitor's own answer in words. */
  result: string;
  explanation: string;
  sources: { claim: string; url: string }[];
  renderBoard: (ref: RefObject<EditorHandle | null>, announce: (message: string) => void) => ReactNode;
}

/** A question to try, and what is known about it once it is answered. Nothing of it is saved or sent. */
export function PracticeItem({ text, isComplete, revealLabel, result, explanation, sources, renderBoard }: Props) {
  const [isRevealed, setRevealed] = useState(false);
  const handle = useRef<EditorHandle>(null);
  const { announce, region } = useAnnouncer();
  useEffect(() => handle.current?.focusFirst(), []);
  return (
    <div className={styles.item}>
      <h3 className={styles.text}>{text}</h3>
      {renderBoard(handle, announce)}
      {region}
      {isComplete && !isRevealed && <div><Button onPress={() => setRevealed(true)}>{revealLabel}</Button></div>}
      {isComplete && isRevealed && (
        <div className={styles.explanation} role="status">
          <p>{result} {explanation}</p>
          <ul>
            {sources.map(({ claim, url }) => <li key={url}><ExternalLink href={url}>{claim}</ExternalLink></li>)}
          </ul>
        </div>
      )}
    </div>
  );
}
