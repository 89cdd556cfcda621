import { useState } from "react";
import { Button } from "@/components/Button";
import { ChooseOne, ChooseSome } from "@/components/Choice";
import { Dialog, DialogActions } from "@/components/Dialog";
import { Form } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { useMe } from "@/lib/me";
import { actionOf, changeOf, consequences, draftOf, faultOf, nameOf, SITE_ROLES, useChange, type Account } from "./accounts";
import styles from "./People.module.css";

interface Props {
  account: Account;
  onClose: () => void;
  onChanged: (what: string) => void;
}

const ROLES = {
  researcher: { label: "Researcher", hint: "Submits models' predictions and sees their scores." },
  administrator: { label: "Administrator", hint: "Sees all people and studies, and invites." },
};

const STATES: { value: "open" | "closed"; label: string; hint: string }[] = [
  { value: "open", label: "Open", hint: "Signs in as usual." },
  { value: "closed", label: "Closed", hint: "Cannot sign in; what was made stays." },
];

/** Roles and state of one account; what a change brings about stands there before it is made. */
export function ChangeDialog({ account, onClose, onChanged }: Props) {
  return (
    <Dialog title={`The account of ${nameOf(account)}`} isOpen onOpenChange={(open) => !open && onClose()}>
      <Change account={account} onClose={onClose} onChanged={onChanged} />
    </Dialog>
  );
}

function Change({ account, onClose, onChanged }: Props) {
  const [draft, setDraft] = useState(() => draftOf(account));
  const change = useChange();
  const isOwn = useMe()?.id === account.id;
  const isSame = Object.keys(changeOf(account, draft)).length === 0;
  const set = (part: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    change.reset();
  };
  const send = () => {
    if (isSame || change.isPending) return;
    change.mutate({ account, draft }, { onSuccess: () => onChanged(consequences(account, draft).join(" ")) });
  };
  const roles = SITE_ROLES.map((value) => ({ value, ...ROLES[value], isDisabled: isOwn && value === "administrator" }));
  return (
    <Form onSubmit={send}>
      <p className={styles.quiet}>{account.email}</p>
      <ChooseSome
        label="Roles on the site"
        hint="Experts and coordinators have their roles by their studies; those stay."
        options={roles}
        value={draft.roles}
        onChange={(chosen) => set({ roles: SITE_ROLES.filter((role) => chosen.includes(role)) })}
      />
      {isOwn ? (
        <p className={styles.quiet}>This is your own account: another administrator can close it, or take that role from you.</p>
      ) : (
        <ChooseOne label="Account" options={STATES} value={draft.isOpen ? "open" : "closed"} onChange={(state) => set({ isOpen: state === "open" })} />
      )}
      <Consequences of={consequences(account, draft)} />
      {change.isError && <Notice tone="bad">{faultOf(change.error, account)}</Notice>}
      <DialogActions>
        <Button size="large" onPress={onClose}>Cancel</Button>
        <Button type="submit" look="primary" size="large" isDisabled={isSame || change.isPending}>
          {change.isPending ? "Changing" : actionOf(account, draft)}
        </Button>
      </DialogActions>
    </Form>
  );
}

/** There from the start, so that what comes into it is read out. */
function Consequences({ of }: { of: string[] }) {
  return (
    <div role="status" className={styles.consequences}>
      {of.length === 0 ? <p className={styles.quiet}>Nothing is changed yet.</p> : <ul>{of.map((one) => <li key={one}>{one}</li>)}</ul>}
    </div>
  );
}
