import { useState } from "react";
import type { Board, ExpertProgress } from "@/api/contract";
import { Button } from "@/components/Button";
import { ChooseSome } from "@/components/Choice";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Form } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { plural } from "@/lib/format";
import { sentenceOf } from "@/lib/problems";
import { useAssign } from "./queries";
import { batchHint, batchLabel } from "./words";

interface Props {
  board: Board;
  expert: ExpertProgress;
  onClose: () => void;
}

/** Which batches an expert ranks; one that she answered in stays with her. */
export function AssignDialog({ board, expert, onClose }: Props) {
  const [chosen, setChosen] = useState(() => expert.batches.map((batch) => batch.id));
  const assign = useAssign(board.study.id);
  const save = () => assign.mutate({ expert: expert.id, batches: chosen }, { onSuccess: onClose });
  return (
    <Dialog title={`Batches of ${expert.name || expert.email}`} isOpen onOpenChange={(open) => !open && onClose()}>
      <Form onSubmit={save}>
        {assign.isError && <Notice tone="bad">{sentenceOf(assign.error)}</Notice>}
        <ChooseSome label="Batches to rank" options={optionsFor(board, expert)} value={chosen} onChange={setChosen} />
        <DialogActions>
          <Button size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" size="large" isDisabled={assign.isPending}>
            {assign.isPending ? "Saving" : "Save the batches"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function optionsFor({ batches }: Board, expert: ExpertProgress) {
  const hers = new Map(expert.batches.map((batch) => [batch.id, batch]));
  return batches.map((batch) => {
    const begun = hers.get(batch.id)?.answered ?? 0;
    return {
      value: batch.id,
      label: batchLabel(batch),
      hint: `${batchHint(batch)}${begun > 0 ? ` ${plural(begun, "answer")} given, so it stays.` : ""}`,
      isDisabled: begun > 0,
    };
  });
}
