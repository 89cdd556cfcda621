import { useState } from "react";
import type { Id, Participation } from "@/api/contract";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { useRemoveExpert } from "./participationQueries";

const CHOICES = [
  { value: "keep", label: "Keep the answers", hint: "What the expert submitted still counts." },
  { value: "leave_out", label: "Leave the answers out", hint: "Out of counts, agreement, results and exports. They stay stored." },
] as const;

interface Props {
  study: Id;
  expert: Participation["experts"][number];
  onClose: () => void;
  onRemoved: () => void;
}

export function RemoveDialog({ study, expert, onClose, onRemoved }: Props) {
  const [choice, setChoice] = useState<(typeof CHOICES)[number]["value"] | null>(null);
  const remove = useRemoveExpert(study, onRemoved);
  const submit = () => remove.mutate({ expert: expert.id, withAnswers: choice === "leave_out" });
  return (
    <Dialog title={`Remove ${expert.name || expert.email}?`} isOpen onOpenChange={(open) => !open && onClose()} width={440}>
      <DialogForm onSubmit={submit} onCancel={onClose} submitLabel="Remove the expert" busyLabel="Removing" isReady={choice !== null} mutation={remove}>
        <p>The study leaves the expert’s page. In a pool, open questions return to it. A new invitation brings the expert back.</p>
        <RadioChoiceGroup label="Submitted answers" options={[...CHOICES]} value={choice} onChange={setChoice} />
      </DialogForm>
    </Dialog>
  );
}
