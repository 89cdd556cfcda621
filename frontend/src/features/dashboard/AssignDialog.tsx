import { useState } from "react";
import type { Dashboard, ExpertProgress } from "@/api/contract";
import { CheckboxChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { formatPlural } from "@/lib/format";
import { batchHint, batchLabel } from "./labels";
import { useAssign } from "./queries";

/** Assigns batches to an expert; a batch with answers stays assigned. */
export function AssignDialog({ board, expert, onClose }: { board: Dashboard; expert: ExpertProgress; onClose: () => void }) {
  const [chosen, setChosen] = useState(() => expert.batches.map((batch) => batch.id));
  const assign = useAssign(board.study.id);
  const save = () => assign.mutate({ expert: expert.id, batches: chosen }, { onSuccess: onClose });
  return (
    <Dialog title={`Batches of ${expert.name || expert.email}`} isOpen onOpenChange={(open) => !open && onClose()}>
      <DialogForm onSubmit={save} onCancel={onClose} submitLabel="Save the batches" busyLabel="Saving" mutation={assign}>
        <CheckboxChoiceGroup label="Batches to answer" options={batchOptions(board, expert)} value={chosen} onChange={setChosen} />
      </DialogForm>
    </Dialog>
  );
}

function batchOptions({ batches }: Dashboard, expert: ExpertProgress) {
  const assigned = new Map(expert.batches.map((batch) => [batch.id, batch]));
  return batches.map((batch) => {
    const started = assigned.get(batch.id)?.answered ?? 0;
    return {
      value: batch.id,
      label: batchLabel(batch),
      hint: `${batchHint(batch)}${started > 0 ? ` ${formatPlural(started, "answer")} given, so it stays.` : ""}`,
      isDisabled: started > 0,
    };
  });
}
