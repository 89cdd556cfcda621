import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { signOut } from "@/api/auth";
import type { Id } from "@/api/contract";
import { authSentence } from "@/lib/authWords";
import { plural } from "@/lib/format";
import { meQuery, useMe } from "@/lib/me";
import { forgetAccount, trySending, type Unsent } from "@/lib/offline";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

/** Signing out, from wherever it is offered: at once, or after a word about what is not sent yet. */
export function useSignOut({ to = "/" }: { to?: string } = {}) {
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const me = useMe();
  const leave = useLeave(to, me?.id);
  const ask = async () => {
    const waiting = me ? await trySending(me.id) : null;
    if (waiting?.changes) setUnsent(waiting);
    else leave.mutate();
  };
  const close = () => {
    setUnsent(null);
    leave.reset();
  };
  const dialog = (
    <LeaveDialog
      unsent={unsent}
      error={leave.error}
      busy={leave.isPending}
      onLeave={() => leave.mutate()}
      onStay={close}
    />
  );
  return { ask: () => void ask(), dialog };
}

function useLeave(to: string, account: Id | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      if (account) await forgetAccount(account);
      await navigate(to);
      queries.clear();
      queries.setQueryData(meQuery.queryKey, null);
    },
  });
}

interface Props {
  unsent: Unsent | null;
  error: Error | null;
  busy: boolean;
  onLeave: () => void;
  onStay: () => void;
}

export function LeaveDialog({ unsent, error, busy, onLeave, onStay }: Props) {
  const open = unsent !== null || error !== null;
  return (
    <Dialog
      title={unsent ? "Some changes are not sent" : "Not signed out"}
      isOpen={open}
      onOpenChange={(next) => !next && onStay()}
    >
      {unsent && <p>{whatBecomes(unsent)}</p>}
      {error && <Notice tone="bad">{authSentence(error)}</Notice>}
      <DialogActions>
        <Button onPress={onStay}>Stay signed in</Button>
        <Button look="primary" onPress={onLeave} isDisabled={busy}>
          {leaveWords(unsent, error)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function leaveWords(unsent: Unsent | null, error: Error | null): string {
  if (error) return "Try again";
  const what = unsent?.changes === 1 ? "it" : "them";
  return unsent?.durable === false ? `Sign out and lose ${what}` : `Sign out and keep ${what} here`;
}

function whatBecomes({ changes, durable }: Unsent): string {
  const one = changes === 1;
  const count = plural(changes, "change has", "changes have");
  if (!durable) {
    return `${count} not been sent yet, and this browser keeps nothing on this device: ${one ? "it is" : "they are"} lost when you sign out.`;
  }
  return `${count} not been sent yet. ${one ? "It stays" : "They stay"} on this device and ${one ? "is" : "are"} sent when you sign in here again.`;
}
