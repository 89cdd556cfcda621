import { useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { Dialog, DialogActions } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { EmptyState } from "@/components/EmptyState";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { INVITATION_STATE_LABELS, ROLE_LABELS } from "@/lib/labels";
import { InvitationLink } from "./InvitationLink";
import { useInvitations, useResend, useRevoke, type ListedInvitation } from "./invitations";
import styles from "./Invitations.module.css";
import { batchesLabel, invitationDateLabel } from "./labels";

interface Props {
  path: string;
  /** How an empty list is filled. */
  emptyText: string;
}

export function InvitationTable({ path, emptyText }: Props) {
  const invitations = useInvitations(path);
  const [revoking, setRevoking] = useState<ListedInvitation | null>(null);
  const [resending, setResending] = useState<ListedInvitation | null>(null);
  return (
    <>
      <QueryBoundary query={invitations} skeleton={<SkeletonRows rows={3} />} empty={<EmptyState>{emptyText}</EmptyState>}>
        {(rows) => (
          <DataTable label="Who was invited" minWidth={760} folds columns={["E-mail", "Role", "State", "Invited by", ACTIONS_COLUMN]}>
            {rows.map((row) => <Row key={row.id} row={row} onRevoke={() => setRevoking(row)} onResend={() => setResending(row)} />)}
          </DataTable>
        )}
      </QueryBoundary>
      <ShowMore list={invitations} />
      {resending && <ResendDialog path={path} row={resending} onClose={() => setResending(null)} />}
      <RevokeDialog key={revoking?.id} path={path} row={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function Row({ row, onRevoke, onResend }: { row: ListedInvitation; onRevoke: () => void; onResend: () => void }) {
  return (
    <tr>
      <th scope="row" className={styles.email}>{row.email}</th>
      <td>
        {ROLE_LABELS[row.role]}
        {row.batches && row.batches.length > 0 && <span className={styles.quiet}>, {batchesLabel(row.batches)}</span>}
      </td>
      <td>{INVITATION_STATE_LABELS[row.state]} <span className={styles.quiet}>{invitationDateLabel(row)}</span></td>
      <td>{row.invited_by ?? <span className={styles.quiet}>a command on the server</span>}</td>
      <td data-action>
        <div className={styles.actions}>
          {(row.state === "open" || row.state === "expired") && (
            <Button onPress={onResend} aria-label={`Send the invitation of ${row.email} again`}>Send again</Button>
          )}
          {row.state === "open" && (
            <Button onPress={onRevoke} aria-label={`Revoke the invitation of ${row.email}`}>Revoke</Button>
          )}
        </div>
      </td>
    </tr>
  );
}

/** A question first, because the link that was sent before then stops working. */
function ResendDialog({ path, row, onClose }: { path: string; row: ListedInvitation; onClose: () => void }) {
  const resend = useResend(path);
  return (
    <Dialog title={resend.data ? "Invitation sent again" : "Send this invitation again?"} isOpen onOpenChange={(open) => !open && onClose()}>
      {resend.data ? (
        <div className={styles.link}>
          <InvitationLink invitation={resend.data} />
          <DialogActions><Button variant="primary" size="large" onPress={onClose} autoFocus>Done</Button></DialogActions>
        </div>
      ) : (
        <DialogForm onSubmit={() => resend.mutate(row.id)} onCancel={onClose} submitLabel="Send it again" busyLabel="Sending" mutation={resend}>
          <p>{row.email} gets a new link. The link sent before stops working.</p>
        </DialogForm>
      )}
    </Dialog>
  );
}

function RevokeDialog({ path, row, onClose }: { path: string; row: ListedInvitation | null; onClose: () => void }) {
  const revoke = useRevoke(path);
  return (
    <ConfirmDialog
      title="Revoke this invitation?"
      isOpen={row !== null}
      onClose={onClose}
      confirmLabel="Revoke it"
      busyLabel="Revoking"
      onConfirm={() => row && revoke.mutate(row.id, { onSuccess: onClose })}
      mutation={revoke}
    >
      <p>The link sent to {row?.email} will no longer open. You can invite the same address again.</p>
    </ConfirmDialog>
  );
}
