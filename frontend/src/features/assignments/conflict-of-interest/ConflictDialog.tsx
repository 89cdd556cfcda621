import { useState } from "react";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { TextField } from "@/components/TextField";

const MAX_LENGTH = 1000;
const READY = { isPending: false, error: null };

interface Props {
  onDeclare: (reason: string) => void;
  onClose: () => void;
}

export default function ConflictDialog({ onDeclare, onClose }: Props) {
  const [reason, setReason] = useState("");
  const declare = () => {
    onClose();
    onDeclare(reason.trim());
  };
  return (
    <Dialog title="I cannot judge this: conflict of interest" isOpen onOpenChange={(open) => !open && onClose()} width={440}>
      <DialogForm onSubmit={declare} onCancel={onClose} submitLabel="Skip for good" busyLabel="Skipping" isReady={reason.trim() !== ""} mutation={READY}>
        <p>You never get this question again. The coordinators read the reason.</p>
        <TextField label="Reason" hint="For example: a paper of my own group." rows={3} maxLength={MAX_LENGTH} value={reason} onChange={setReason} autoFocus />
      </DialogForm>
    </Dialog>
  );
}
