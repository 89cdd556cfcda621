import { useState } from "react";
import type { Id, InvitationRole, MadeInvitation } from "@/api/contract";
import { Button } from "@/components/Button";
import { ChooseOne, ChooseSome } from "@/components/Choice";
import { Copy } from "@/components/Copy";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Form } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { longDay } from "@/lib/format";
import { Problem } from "@/api/client";
import { sentenceOf } from "@/lib/problems";
import { useInvite, useResend, type NewInvitation } from "./invitations";
import styles from "./Invitations.module.css";

export interface RoleOption {
  value: InvitationRole;
  label: string;
  hint: string;
}

interface BatchOption {
  id: Id;
  name: string;
  hint?: string;
}

interface Props {
  path: string;
  roles: [RoleOption, ...RoleOption[]];
  /** The batches that an expert may be given. */
  batches?: BatchOption[];
  isOpen: boolean;
  onClose: () => void;
}

/** Invites one person; then shows her link, this once. */
export function InviteDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title="Invite" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Invite {...rest} onClose={onClose} />
    </Dialog>
  );
}

function Invite({ path, roles, batches = [], onClose }: Omit<Props, "isOpen">) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<InvitationRole>(roles[0].value);
  const [chosen, setChosen] = useState<Id[]>([]);
  const invite = useInvite(path);
  const resend = useResend(path);
  /** What was said of one address is not said of the next. */
  const anew = <Value,>(set: (value: Value) => void) => (value: Value) => {
    set(value);
    invite.reset();
    resend.reset();
  };
  const another = () => anew(setEmail)("");
  const sent = resend.data ?? invite.data;
  if (sent) return <Sent invitation={sent} onAnother={another} onClose={onClose} />;
  const open = openInvitation(invite.error);
  const takesBatches = role === "expert" && batches.length > 0;
  const invitation: NewInvitation = { email: email.trim(), role, ...(takesBatches && { batches: chosen }) };
  const ready = Boolean(invitation.email) && (!takesBatches || chosen.length > 0);
  return (
    <Form onSubmit={() => ready && invite.mutate(invitation)}>
      {resend.isError && <Notice tone="bad">{refusal(resend.error)}</Notice>}
      {open && <StillOpen onResend={() => resend.mutate(open)} busy={resend.isPending} />}
      {invite.isError && !open && <Notice tone="bad">{refusal(invite.error)}</Notice>}
      <TextField label="E-mail" type="email" value={email} onChange={anew(setEmail)} autoFocus isRequired />
      <ChooseOne label="As" options={roles} value={role} onChange={anew(setRole)} />
      {takesBatches && <Batches batches={batches} chosen={chosen} onChoose={setChosen} />}
      <DialogActions>
        <Button size="large" onPress={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" size="large" isDisabled={!ready || invite.isPending}>
          {invite.isPending ? "Inviting" : "Invite"}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface BatchesProps {
  batches: BatchOption[];
  chosen: Id[];
  onChoose: (chosen: Id[]) => void;
}

/** None is chosen for her: who is given all of them is given them on purpose. */
function Batches({ batches, chosen, onChoose }: BatchesProps) {
  const hasAll = chosen.length === batches.length;
  return (
    <div>
      <ChooseSome
        label="Batches"
        hint="At least one; more can be given later."
        options={batches.map(({ id, name, hint }) => ({ value: id, label: name, ...(hint && { hint }) }))}
        value={chosen}
        onChange={onChoose}
      />
      <Button look="quiet" onPress={() => onChoose(hasAll ? [] : batches.map(({ id }) => id))}>
        {hasAll ? "Choose none" : "Choose all"}
      </Button>
    </div>
  );
}

/** The invitation of the same address and role that can still be accepted. */
function openInvitation(error: unknown): Id | null {
  if (!(error instanceof Problem) || error.code !== "already_invited") return null;
  return error.body.invitation as Id;
}

function StillOpen({ onResend, busy }: { onResend: () => void; busy: boolean }) {
  return (
    <Notice tone="warn">
      <p>
        An invitation to this address is still open, so no second one was made. It can be sent again as it was, with a
        new link; the link before it then stops working.
      </p>
      <div>
        <Button onPress={onResend} isDisabled={busy}>
          {busy ? "Sending" : "Send it again"}
        </Button>
      </div>
    </Notice>
  );
}

/** The fault of a field says more than the sentence over all of them. */
function refusal(error: unknown): string {
  if (!(error instanceof Problem) || error.body.errors.length === 0) return sentenceOf(error);
  return error.body.errors.map((fault) => fault.message).join(" ");
}

interface SentProps {
  invitation: MadeInvitation;
  onAnother: () => void;
  onClose: () => void;
}

function Sent({ invitation, onAnother, onClose }: SentProps) {
  const until = longDay(invitation.expires_at);
  return (
    <div className={styles.link}>
      {invitation.mail_sent ? (
        <p>
          A message with a link is on its way to {invitation.email}. The link below is for handing on
          yourself, and is shown here only now. The invitation works once, until {until}.
        </p>
      ) : (
        <Notice tone="warn">
          <p>
            The message to {invitation.email} could not be sent. Hand on this link yourself: it works once,
            until {until}, and is shown here only now.
          </p>
        </Notice>
      )}
      <Copy label={`Invitation link for ${invitation.email}`} text={invitation.link} />
      <DialogActions>
        <Button size="large" onPress={onAnother}>
          Invite another
        </Button>
        <Button look="primary" size="large" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
