import { useState } from "react";
import type { Dashboard, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { hasEnded } from "@/domains/studies/batches";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { errorMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { AssignDialog } from "./AssignDialog";
import styles from "./Dashboard.module.css";
import { ExpertTable } from "./ExpertTable";
import { useWaiveQualification } from "./queries";
import { ReminderDialog } from "./ReminderDialog";

export function ExpertSection({ info, board, onInvite }: { info: StudyKindInfo; board: Dashboard; onInvite: () => void }) {
  const [selectedId, setSelectedId] = useState<Id | null>(null);
  // Found again on each update: the expert may answer while the dialog is open.
  const selected = board.experts.find((expert) => expert.id === selectedId);
  const [isReminding, setReminding] = useState(false);
  const waiving = useWaiveQualification(board.study.id);
  const silent = board.experts.filter(({ flags }) => flags.some(({ name }) => name === "silent")).length;
  const canRemind = board.study.status === "open" && board.experts.some(({ answered, total }) => answered < total);
  const invite = hasEnded(board.study.status) ? undefined : <Button variant="primary" onPress={onInvite}>Invite an expert</Button>;
  return (
    <section className={styles.section} aria-labelledby="experts-heading">
      <div className={styles.sectionHead}>
        <h2 id="experts-heading">Experts</h2>
        {canRemind && <Button onPress={() => setReminding(true)}>{remindLabel(silent)}</Button>}
      </div>
      {board.experts.length === 0 ? (
        <EmptyState action={invite}>{invite ? "No experts yet. Invite the first one; their progress appears here." : "No expert took part in this study."}</EmptyState>
      ) : <ExpertTable info={info} experts={board.experts} onAssign={(expert) => setSelectedId(expert.id)} onWaive={({ id }) => waiving.mutate(id)} />}
      {waiving.isError && <Notice tone="bad"><p>{errorMessage(waiving.error)}</p></Notice>}
      {isReminding && <ReminderDialog study={board.study.id} onClose={() => setReminding(false)} />}
      {selected && <AssignDialog board={board} expert={selected} onClose={() => setSelectedId(null)} />}
    </section>
  );
}

const remindLabel = (silent: number) => (silent > 0 ? `Remind ${formatPlural(silent, "silent expert")}` : "Remind experts");
