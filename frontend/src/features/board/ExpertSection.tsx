import { useState } from "react";
import type { Board, ExpertProgress } from "@/api/contract";
import { Button } from "@/components/Button";
import { Empty } from "@/components/Empty";
import { AssignDialog } from "./AssignDialog";
import styles from "./Board.module.css";
import { ExpertTable } from "./ExpertTable";

export function ExpertSection({ board, onInvite }: { board: Board; onInvite: () => void }) {
  const [chosen, setChosen] = useState<ExpertProgress | null>(null);
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
        <ExpertTable experts={board.experts} onAssign={setChosen} />
      )}
      {chosen && <AssignDialog board={board} expert={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
}
