import { ArrowDown, ArrowUp } from "lucide-react";
import { ExternalLink } from "../ExternalLink";
import styles from "./CandidateName.module.css";
import { linkLabel } from "./links";
import type { BoardCandidate } from "./RankingBoard";
import type { PriorWords } from "./words";

interface Props {
  candidate: BoardCandidate;
  onLinkOpened: () => void;
}

export function CandidateName({ candidate, onLinkOpened }: Props) {
  return (
    <div className={styles.body}>
      <p className={styles.name} translate="no">
        {candidate.name}
      </p>
      {candidate.hint && <p className={styles.hint}>{candidate.hint}</p>}
      {candidate.link && (
        <p className={styles.link}>
          <ExternalLink href={candidate.link} onOpen={onLinkOpened}>
            {linkLabel(candidate.link)}
          </ExternalLink>
        </p>
      )}
    </div>
  );
}

/** The one quiet word about the model's order; an arrow and words, never colour alone. */
export function PriorWord({ words }: { words: PriorWords }) {
  const Arrow = { up: ArrowUp, down: ArrowDown, same: null }[words.direction];
  return (
    <p className={styles.prior} data-moved={Arrow ? true : undefined}>
      {Arrow && <Arrow size={14} aria-hidden />}
      {words.text}
    </p>
  );
}
