import { useState } from "react";
import { UserPlus } from "lucide-react";
import { Button } from "@/components/Button";
import { Page } from "@/components/Page";
import { InvitationTable } from "@/domains/accounts/invitations/InvitationTable";
import { InviteDialog, type RoleOption } from "@/domains/accounts/invitations/InviteDialog";
import { SITE_INVITATIONS_URL, SITE_ROLE_OPTIONS } from "./accounts";
import styles from "./People.module.css";
import { PeopleTable } from "./PeopleTable";
import { WebhookHosts } from "./WebhookHosts";

const ROLES: [RoleOption, ...RoleOption[]] = [
  { value: "researcher", ...SITE_ROLE_OPTIONS.researcher },
  { value: "administrator", ...SITE_ROLE_OPTIONS.administrator },
];

export function PeoplePage() {
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="People"
      width="wide"
      intro="Everyone with an account. Experts are invited on the dashboard of their study."
      actions={
        <Button variant="primary" size="large" onPress={() => setInviting(true)}><UserPlus size={16} aria-hidden />Invite</Button>
      }
    >
      <PeopleTable>
        <section className={styles.section} aria-labelledby="invitations-heading">
          <h2 id="invitations-heading">Invitations to the site</h2>
          <InvitationTable
            path={SITE_INVITATIONS_URL}
            emptyText="You have not invited a researcher or an administrator yet. Choose Invite above."
          />
        </section>
        <WebhookHosts />
      </PeopleTable>
      <InviteDialog path={SITE_INVITATIONS_URL} roles={ROLES} isOpen={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}
