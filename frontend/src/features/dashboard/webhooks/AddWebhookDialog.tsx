import { useState } from "react";
import type { Id, WebhookEvent } from "@/api/contract";
import { Button } from "@/components/Button";
import { CheckboxChoiceGroup } from "@/components/ChoiceGroup";
import { CopyText } from "@/components/CopyText";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { EVENT_LABELS, useAddWebhook } from "./webhookQueries";

const EVENTS = Object.keys(EVENT_LABELS) as WebhookEvent[];
const OPTIONS = EVENTS.map((value) => ({ value, label: EVENT_LABELS[value], hint: value }));

interface Props {
  study: Id;
  hosts: string[];
  onClose: () => void;
}

export function AddWebhookDialog({ study, hosts, onClose }: Props) {
  const [address, setAddress] = useState("https://");
  const [events, setEvents] = useState<string[]>(["study.closed"]);
  const add = useAddWebhook(study);
  const submit = () => add.mutate({ address: address.trim(), events: EVENTS.filter((event) => events.includes(event)) });
  const isReady = address.length > "https://".length && events.length > 0;
  return (
    <Dialog title={add.data ? "Copy the secret" : "Add a webhook"} isOpen onOpenChange={(open) => !open && onClose()} width={520}>
      {add.data ? <Secret secret={add.data.secret} onClose={onClose} /> : (
        <DialogForm onSubmit={submit} onCancel={onClose} submitLabel="Add it" busyLabel="Adding" isReady={isReady} mutation={add}>
          {hosts.length === 0 && <Notice>No host is allowed yet. An administrator adds it on the page People.</Notice>}
          <TextField label="Address" hint={hosts.length > 0 ? `Allowed hosts: ${hosts.join(", ")}.` : "It begins with https://."} value={address} onChange={setAddress} maxLength={MAX_ADDRESS_LENGTH} />
          <CheckboxChoiceGroup label="Events" hint="Bodies have ids and counts alone, no answers or names." options={OPTIONS} value={events} onChange={setEvents} />
        </DialogForm>
      )}
    </Dialog>
  );
}

/** As the server has it. */
const MAX_ADDRESS_LENGTH = 500;

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <p>Your server verifies signatures with this secret. It is not shown again.</p>
      <CopyText label="Secret of the webhook" text={secret} />
      <DialogActions><Button variant="primary" size="large" onPress={onClose}>Done</Button></DialogActions>
    </>
  );
}
