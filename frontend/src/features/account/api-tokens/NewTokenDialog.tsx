import { useState } from "react";
import { Button } from "@/components/Button";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { CopyText } from "@/components/CopyText";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { useCreateToken, type TokenScope } from "./tokens";

const SCOPES: { value: TokenScope; label: string; hint: string }[] = [
  { value: "submit", label: "Read and submit", hint: "Submits and withdraws predictions, and reads your scores." },
  { value: "read", label: "Read only", hint: "Reads your submissions and their scores, and checks files." },
];

/** Days, as the field has them. */
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
];

interface Props {
  isOpen: boolean;
  onClose: () => void;
}

export function NewTokenDialog({ isOpen, onClose }: Props) {
  return (
    <Dialog title="Create a token" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <NewToken onClose={onClose} />
    </Dialog>
  );
}

/** First the form, then the token, which is shown this once. */
function NewToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<TokenScope>("submit");
  const [days, setDays] = useState("365");
  const create = useCreateToken();
  if (create.data) {
    return (
      <>
        <p>Copy the token now: it is not shown again.</p>
        <CopyText label="Token" text={create.data.token} />
        <DialogActions><Button size="large" onPress={onClose}>Done</Button></DialogActions>
      </>
    );
  }
  return (
    <DialogForm
      onSubmit={() => create.mutate({ name, scope, expires_in_days: Number(days) })}
      onCancel={onClose}
      submitLabel="Create the token"
      busyLabel="Creating"
      isReady={name.trim() !== ""}
      mutation={create}
    >
      <TextField label="Name" hint="Where you will use it, such as 'cluster'." value={name} onChange={setName} />
      <RadioChoiceGroup label="It may" options={SCOPES} value={scope} onChange={setScope} />
      <SelectField label="Expires after" options={LIFETIMES} value={days} onChange={setDays} />
    </DialogForm>
  );
}
