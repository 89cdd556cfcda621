import { useState } from "react";
import type { Id } from "@/api/contract";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { TextField } from "@/components/TextField";
import { parseTags } from "@/lib/tags";
import { useSetTags } from "./participationQueries";

export interface Tagged {
  of: "experts" | "batches";
  id: Id;
  name: string;
  tags: string[];
}

const HINTS = {
  experts: "Separate several by commas.",
  batches: "In a pool, only experts with all of these get its questions. Separate several by commas.",
};

export function TagsDialog({ study, tagged: { of, id, name, tags }, onClose }: { study: Id; tagged: Tagged; onClose: () => void }) {
  const [text, setText] = useState(tags.join(", "));
  const change = useSetTags(study);
  const save = () => change.mutate({ of, id, tags: parseTags(text) }, { onSuccess: onClose });
  return (
    <Dialog title={of === "experts" ? `Expertise of ${name}` : `Expertise for ${name}`} isOpen onOpenChange={(open) => !open && onClose()} width={440}>
      <DialogForm onSubmit={save} onCancel={onClose} submitLabel="Save" busyLabel="Saving" mutation={change}>
        <TextField label="Fields of expertise" hint={HINTS[of]} value={text} onChange={setText} autoFocus />
      </DialogForm>
    </Dialog>
  );
}
