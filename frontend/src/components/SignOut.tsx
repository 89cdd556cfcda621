import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { signOut } from "@/api/auth";
import type { Id } from "@/api/contract";
import { authSentence } from "@/lib/authWords";
import { plural } from "@/lib/format";
import { meQuery, useMe } from "@/lib/me";
import { forgetAccount, pendingCount } from "@/lib/offline";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";
import { Notice } from "./Notice";

/** Signing out, from wherever it is offered: at once, or after a word about what is not sent yet. */
export function useSignOut({ to = "/" }: { to?: string } = {}) {
  const [unsent, setUnsent] = useState<number | null>(null);
  const me = useMe();
  const leave = useLeave(to, me?.id);
  const ask = async () => {
    const waiting = me ? await pendingCount(me.id) : 0;
    if (waiting > 0) setUnsent(waiting);
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
      await navigate(to);
      if (account) await forgetAccount(account);
      queries.clear();
      queries.setQueryData(meQuery.queryKey, null);
    },
  });
}

interface Props {
  unsent: number | null;
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
      {unsent ? (
        <p>
          {plural(unsent, "change has", "changes have")} not been sent yet. {unsent === 1 ? "It stays" : "They stay"} on
          this device and {unsent === 1 ? "is" : "are"} sent when you sign in here again.
        </p>
      ) : null}
      {error && <Notice tone="bad">{authSentence(error)}</Notice>}
      <DialogActions>
        <Button onPress={onStay}>Stay signed in</Button>
        <Button look="primary" onPress={onLeave} isDisabled={busy}>
          {error ? "Try again" : "Sign out and keep them here"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
