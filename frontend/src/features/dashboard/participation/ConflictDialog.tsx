import { useState } from "react";
import type { Id, Participation } from "@/api/contract";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { useDeclareConflict } from "./participationQueries";

interface Props extends Pick<Participation, "experts" | "batches"> {
  study: Id;
  onClose: () => void;
}

/** The expert never gets the question; an answer to it no longer counts. */
export function ConflictDialog({ study, experts, batches, onClose }: Props) {
  const [expert, setExpert] = useState(experts[0]?.id ?? "");
  const [batch, setBatch] = useState(String(batches[0]?.number ?? ""));
  const [question, setQuestion] = useState("");
  const [reason, setReason] = useState("");
  const declare = useDeclareConflict(study);
  const isReady = /^\d+$/.test(question) && reason.trim() !== "";
  const submit = () =>
    declare.mutate({ expert_id: expert, batch: Number(batch), question: Number(question), reason: reason.trim() }, { onSuccess: onClose });
  return (
    <Dialog title="Declare a conflict of interest" isOpen onOpenChange={(open) => !open && onClose()} width={440}>
      <DialogForm onSubmit={submit} onCancel={onClose} submitLabel="Declare it" busyLabel="Declaring" isReady={isReady} mutation={declare}>
        <p>The expert never gets the question again. An answer that they gave is left out.</p>
        <SelectField label="Expert" value={expert} onChange={setExpert} options={experts.map(({ id, name, email }) => ({ value: id, label: name || email }))} />
        <SelectField label="Batch" value={batch} onChange={setBatch} options={batches.map(({ number, name }) => ({ value: String(number), label: name || `Batch ${number}` }))} />
        <TextField label="Number of the question" inputMode="numeric" value={question} onChange={setQuestion} />
        <TextField label="Reason" rows={3} maxLength={1000} value={reason} onChange={setReason} />
      </DialogForm>
    </Dialog>
  );
}
