import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { signOut } from "@/api/auth";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Notice } from "@/components/Notice";
import { currentUserQuery, useCurrentUser } from "@/lib/currentUser";
import { formatPlural } from "@/lib/format";
import type { UnsentSummary } from "@/lib/offline";
import { forgetPlaces } from "@/lib/recentPlaces";
import { useMutation } from "@/lib/useMutation";
import { authMessage } from "./authMessages";

const loadOffline = () => import("@/lib/offline");

/**
 * Signing out, from wherever it is offered: at once, or after a word about what is not sent yet.
 * A bar that shows the account calls it itself: it is drawn again at the navigation, and reads anew.
 */
export function useSignOut({ to = "/" }: { to?: string } = {}) {
  const [unsent, setUnsent] = useState<UnsentSummary | null>(null);
  const me = useCurrentUser();
  const signOutMutation = useSignOutMutation(to, me?.id);
  const requestSignOut = async () => {
    const remaining = me ? await (await loadOffline()).sendBeforeSignOut(me.id) : null;
    if (remaining?.changes) setUnsent(remaining);
    else signOutMutation.mutate();
  };
  const close = () => {
    setUnsent(null);
    signOutMutation.reset();
  };
  const dialog = (
    <SignOutDialog
      unsent={unsent}
      error={signOutMutation.error}
      busy={signOutMutation.isPending}
      onConfirm={() => signOutMutation.mutate()}
      onCancel={close}
    />
  );
  return { request: () => void requestSignOut(), dialog };
}

function useSignOutMutation(to: string, account: Id | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      if (account) await (await loadOffline()).clearAccountData(account);
      forgetPlaces();
      await navigate(to);
      queries.clear();
      queries.setQueryData(currentUserQuery.queryKey, null);
    },
  });
}

interface Props {
  unsent: UnsentSummary | null;
  error: Error | null;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function SignOutDialog({ unsent, error, busy, onConfirm, onCancel }: Props) {
  const open = unsent !== null || error !== null;
  return (
    <Dialog
      title={unsent ? "Some changes are not sent" : "Not signed out"}
      isOpen={open}
      onOpenChange={(next) => !next && onCancel()}
    >
      {unsent && <p>{unsentMessage(unsent)}</p>}
      {error && <Notice tone="bad">{authMessage(error)}</Notice>}
      <DialogActions>
        <Button onPress={onCancel}>Stay signed in</Button>
        <Button variant="primary" onPress={onConfirm} isDisabled={busy}>{confirmLabel(unsent, error)}</Button>
      </DialogActions>
    </Dialog>
  );
}

function confirmLabel(unsent: UnsentSummary | null, error: Error | null): string {
  if (error) return "Try again";
  const what = unsent?.changes === 1 ? "it" : "them";
  return unsent?.isDurable === false ? `Sign out and lose ${what}` : `Sign out and keep ${what} here`;
}

function unsentMessage({ changes, isDurable }: UnsentSummary): string {
  const one = changes === 1;
  const count = formatPlural(changes, "change has", "changes have");
  if (!isDurable) {
    return `${count} not been sent yet, and this browser keeps nothing on this device: ${one ? "it is" : "they are"} lost when you sign out.`;
  }
  return `${count} not been sent yet. ${one ? "It stays" : "They stay"} on this device and ${one ? "is" : "are"} sent when you sign in here again.`;
}
