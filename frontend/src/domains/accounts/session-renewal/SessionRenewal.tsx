import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { onDemand } from "@/components/onDemand";
import { useCurrentUser } from "@/lib/currentUser";
import { useSession, type Session } from "@/lib/session";
import { OtherAccountNotice } from "./OtherAccountNotice";
import styles from "./SessionRenewal.module.css";
import { useInputPause } from "./useInputPause";
import { useRestoreFocus } from "./useRestoreFocus";

/** Few visits need it, so it is loaded when a session has run out; static files need no session. */
const RenewalForm = onDemand(async () => (await import("./RenewalForm")).RenewalForm);

/** Over any page: a session that ran out is renewed here, for the same account only. */
export function SessionRenewal() {
  const me = useCurrentUser();
  const session = useSession();
  const [isOpen, setOpen] = useRenewalDialog(session);
  useRefetchAfterRenewal(session);
  useRestoreFocus(isOpen);
  if (!me || session.kind === "own") return null;
  const title = session.kind === "gone" ? "Sign in again" : "Someone else is signed in";
  if (!isOpen) {
    return (
      <div role="status" className={styles.bar}>
        <span>{session.kind === "gone" ? "Your session has expired. Changes are saved on this device, not sent." : title}</span>
        <Button onPress={() => setOpen(true)}>{session.kind === "gone" ? "Sign in again" : "What to do"}</Button>
      </div>
    );
  }
  return (
    <Dialog title={title} isOpen onOpenChange={setOpen}>
      {session.kind === "gone" ? <RenewalForm me={me} /> : <OtherAccountNotice pageUser={me} sessionUser={session.who} />}
    </Dialog>
  );
}

/** Opens at once where the user requests it, else when input pauses. Put off, it stays closed until the session changes. */
function useRenewalDialog(session: Session): [boolean, (isOpen: boolean) => void] {
  const [dialog, setDialog] = useState<{ session: Session; isOpen: boolean | null }>({ session, isOpen: null });
  const isExpired = session.kind !== "own";
  if (dialog.session !== session) {
    const isWanted = isExpired && (session.isRequested || dialog.isOpen);
    setDialog({ session, isOpen: isWanted ? true : null });
  }
  const setOpen = (isOpen: boolean) => setDialog({ session, isOpen });
  useInputPause(isExpired && dialog.isOpen === null, () => setOpen(true));
  return [isExpired && dialog.isOpen === true, setOpen];
}

/** Requests that failed while nobody was signed in are repeated. */
function useRefetchAfterRenewal(session: Session): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (session.kind === "own") {
      void queries.refetchQueries({ predicate: (query) => query.state.status === "error" });
    }
  }, [session, queries]);
}
