import { ArrowDown, ArrowUp } from "lucide-react";
import { ExternalLink } from "@/components/ExternalLink";
import { linkLabel } from "@/domains/studies/linkLabel";
import styles from "./CandidateName.module.css";
import type { PriorLabel } from "./labels";
import type { BoardCandidate } from "./types";

export function CandidateName({ candidate, onLinkOpened }: { candidate: BoardCandidate; onLinkOpened: () => void }) {
  return (
    <div className={styles.body}>
      <p className={styles.name} translate="no">{candidate.name}</p>
      {candidate.hint && <p className={styles.hint}>{candidate.hint}</p>}
      {candidate.link && (
        <p className={styles.link}>
          <ExternalLink href={candidate.link} onOpen={onLinkOpened}>{linkLabel(candidate.link)}</ExternalLink>
        </p>
      )}
    </div>
  );
}

/** The one quiet word about the place in the order; an arrow and words, never colour alone. */
export function PriorRankLabel({ words }: { words: PriorLabel | null }) {
  if (!words) return null;
  const Arrow = { up: ArrowUp, down: ArrowDown, same: null }[words.direction];
  return (
    <p className={styles.place} data-moved={Arrow ? true : undefined}>{Arrow && <Arrow size={14} aria-hidden />}{words.text}</p>
  );
}
