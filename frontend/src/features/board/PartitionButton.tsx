import { useState } from "react";
import type { Id, PartitionedStudy } from "@/api/contract";
import { Button, ButtonLink } from "@/components/Button";
import { Confirm } from "@/components/Confirm";
import { Dialog, DialogActions } from "@/components/Dialog";
import { partitionWords } from "./partitionWords";
import { useMakePartitions } from "./queries";

/** For a closed study: what its experts answered, as partitions that the workbench shows. */
export function PartitionButton({ study }: { study: Id }) {
  const [asking, setAsking] = useState(false);
  const make = useMakePartitions(study);
  const close = () => {
    setAsking(false);
    make.reset();
  };
  return (
    <>
      <Button onPress={() => setAsking(true)}>Make partitions of the experts’ order</Button>
      <Confirm
        title="Make partitions of the experts’ order?"
        isOpen={asking && !make.data}
        onClose={close}
        action="Make them"
        doing="Making them"
        onConfirm={() => make.mutate()}
        busy={make.isPending}
        error={make.error}
      >
        <p>Of each question that two or more experts put in order, the best fifth of the candidates in their common order, at least one, become the serendipitous ones. What is not sure or skipped is left out.</p>
        <p>The order shown first is kept as the language models’ partition where no file has one.</p>
      </Confirm>
      {make.data && <Made made={make.data} onClose={close} />}
    </>
  );
}

function Made({ made, onClose }: { made: PartitionedStudy; onClose: () => void }) {
  return (
    <Dialog title="Partitions made" isOpen onOpenChange={(open) => !open && onClose()}>
      {partitionWords(made).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <DialogActions>
        <Button size="large" onPress={onClose}>
          Close
        </Button>
        <ButtonLink to={`/workbench?set=${made.question_set}`} look="primary" size="large">
          To the workbench
        </ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
