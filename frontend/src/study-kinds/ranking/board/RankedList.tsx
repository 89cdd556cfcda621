import { closestCenter, DndContext, PointerSensor, useSensor, useSensors, type DragEndEvent } from "@dnd-kit/core";
import { SortableContext, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useRef, useState } from "react";
import { RankedCard } from "./RankedCard";
import styles from "./RankedList.module.css";
import type { CardsProps } from "./types";
import { useMoveAnimation } from "./useFlip";

/** The board announces changes itself, instead of the drag library. */
const NO_ANNOUNCEMENTS = { onDragStart: noAnnouncement, onDragOver: noAnnouncement, onDragEnd: noAnnouncement, onDragCancel: noAnnouncement };
function noAnnouncement(): undefined {
  return undefined;
}

export function RankedList(props: CardsProps) {
  const { candidates, displayOrder, prior, priorName, ranking, actions, onLinkOpened } = props;
  const list = useRef<HTMLOListElement>(null);
  const [dropped, setDropped] = useState(false);
  useMoveAnimation(list, dropped);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (!over || over.id === active.id) return;
    setDropped(true);
    actions.drop(String(active.id), displayOrder.indexOf(String(over.id)));
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={() => setDropped(true)}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: NO_ANNOUNCEMENTS, screenReaderInstructions: { draggable: "" } }}
    >
      <SortableContext items={displayOrder} strategy={verticalListSortingStrategy}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- events of its cards */}
        <ol ref={list} className={styles.list} onPointerDown={() => setDropped(false)} onKeyDown={() => setDropped(false)}>
          {displayOrder.map((id, index) => {
            const candidate = byId.get(id);
            if (!candidate) return null;
            return (
              <RankedCard
                key={id}
                candidate={candidate}
                candidates={candidates}
                above={byId.get(displayOrder[index - 1] ?? "")}
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
