import { useState } from "react";
import { Problem } from "@/api/client";
import type { CreatedInvitation, Id, InvitationRole } from "@/api/contract";
import { Button } from "@/components/Button";
import { CheckboxChoiceGroup, RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { parseTags } from "@/lib/tags";
import { parseAddresses } from "./addresses";
import { InvitationLink } from "./InvitationLink";
import styles from "./Invitations.module.css";
import type { RoleOption } from "./InviteDialog";
import { useInviteSeveral } from "./invitations";

interface BatchOption {
  id: Id;
  name: string;
  hint?: string;
}

interface Props {
  path: string;
  roles: [RoleOption, ...RoleOption[]];
  /** The batches that an expert may be given. */
  batches: BatchOption[];
  isOpen: boolean;
  onClose: () => void;
}

/** Invites any number of people to a study, then shows the link of each invitation once. */
export function InviteSeveralDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title="Invite" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <InviteForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

const MAX_MESSAGE = 2000;

function InviteForm({ path, roles, batches, onClose }: Omit<Props, "isOpen">) {
  const [text, setText] = useState("");
  const [role, setRole] = useState<InvitationRole>(roles[0].value);
  const [chosen, setChosen] = useState<Id[]>([]);
  const [message, setMessage] = useState("");
  const [expertise, setExpertise] = useState("");
  const [isChecked, setChecked] = useState(false);
  const invite = useInviteSeveral(path);
  const emails = parseAddresses(text);
  const needsBatches = role === "expert" && batches.length > 0;
  const lacks = { emails: emails.length === 0, batches: needsBatches && chosen.length === 0 };
  const send = (to: string[]) => invite.mutate({ emails: to, role, batches: needsBatches ? chosen : [], tags: role === "expert" ? parseTags(expertise) : [], message: message.trim() });
  const submit = () => {
    setChecked(true);
    if (!lacks.emails && !lacks.batches) send(emails);
  };
  const edit = (value: string) => {
    setText(value);
    invite.reset();
  };
  if (invite.data) return <InvitationsSent invitations={invite.data} onClose={onClose} />;
  const faults = addressFaults(invite.error);
  const others = emails.filter((_, at) => !faults.has(at));
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      submitLabel={emails.length > 1 ? `Invite ${formatPlural(emails.length, "person", "people")}` : "Invite"}
      busyLabel="Inviting"
      mutation={invite}
      toMessage={(error) => (faults.size ? null : inviteError(error))}
    >
      <TextField
        label="E-mail addresses"
        hint="Separate several by commas or lines."
        error={isChecked && lacks.emails ? "Enter at least one address." : undefined}
        rows={3}
        value={text}
        onChange={edit}
        autoFocus
      />
      {faults.size > 0 && (
        <AddressFaults
          faults={[...faults.values()]}
          others={others.length}
          onLeaveOut={() => {
            setText(others.join("\n"));
            send(others);
          }}
        />
      )}
      <RadioChoiceGroup label="As" options={roles} value={role} onChange={setRole} />
      {needsBatches && <BatchField batches={batches} chosen={chosen} isMissing={isChecked && lacks.batches} onChoose={setChosen} />}
      {role === "expert" && (
        <TextField label="Fields of expertise (optional)" hint="Of everyone invited here. Separate several by commas." value={expertise} onChange={setExpertise} />
      )}
      <TextField
        label="Your message (optional)"
        hint="It stands in the mail above the link. The mail names the questions and the time they take."
        rows={3}
        maxLength={MAX_MESSAGE}
        value={message}
        onChange={setMessage}
      />
    </DialogForm>
  );
}

interface BatchFieldProps {
  batches: BatchOption[];
  chosen: Id[];
  isMissing: boolean;
  onChoose: (chosen: Id[]) => void;
}

/** No batch is selected by default, so that assigning all of them is a choice. */
function BatchField({ batches, chosen, isMissing, onChoose }: BatchFieldProps) {
  const hasAll = chosen.length === batches.length;
  return (
    <div>
      <CheckboxChoiceGroup
        label="Batches"
        hint="Choose at least one. You can add more later."
        options={batches.map(({ id, name, hint }) => ({ value: id, label: name, ...(hint && { hint }) }))}
        value={chosen}
        onChange={onChoose}
      />
      <Button variant="quiet" onPress={() => onChoose(hasAll ? [] : batches.map(({ id }) => id))}>
        {hasAll ? "Choose none" : "Choose all"}
      </Button>
      {isMissing && <Notice tone="bad">Choose at least one batch, or choose all.</Notice>}
    </div>
  );
}

interface FaultsProps {
  faults: string[];
  /** How many addresses have no fault. */
  others: number;
  onLeaveOut: () => void;
}

function AddressFaults({ faults, others, onLeaveOut }: FaultsProps) {
  return (
    <Notice tone="bad">
      <p>Nobody was invited. Correct {faults.length === 1 ? "this address" : "these addresses"}:</p>
      <ul className={styles.faults}>{faults.map((fault) => <li key={fault}>{fault}</li>)}</ul>
      {others > 0 && <div><Button onPress={onLeaveOut}>Invite only the other {others === 1 ? "one" : formatPlural(others, "person", "people")}</Button></div>}
    </Notice>
  );
}

/** The sentence about each refused address, by its position. */
function addressFaults(error: unknown): Map<number, string> {
  if (!(error instanceof Problem) || error.code !== "addresses_invalid") return new Map();
  return new Map(fieldErrors(error).map(({ place, message }) => [Number(/\[(\d+)\]/.exec(place)?.[1] ?? -1), message]));
}

function inviteError(error: unknown): string {
  return fieldErrors(error).map(({ message }) => message).join(" ") || errorMessage(error);
}

/** Those whose mail did not go out come first: their links must be handed on. */
function InvitationsSent({ invitations, onClose }: { invitations: CreatedInvitation[]; onClose: () => void }) {
  const ordered = invitations.toSorted((one, other) => Number(one.mail_sent) - Number(other.mail_sent));
  const sent = invitations.filter((one) => one.mail_sent).length;
  return (
    <div className={styles.link}>
      {invitations.length > 1 && <p role="status">{formatPlural(invitations.length, "person", "people")} invited, {formatPlural(sent, "mail")} sent.</p>}
      <ul className={styles.links}>
        {ordered.map((invitation) => <li key={invitation.id} className={styles.link}><InvitationLink invitation={invitation} /></li>)}
      </ul>
      <DialogActions><Button variant="primary" size="large" onPress={onClose} autoFocus>Done</Button></DialogActions>
    </div>
  );
}
