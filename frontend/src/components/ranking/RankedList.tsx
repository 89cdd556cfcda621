import { closestCenter, DndContext, PointerSensor, useSensor, useSensors, type DragEndEvent } from "@dnd-kit/core";
import { SortableContext, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useRef, useState } from "react";
import type { Id, Ranking } from "@/api/contract";
import styles from "./RankedList.module.css";
import { RankedCard } from "./RankedCard";
import type { BoardCandidate } from "./RankingBoard";
import type { BoardActions } from "./useBoardActions";
import { useFlip } from "./useFlip";
import type { PriorName } from "./words";

export interface CardsProps {
  candidates: BoardCandidate[];
  shown: Id[];
  prior: Ranking;
  priorName: PriorName;
  ranking: Ranking;
  /** False while the order is only what she was shown. */
  isHers: boolean;
  actions: BoardActions;
  onLinkOpened?: (candidate: BoardCandidate) => void;
}

/** The board speaks for itself, so the drag library's own words are left out. */
const SILENT = { onDragStart: silence, onDragOver: silence, onDragEnd: silence, onDragCancel: silence };
function silence(): undefined {
  return undefined;
}

export function RankedList(props: CardsProps) {
  const { candidates, shown, prior, priorName, ranking, actions, onLinkOpened } = props;
  const list = useRef<HTMLOListElement>(null);
  const [dropped, setDropped] = useState(false);
  useFlip(list, dropped);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (!over || over.id === active.id) return;
    setDropped(true);
    actions.drop(String(active.id), shown.indexOf(String(over.id)));
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={() => setDropped(true)}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: "" } }}
    >
      <SortableContext items={shown} strategy={verticalListSortingStrategy}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears its cards */}
        <ol ref={list} className={styles.list} onPointerDown={() => setDropped(false)} onKeyDown={() => setDropped(false)}>
          {shown.map((id, index) => {
            const candidate = byId.get(id);
            if (!candidate) return null;
            return (
              <RankedCard
                key={id}
                candidate={candidate}
                candidates={candidates}
                above={byId.get(shown[index - 1] ?? "")}
                prior={prior}
                priorName={priorName}
                ranking={ranking}
                actions={actions}
                onLinkOpened={() => onLinkOpened?.(candidate)}
              />
            );
          })}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
