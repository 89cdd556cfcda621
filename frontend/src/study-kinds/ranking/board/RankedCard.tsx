import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ChevronDown, ChevronUp, Equal, GripVertical } from "lucide-react";
import { CandidateName, PriorRankLabel } from "./CandidateName";
import { cardLabel, priorLabel, type PriorSource } from "./labels";
import styles from "./RankedList.module.css";
import { isTied, isTiedWithAbove, competitionRanks, type Ranking } from "./rankingModel";
import { RankMenu } from "./RankMenu";
import type { BoardCandidate } from "./types";
import type { BoardActions } from "./useBoardActions";

interface Props {
  candidate: BoardCandidate;
  candidates: BoardCandidate[];
  above: BoardCandidate | undefined;
  prior: Ranking | undefined;
  priorName: PriorSource;
  ranking: Ranking;
  actions: BoardActions;
  onLinkOpened: () => void;
}

export function RankedCard(props: Props) {
  const { candidate, candidates, above, prior, priorName, ranking, actions, onLinkOpened } = props;
  const { id, name } = candidate;
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({ id });
  const rank = competitionRanks(ranking).get(id) ?? 0;
  const tied = isTied(ranking, id);
  const words = priorLabel(ranking, prior, id, priorName);
  return (
    <li
      ref={setNodeRef}
      data-flip={id}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={styles.item}
    >
      {above && <TieButton candidate={candidate} above={above} ranking={ranking} actions={actions} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys act on the card that has focus */}
      <div className={styles.card} data-candidate={id} data-part="card" role="group" tabIndex={0} aria-label={cardLabel(ranking, candidates, id, words)}>
        <RankMenu name={name} rank={rank} isTied={tied} count={candidates.length} onRankSelect={(to) => actions.place(id, to, "menu")} />
        <CandidateName candidate={candidate} onLinkOpened={onLinkOpened} />
        <PriorRankLabel words={words} />
        <MoveButton name={name} step={-1} canMove={tied || ranking[0]?.[0] !== id} onMove={() => actions.move(id, -1, "button")} />
        <MoveButton name={name} step={1} canMove={tied || ranking.at(-1)?.at(-1) !== id} onMove={() => actions.move(id, 1, "button")} />
        <span ref={setActivatorNodeRef} {...listeners} className={styles.handle} data-handle aria-hidden>
          <GripVertical size={18} />
        </span>
      </div>
    </li>
  );
}

/** Stays focusable at the end of the list: a button that disappeared would lose the focus. */
function MoveButton({ name, step, canMove, onMove }: { name: string; step: 1 | -1; canMove: boolean; onMove: () => void }) {
  const Icon = step < 0 ? ChevronUp : ChevronDown;
  const where = step < 0 ? "up" : "down";
  return (
    <button
      type="button"
      className={styles.move}
      data-part={where}
      aria-label={`Move ${name} ${where}`}
      aria-disabled={!canMove}
      onClick={canMove ? onMove : undefined}
    >
      <Icon size={18} aria-hidden />
    </button>
  );
}

function TieButton({ candidate, above, ranking, actions }: Pick<Props, "candidate" | "ranking" | "actions"> & { above: BoardCandidate }) {
  const tied = isTiedWithAbove(ranking, candidate.id);
  return (
    <div className={styles.border} data-tied={tied || undefined}>
      <button
        type="button"
        className={styles.tie}
        data-candidate={candidate.id}
        data-part="tie"
        aria-label={
          tied ? `${candidate.name} is tied with the one above, ${above.name}. Untie` : `Tie ${candidate.name} with ${above.name}`
        }
        onClick={() => actions.toggleTie(candidate.id, "button")}
      >
        <span className={styles.chip}><Equal size={14} aria-hidden /></span>
        {tied && <span className={styles.tieWords}>tied with the one above</span>}
      </button>
    </div>
  );
}
