import { useState } from "react";
import { UserPlus } from "lucide-react";
import { Button } from "@/components/Button";
import { InvitationTable } from "@/components/invitations/InvitationTable";
import { InviteDialog, type RoleOption } from "@/components/invitations/InviteDialog";
import { Page } from "@/components/Page";
import { SITE_INVITATIONS } from "./accounts";
import { PeopleTable } from "./PeopleTable";
import styles from "./People.module.css";

const ROLES: [RoleOption, ...RoleOption[]] = [
  { value: "researcher", label: "Researcher", hint: "Submits models' predictions and sees their scores." },
  { value: "administrator", label: "Administrator", hint: "Sees all people and studies, and invites." },
];

export function PeoplePage() {
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="People"
      width="wide"
      lead="Everybody with an account. Experts and coordinators are invited from their study's board."
      actions={
        <Button look="primary" size="large" onPress={() => setInviting(true)}>
          <UserPlus size={16} aria-hidden />
          Invite
        </Button>
      }
    >
      <PeopleTable />
      <section className={styles.section} aria-labelledby="invitations-heading">
        <h2 id="invitations-heading">Invitations to the site</h2>
        <InvitationTable
          path={SITE_INVITATIONS}
          whenEmpty="Invitations of researchers and administrators will be here. Invite the first one above."
        />
      </section>
      <InviteDialog path={SITE_INVITATIONS} roles={ROLES} isOpen={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}
