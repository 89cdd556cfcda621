import { useState } from "react";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { Tag } from "@/components/Tag";
import type { Team } from "@/domains/accounts/teams";
import { formatLongDate } from "@/lib/format";
import { useChangeTeam } from "./mutations";
import styles from "./Team.module.css";

type Member = Team["members"][number];

export function MemberTable({ team, me }: { team: Team; me: string }) {
  const [leaving, setLeaving] = useState<Member | null>(null);
  const change = useChangeTeam();
  const isSelf = leaving?.id === me;
  const mayEnd = ({ id }: Member) => (id === team.owner ? id === me && team.members.length === 1 : id === me || me === team.owner);
  return (
    <section className={styles.section} aria-labelledby="members-heading">
      <h2 id="members-heading">Members</h2>
      <DataTable label={`Members of ${team.name}`} minWidth={480} folds columns={["Name", "E-mail", "Since", ACTIONS_COLUMN]}>
        {team.members.map((member) => (
          <tr key={member.id}>
            <th scope="row">{member.name} {member.id === team.owner && <Tag>owner</Tag>}</th>
            <td>{member.email}</td>
            <td>{formatLongDate(member.joined_at)}</td>
            <td data-action>
              {mayEnd(member) && <Button onPress={() => setLeaving(member)}>{member.id === me ? "Leave" : `Remove ${member.name}`}</Button>}
            </td>
          </tr>
        ))}
      </DataTable>
      {leaving && (
        <ConfirmDialog
          title={isSelf ? `Leave ${team.name}?` : `Remove ${leaving.name}?`}
          isOpen
          onClose={() => {
            setLeaving(null);
            change.reset();
          }}
          confirmLabel={isSelf ? "Leave the team" : "Remove"}
          busyLabel={isSelf ? "Leaving" : "Removing"}
          onConfirm={() => change.mutate({ method: "DELETE", path: `/members/${leaving.id}` }, { onSuccess: () => setLeaving(null) })}
          mutation={change}
        >
          <p>{isSelf ? "You no longer see" : `${leaving.name} no longer sees`} the team&apos;s models and submissions. Queries that the team has used still count.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
