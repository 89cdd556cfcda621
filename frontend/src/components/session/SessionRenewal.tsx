import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Me } from "@/api/contract";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Segments } from "@/components/Segments";
import { plural } from "@/lib/format";
import { useMe } from "@/lib/me";
import { usePendingCount } from "@/lib/offline";
import { useSession, type Session } from "@/lib/session";
import { ByCode } from "./ByCode";
import { ByPassword } from "./ByPassword";
import { SomeoneElse } from "./SomeoneElse";
import { useFocusBack } from "./useFocusBack";
import styles from "./SessionRenewal.module.css";

/** Over any page: a session that ran out is renewed here, for the same account only. */
export function SessionRenewal() {
  const me = useMe();
  const session = useSession();
  // What was put off is this ending; another, or her wish to renew, is said anew.
  const [putOff, setPutOff] = useState<Session | null>(null);
  const later = putOff === session;
  useReload(session);
  useFocusBack(session.kind !== "hers" && !later);
  if (!me || session.kind === "hers") return null;
  const title = session.kind === "gone" ? "Sign in again" : "Someone else is signed in";
  if (later) {
    return (
      <div role="status" className={styles.bar}>
        <span>{session.kind === "gone" ? "Your session ran out. Changes are kept, not sent." : title}</span>
        <Button onPress={() => setPutOff(null)}>{session.kind === "gone" ? "Sign in again" : "What to do"}</Button>
      </div>
    );
  }
  return (
    <Dialog title={title} isOpen onOpenChange={(open) => setPutOff(open ? null : session)}>
      {session.kind === "gone" ? <Renew me={me} /> : <SomeoneElse me={me} who={session.who} />}
    </Dialog>
  );
}

/** What failed while nobody was signed in is asked for again. */
function useReload(session: Session): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (session.kind === "hers") {
      void queries.refetchQueries({ predicate: (query) => query.state.status === "error" });
    }
  }, [session, queries]);
}

type Way = "code" | "password";

const WAYS: { value: Way; label: string }[] = [
  { value: "code", label: "Code by e-mail" },
  { value: "password", label: "Password" },
];

function Renew({ me }: { me: Me }) {
  const [way, setWay] = useState<Way>(me.has_password ? "password" : "code");
  return (
    <>
      <Waiting me={me} />
      <dl className={styles.facts}>
        <dt>Account</dt>
        <dd>{me.email}</dd>
      </dl>
      <div>
        <Segments label="How to sign in" options={WAYS} value={way} onChange={setWay} />
      </div>
      {way === "code" ? <ByCode email={me.email} /> : <ByPassword email={me.email} />}
    </>
  );
}

function Waiting({ me }: { me: Me }) {
  const waiting = usePendingCount(me.id);
  return (
    <p>
      Your session ran out. The page stays as it is
      {waiting
        ? `; ${plural(waiting, "change waits", "changes wait")} here and ${waiting === 1 ? "is" : "are"} sent when you are back.`
        : "."}
    </p>
  );
}

