import type { CurrentUser } from "@/api/contract";
import { formatPlural } from "@/lib/format";
import { usePendingCount } from "@/lib/offline";
import { isSameUser } from "@/lib/session";
import { SignInForms } from "../sign-in/SignInForms";
import styles from "./SessionRenewal.module.css";

/** Signs in; the server then decides whether it is the same user. */
async function renew(signIn: () => Promise<void>): Promise<void> {
  // Another tab may have renewed it; and the request brings a fresh token where cookies were cleared.
  if (await isSameUser()) return;
  await signIn();
  await isSameUser();
}

export function RenewalForm({ me }: { me: CurrentUser }) {
  return (
    <>
      <UnsentNotice me={me} />
      <dl className={styles.facts}>
        <dt>Account</dt>
        <dd>{me.email}</dd>
      </dl>
      <SignInForms email={me.email} initialMethod={me.has_password ? "password" : "code"} complete={renew} />
    </>
  );
}

function UnsentNotice({ me }: { me: CurrentUser }) {
  const waiting = usePendingCount(me.id);
  return (
    <p>
      Your session has expired. The page stays as it is
      {waiting
        ? `; ${formatPlural(waiting, "change waits", "changes wait")} here and ${waiting === 1 ? "is" : "are"} sent when you are back.`
        : "."}
    </p>
  );
}

