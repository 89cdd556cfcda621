import { useState } from "react";
import type { Board, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { AssignDialog } from "./AssignDialog";
import styles from "./Board.module.css";
import { ExpertTable } from "./ExpertTable";

export function ExpertSection({ board, onInvite }: { board: Board; onInvite: () => void }) {
  const [chosen, setChosen] = useState<Id | null>(null);
  // Looked up anew each time: she may answer while the dialog is open.
  const chosenExpert = board.experts.find((expert) => expert.id === chosen);
  const invite = (
    <Button look="primary" onPress={onInvite}>
      Invite an expert
    </Button>
  );
  return (
    <section className={styles.section} aria-labelledby="experts-heading">
      <h2 id="experts-heading">Experts</h2>
      {board.experts.length === 0 ? (
        <Empty action={invite}>
          How far each expert is will be here. Nobody takes part yet: invite the first one.
        </Empty>
      ) : (
        <ExpertTable experts={board.experts} onAssign={(expert) => setChosen(expert.id)} />
      )}
      {chosenExpert && <AssignDialog board={board} expert={chosenExpert} onClose={() => setChosen(null)} />}
    </section>
  );
}
