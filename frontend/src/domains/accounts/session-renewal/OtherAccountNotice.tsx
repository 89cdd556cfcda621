import { signOut } from "@/api/auth";
import type { CurrentUser } from "@/api/contract";
import { Button } from "@/components/Button";
import { DialogActions } from "@/components/Dialog";
import { Notice } from "@/components/Notice";
import { isSameUser } from "@/lib/session";
import { useMutation } from "@/lib/useMutation";
import { authMessage } from "../authMessages";

interface Props {
  /** Whose page this is. */
  pageUser: CurrentUser;
  /** Who is signed in now. */
  sessionUser: CurrentUser;
}

export function OtherAccountNotice({ pageUser, sessionUser }: Props) {
  const leave = useMutation({
    mutationFn: async () => {
      await signOut();
      await isSameUser();
    },
  });
  return (
    <>
      <p>
        This page was opened by {pageUser.email}. In this browser {sessionUser.email} is signed in now, so nothing is sent from this
        page. What {pageUser.email} has not sent stays on this device, for that account alone.
      </p>
      {leave.isError && <Notice tone="bad">{authMessage(leave.error)}</Notice>}
      <DialogActions>
        <Button onPress={() => window.location.assign("/")}>Go on as {sessionUser.email}</Button>
        <Button variant="primary" onPress={() => leave.mutate()} isDisabled={leave.isPending}>
          Sign out {sessionUser.email}
        </Button>
      </DialogActions>
    </>
  );
}
