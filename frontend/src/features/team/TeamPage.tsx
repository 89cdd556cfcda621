import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { ownTeamQuery, type OwnTeam } from "@/domains/accounts/teams";
import { useCurrentUser } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { MemberTable } from "./MemberTable";
import { useChangeTeam } from "./mutations";
import { SentInvitations } from "./SentInvitations";
import styles from "./Team.module.css";

const PARENT = { to: "/submissions", label: "Submissions" };
const INTRO = "Members submit for the team's models and see its submissions. The queries of all members count together, whatever the model.";

export function TeamPage() {
  const me = useCurrentUser();
  const own = useQuery(ownTeamQuery);
  return (
    <Page title={own.data?.team?.name ?? "Team"} parent={PARENT} intro={INTRO}>
      <QueryBoundary query={own} skeleton={<SkeletonRows rows={3} />}>
        {({ team, invitations }) => (
          <>
            {invitations.map((one) => <ReceivedInvitation key={one.id} invitation={one} canJoin={team === null} />)}
            {team ? <MemberTable team={team} me={me?.id ?? ""} /> : <NewTeamForm />}
            {team && team.owner === me?.id && <SentInvitations team={team} />}
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

function ReceivedInvitation({ invitation, canJoin }: { invitation: OwnTeam["invitations"][number]; canJoin: boolean }) {
  const change = useChangeTeam();
  const path = `/invitations/${invitation.id}`;
  return (
    <Notice>
      <p>{invitation.owner} invites you to the team {invitation.team}.{!canJoin && " Leave your team before you join it."}</p>
      <div className={styles.invitation}>
        <Button variant="primary" isDisabled={!canJoin || change.isPending} onPress={() => change.mutate({ method: "POST", path: `${path}/accept`, json: {} })}>
          Join {invitation.team}
        </Button>
        <Button isDisabled={change.isPending} onPress={() => change.mutate({ method: "DELETE", path })}>Decline</Button>
      </div>
      {change.isError && <p role="alert">{errorMessage(change.error)}</p>}
    </Notice>
  );
}

function NewTeamForm() {
  const [name, setName] = useState("");
  const create = useChangeTeam();
  const isReady = name.trim() !== "" && !create.isPending;
  return (
    <section className={styles.section} aria-labelledby="new-team-heading">
      <h2 id="new-team-heading">Create a team</h2>
      <p className={styles.quiet}>You are in no team. Everyone is in one team at a time.</p>
      <Form onSubmit={() => isReady && create.mutate({ method: "POST", json: { name: name.trim() } })}>
        <TextField label="Name of the team" value={name} onChange={setName} maxLength={120} error={create.isError ? errorMessage(create.error) : undefined} />
        <FormActions><Button type="submit" variant="primary" size="large" isDisabled={!isReady}>Create the team</Button></FormActions>
      </Form>
    </section>
  );
}
