import { useState } from "react";
import type { Id } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Dialog, DialogActions } from "@/components/Dialog";
import { useCreatePartitions, type PartitionedStudy } from "./partitionQueries";
import { partitionSummary } from "./partitionSummary";

/** What its experts answered, as partitions that the workbench shows. */
export function PartitionButton({ study, isOpen }: { study: Id; isOpen: boolean }) {
  const [isConfirming, setConfirming] = useState(false);
  const [usesAdjudicated, setUsesAdjudicated] = useState(false);
  const make = useCreatePartitions(study);
  const close = () => {
    setConfirming(false);
    make.reset();
  };
  return (
    <>
      <Button variant={isOpen ? "plain" : "primary"} onPress={() => setConfirming(true)}>Create partitions</Button>
      <ConfirmDialog
        title="Create partitions from the experts’ order?"
        isOpen={isConfirming && !make.data}
        onClose={close}
        confirmLabel="Create them"
        busyLabel="Creating them"
        onConfirm={() => make.mutate(usesAdjudicated)}
        mutation={make}
      >
        <p>For each question ranked by at least two experts, the top 20% of the consensus order (at least one) become serendipitous. Questions that are not sure or skipped are left out.</p>
        <LabelledCheckbox isSelected={usesAdjudicated} onChange={setUsesAdjudicated}>Where a question is adjudicated, use that order instead</LabelledCheckbox>
        {isOpen && <p>While the study is open, only its coordinators see them. Create them again for later answers.</p>}
        <p>The order shown first becomes the language models’ partition where no file has one.</p>
      </ConfirmDialog>
      {make.data && <PartitionResult result={make.data} onClose={close} />}
    </>
  );
}

function PartitionResult({ result, onClose }: { result: PartitionedStudy; onClose: () => void }) {
  return (
    <Dialog title="Partitions created" isOpen onOpenChange={(open) => !open && onClose()}>
      {partitionSummary(result).map((sentence) => <p key={sentence}>{sentence}</p>)}
      <DialogActions>
        <Button size="large" onPress={onClose}>Close</Button>
        <ButtonLink to={`/workbench?set=${result.question_set}`} variant="primary" size="large">To the workbench</ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
