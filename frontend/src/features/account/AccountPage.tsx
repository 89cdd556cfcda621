import { Button } from "@/components/Button";
import { Page } from "@/components/Page";
import { useSignOut } from "@/components/SignOut";
import { useMe } from "@/lib/me";
import { rolesInWords } from "@/lib/words";
import type { Me } from "@/api/contract";
import styles from "./Account.module.css";
import { NameForm } from "./NameForm";
import { PasswordForm } from "./PasswordForm";

export function AccountPage() {
  const me = useMe();
  const leaving = useSignOut();
  if (!me) return null;
  return (
    <Page title="Account" lead={`Signed in as ${me.email}.`}>
      <section className={styles.section} aria-labelledby="name-heading">
        <h2 id="name-heading">Name</h2>
        <NameForm me={me} />
      </section>
      <section className={styles.section} aria-labelledby="password-heading">
        <h2 id="password-heading">Password</h2>
        <PasswordForm me={me} />
      </section>
      <section className={styles.section} aria-labelledby="roles-heading">
        <h2 id="roles-heading">What you do here</h2>
        <Roles me={me} />
      </section>
      <section className={styles.section} aria-labelledby="leave-heading">
        <h2 id="leave-heading">Sign out</h2>
        <p className={styles.note}>On this device only. What is saved stays saved.</p>
        <div>
          <Button size="large" onPress={leaving.ask}>
            Sign out
          </Button>
        </div>
      </section>
      {leaving.dialog}
    </Page>
  );
}

function Roles({ me }: { me: Me }) {
  const site = [me.roles.administrator && "administrator of this site", me.roles.researcher && "researcher"];
  const lines = site.filter((line): line is string => Boolean(line));
  if (!lines.length && !me.studies.length) {
    return <p className={styles.note}>Nothing yet. An invitation adds a study or a role.</p>;
  }
  return (
    <ul className={styles.roles}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {me.studies.map((study) => (
        <li key={study.id}>
          {rolesInWords(study.roles)} in {study.name}
        </li>
      ))}
    </ul>
  );
}
