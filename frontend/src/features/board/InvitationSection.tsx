import type { Id } from "@/api/contract";
import { InvitationTable } from "@/components/invitations/InvitationTable";
import styles from "./Board.module.css";
import { invitationsPath } from "./queries";

export function InvitationSection({ study }: { study: Id }) {
  return (
    <section className={styles.section} aria-labelledby="invitations-heading">
      <h2 id="invitations-heading">Invitations</h2>
      <InvitationTable
        path={invitationsPath(study)}
        whenEmpty="Who was invited, and who accepted, will be here. Inviting somebody makes the first line."
      />
    </section>
  );
}
