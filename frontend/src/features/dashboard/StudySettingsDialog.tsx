import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Id, Study, StudyStatus } from "@/api/contract";
import { Button } from "@/components/Button";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { readQuery } from "@/lib/readQuery";
import { useChangeStudy } from "./queries";

/** The state of the study, and what experts read on their home page. */
export function StudySettingsButton({ study }: { study: Id }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Settings</Button>
      <Dialog title="Settings of the study" isOpen={isOpen} onOpenChange={setOpen} width={480}>
        <StudySettings study={study} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function StudySettings({ study, onDone }: { study: Id; onDone: () => void }) {
  const query = useQuery(readQuery<Study>(["studies", study], `/api/v1/studies/${study}`));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={3} height={60} />}>
      {(settings) => <StudySettingsForm settings={settings} onDone={onDone} />}
    </QueryBoundary>
  );
}

const STATES: Record<StudyStatus, { label: string; hint: string }> = {
  draft: { label: "Draft", hint: "Experts can be invited and see nothing." },
  open: { label: "Open", hint: "Experts answer." },
  paused: { label: "Paused", hint: "Experts read. What they type stays on their device until the study is open." },
  closed: { label: "Closed", hint: "Experts read. Nobody answers." },
  frozen: { label: "Frozen", hint: "Nothing changes any more." },
};

/** A study is frozen elsewhere: that needs a name for its release. */
function stateOptions({ status, moves }: Study) {
  return [status, ...moves.filter((to) => to !== "frozen")].map((value) => ({ value, ...STATES[value] }));
}

function StudySettingsForm({ settings, onDone }: { settings: Study; onDone: () => void }) {
  const [status, setStatus] = useState(settings.status);
  const [description, setDescription] = useState(settings.description);
  const [contact, setContact] = useState(settings.contact);
  const [closesOn, setClosesOn] = useState(settings.closes_on ?? "");
  const change = useChangeStudy(settings.id);
  const moved = status === settings.status ? {} : { status };
  const save = () => change.mutate({ ...moved, description, contact, closes_on: closesOn || null }, { onSuccess: onDone });
  return (
    <DialogForm onSubmit={save} onCancel={onDone} submitLabel="Save" busyLabel="Saving" mutation={change}>
      <RadioChoiceGroup label="State" options={stateOptions(settings)} value={status} onChange={setStatus} />
      <TextField label="What the study is about" rows={3} maxLength={2000} value={description} onChange={setDescription} />
      <TextField label="E-mail address for questions" type="email" value={contact} onChange={setContact} />
      <TextField label="Open until" hint="Shown to the experts. It does not close the study." type="date" value={closesOn} onChange={setClosesOn} />
    </DialogForm>
  );
}
