import type { CurrentUser } from "@/api/contract";
import { Button } from "@/components/Button";
import { Page } from "@/components/Page";
import { canOpen } from "@/domains/accounts/permissions";
import { useSignOut } from "@/domains/accounts/useSignOut";
import { WithdrawalStatus } from "@/domains/studies/WithdrawalStatus";
import { useCurrentUser } from "@/lib/currentUser";
import { rolesLabel } from "@/lib/labels";
import { ApiTokens } from "./api-tokens/ApiTokens";
import styles from "./Account.module.css";
import { MailSetting } from "./MailSetting";
import { NameForm } from "./NameForm";
import { PasswordForm } from "./PasswordForm";

export function AccountPage() {
  const me = useCurrentUser();
  const signOut = useSignOut();
  if (!me) return null;
  return (
    <Page title="Account" intro={`Signed in as ${me.email}.`}>
      <WithdrawalStatus />
      <section className={styles.section} aria-labelledby="name-heading">
        <h2 id="name-heading">Name</h2>
        <NameForm me={me} />
      </section>
      <section className={styles.section} aria-labelledby="password-heading">
        <h2 id="password-heading">Password</h2>
        <PasswordForm me={me} />
      </section>
      <section className={styles.section} aria-labelledby="roles-heading">
        <h2 id="roles-heading">Your roles</h2>
        <Roles me={me} />
      </section>
      {canOpen(me, "researcher") && (
        <section className={styles.section} aria-labelledby="messages-heading">
          <h2 id="messages-heading">Messages</h2>
          <MailSetting me={me} />
        </section>
      )}
      <section className={styles.wide} aria-labelledby="tokens-heading">
        <h2 id="tokens-heading">API tokens</h2>
        <ApiTokens />
      </section>
      <section className={styles.section} aria-labelledby="data-heading">
        <h2 id="data-heading">Your data</h2>
        <p className={styles.note}>
          Your part in studies as one JSON file: answers with their history, consents and activity. Of other people it has only the coordinators’ messages to you, and their reasons for conflicts of interest.
        </p>
        <div><a href="/api/v1/me/data" download>Download my data</a></div>
      </section>
      <section className={styles.section} aria-labelledby="leave-heading">
        <h2 id="leave-heading">Sign out</h2>
        <p className={styles.note}>This signs you out on this device only. Saved answers stay.</p>
        <div><Button size="large" onPress={signOut.request}>Sign out</Button></div>
      </section>
      {signOut.dialog}
    </Page>
  );
}

function Roles({ me }: { me: CurrentUser }) {
  const siteRoles = [me.roles.administrator && "administrator of this site", me.roles.researcher && "researcher"];
  const lines = siteRoles.filter((line): line is string => Boolean(line));
  if (!lines.length && !me.studies.length) {
    return <p className={styles.note}>You have no role yet. An invitation adds a study or a role.</p>;
  }
  return (
    <ul className={styles.roles}>
      {lines.map((line) => <li key={line}>{line}</li>)}
      {me.studies.map((study) => <li key={study.id}>{rolesLabel(study.roles)} in {study.name}</li>)}
    </ul>
  );
}
