import { useState } from "react";
import type { Id, Reminder, SentReminders } from "@/api/contract";
import { Button } from "@/components/Button";
import { CheckboxChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatDateTime, formatList, formatPlural } from "@/lib/format";
import styles from "./Dashboard.module.css";
import { useReminders, useSendReminders } from "./queries";

/** Silent experts are selected; the text is what the first of the selected is sent. */
export function ReminderDialog({ study, onClose }: { study: Id; onClose: () => void }) {
  const reminders = useReminders(study);
  return (
    <Dialog title="Remind experts" isOpen onOpenChange={(open) => !open && onClose()}>
      <QueryBoundary query={reminders} skeleton={<SkeletonRows rows={4} />} empty={<NobodyLeft onClose={onClose} />}>
        {(rows) => <ReminderForm study={study} reminders={rows} onClose={onClose} />}
      </QueryBoundary>
    </Dialog>
  );
}

function NobodyLeft({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>No expert has questions left.</p>
      <DialogActions><Button size="large" onPress={onClose}>Close</Button></DialogActions>
    </>
  );
}

interface FormProps {
  study: Id;
  reminders: Reminder[];
  onClose: () => void;
}

function ReminderForm({ study, reminders, onClose }: FormProps) {
  const able = reminders.filter(({ hindrance }) => hindrance === "");
  const [chosen, setChosen] = useState(() => able.filter((one) => one.is_silent).map(({ expert }) => expert.id));
  const [isChecked, setChecked] = useState(false);
  const send = useSendReminders(study);
  if (send.data) return <RemindersSent result={send.data} onClose={onClose} />;
  const shown = reminders.find(({ expert }) => chosen.includes(expert.id)) ?? able[0];
  const submit = () => {
    setChecked(true);
    if (chosen.length > 0) send.mutate(chosen);
  };
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      submitLabel={chosen.length > 0 ? `Send ${formatPlural(chosen.length, "reminder")}` : "Send"}
      busyLabel="Sending"
      mutation={send}
    >
      <CheckboxChoiceGroup
        label="Experts with questions left"
        hint="Each expert gets at most one reminder a day."
        options={reminders.map((one) => ({ value: one.expert.id, label: one.expert.name, hint: reminderHint(one), isDisabled: one.hindrance !== "" }))}
        value={chosen}
        onChange={setChosen}
      />
      {isChecked && chosen.length === 0 && <Notice tone="bad">Choose at least one expert.</Notice>}
      {shown && (
        <figure className={styles.mail}>
          <figcaption className={styles.note}>The mail to {shown.expert.name}, “{shown.subject}”</figcaption>
          <p>{shown.text}</p>
        </figure>
      )}
    </DialogForm>
  );
}

function reminderHint({ left, is_silent: isSilent, hindrance, reminded_at: at }: Reminder): string {
  const hindered = {
    "": isSilent ? ", silent" : "",
    reminded: `, reminded ${at ? formatDateTime(at) : "today"}`,
    simulated: ", simulated, so no mail",
    inactive: ", account closed",
  }[hindrance];
  return `${formatPlural(left, "question")} left${hindered}.`;
}

function RemindersSent({ result: { sent, failed, left_out: leftOut }, onClose }: { result: SentReminders; onClose: () => void }) {
  return (
    <>
      {sent.length > 0 && <Notice tone="good">Reminder sent to {formatList(sent)}.</Notice>}
      {failed.length > 0 && <Notice tone="bad">No mail could be sent to {formatList(failed)}. Try again later.</Notice>}
      {leftOut.length > 0 && <Notice>Left out, because they were reminded already or cannot be: {formatList(leftOut)}.</Notice>}
      <DialogActions><Button variant="primary" size="large" onPress={onClose} autoFocus>Done</Button></DialogActions>
    </>
  );
}
