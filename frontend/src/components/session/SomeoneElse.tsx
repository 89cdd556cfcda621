import { useMutation } from "@tanstack/react-query";
import { signOut } from "@/api/auth";
import type { Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { DialogActions } from "@/components/Dialog";
import { Notice } from "@/components/Notice";
import { authSentence } from "@/lib/authWords";
import { isStillHers } from "@/lib/session";

interface Props {
  /** Whose page this is. */
  me: Me;
  /** Who is signed in now. */
  who: Me;
}

export function SomeoneElse({ me, who }: Props) {
  const leave = useMutation({
    mutationFn: async () => {
      await signOut();
      await isStillHers();
    },
  });
  return (
    <>
      <p>
        This page was opened by {me.email}. In this browser {who.email} is signed in now, so nothing is sent from this
        page. What {me.email} has not sent stays on this device, for that account alone.
      </p>
      {leave.isError && <Notice tone="bad">{authSentence(leave.error)}</Notice>}
      <DialogActions>
        <Button onPress={() => window.location.assign("/")}>Go on as {who.email}</Button>
        <Button look="primary" onPress={() => leave.mutate()} isDisabled={leave.isPending}>
          Sign out {who.email}
        </Button>
      </DialogActions>
    </>
  );
}
