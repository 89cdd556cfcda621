import { useState } from "react";
import { Problem } from "@/api/client";
import type { Id, InvitationRole, CreatedInvitation } from "@/api/contract";
import { Button } from "@/components/Button";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { InvitationLink } from "./InvitationLink";
import { useInvite, useResend, type NewInvitation } from "./invitations";
import styles from "./Invitations.module.css";

export interface RoleOption {
  value: InvitationRole;
  label: string;
  hint: string;
}

interface Props {
  path: string;
  roles: [RoleOption, ...RoleOption[]];
  isOpen: boolean;
  onClose: () => void;
}

/** Invites one person, then shows the link of the invitation once. */
export function InviteDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title="Invite" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <InviteForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

function InviteForm({ path, roles, onClose }: Omit<Props, "isOpen">) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<InvitationRole>(roles[0].value);
  const invite = useInvite(path);
  const resend = useResend(path);
  /** The error of one address is not shown for the next. */
  const resendExisting = <Value,>(set: (value: Value) => void) => (value: Value) => {
    set(value);
    invite.reset();
    resend.reset();
  };
  const reset = () => resendExisting(setEmail)("");
  const sent = resend.data ?? invite.data;
  if (sent) return <InvitationSent invitation={sent} onAnother={reset} onClose={onClose} />;
  const existing = existingInvitation(invite.error);
  const invitation: NewInvitation = { email: email.trim(), role };
  return (
    <DialogForm
      onSubmit={() => invite.mutate(invitation)}
      onCancel={onClose}
      submitLabel="Invite"
      busyLabel="Inviting"
      isReady={Boolean(invitation.email)}
      mutation={invite}
      toMessage={(error) => (existing ? null : inviteError(error))}
    >
      {resend.isError && <Notice tone="bad">{inviteError(resend.error)}</Notice>}
      {existing && <AlreadyInvited onResend={() => resend.mutate(existing)} busy={resend.isPending} />}
      <TextField label="E-mail" type="email" value={email} onChange={resendExisting(setEmail)} autoFocus isRequired />
      <RadioChoiceGroup label="As" options={roles} value={role} onChange={resendExisting(setRole)} />
    </DialogForm>
  );
}

/** The invitation of the same address and role that can still be accepted. */
function existingInvitation(error: unknown): Id | null {
  if (!(error instanceof Problem) || error.code !== "already_invited") return null;
  return error.body.invitation as Id;
}

function AlreadyInvited({ onResend, busy }: { onResend: () => void; busy: boolean }) {
  return (
    <Notice tone="warn">
      <p>This address already has an open invitation. Send it again with a new link; the old link then stops working.</p>
      <div><Button onPress={onResend} isDisabled={busy}>{busy ? "Sending" : "Send it again"}</Button></div>
    </Notice>
  );
}

/** The fault of a field is more precise than the sentence over all of them. */
function inviteError(error: unknown): string {
  return fieldErrors(error).map(({ message }) => message).join(" ") || errorMessage(error);
}

function InvitationSent({ invitation, onAnother, onClose }: { invitation: CreatedInvitation; onAnother: () => void; onClose: () => void }) {
  return (
    <div className={styles.link}>
      <InvitationLink invitation={invitation} />
      <DialogActions>
        <Button size="large" onPress={onAnother}>Invite another</Button>
        <Button variant="primary" size="large" onPress={onClose}>Done</Button>
      </DialogActions>
    </div>
  );
}
