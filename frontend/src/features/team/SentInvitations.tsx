import { useState } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { TextField } from "@/components/TextField";
import type { Team } from "@/domains/accounts/teams";
import { errorMessage } from "@/lib/errorMessages";
import { useChangeTeam } from "./mutations";
import styles from "./Team.module.css";

/** Invite others by address, and see who has not answered yet; for the owner. */
export function SentInvitations({ team }: { team: Team }) {
  const [email, setEmail] = useState("");
  const invite = useChangeTeam();
  const withdraw = useChangeTeam();
  const isReady = email.includes("@") && !invite.isPending;
  const send = () => {
    if (isReady) invite.mutate({ method: "POST", path: "/invitations", json: { email } }, { onSuccess: () => setEmail("") });
  };
  return (
    <section className={styles.section} aria-labelledby="invite-heading">
      <h2 id="invite-heading">Invite a member</h2>
      <Form onSubmit={send}>
        <TextField
          label="E-mail address"
          hint="Of a researcher's account here. The invitation waits on their page of teams."
          type="email"
          value={email}
          onChange={setEmail}
          error={invite.isError ? errorMessage(invite.error) : undefined}
        />
        <FormActions>
          <Button type="submit" size="large" isDisabled={!isReady}>Invite</Button>
          <span role="status">{invite.isSuccess && email === "" ? "Invited" : ""}</span>
        </FormActions>
      </Form>
      {team.invitations.length > 0 && (
        <ul aria-label="Invitations without an answer" className={styles.section}>
          {team.invitations.map((one) => (
            <li key={one.id} className={styles.invitation}>
              {one.email}
              <Button isDisabled={withdraw.isPending} onPress={() => withdraw.mutate({ method: "DELETE", path: `/invitations/${one.id}` })}>
                Withdraw the invitation of {one.email}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
