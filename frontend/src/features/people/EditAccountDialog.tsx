import { useState } from "react";
import { RadioChoiceGroup, CheckboxChoiceGroup } from "@/components/ChoiceGroup";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { useCurrentUser } from "@/lib/currentUser";
import {
  confirmLabel,
  accountPatch,
  changeTexts,
  toDraft,
  updateError,
  accountName,
  SITE_ROLES,
  SITE_ROLE_OPTIONS,
  useUpdateAccount,
  type Account,
} from "./accounts";
import styles from "./People.module.css";

interface Props {
  account: Account;
  onClose: () => void;
  onChanged: (what: string) => void;
}

const STATUS_OPTIONS: { value: "open" | "closed"; label: string; hint: string }[] = [
  { value: "open", label: "Open", hint: "Signs in as usual." },
  { value: "closed", label: "Closed", hint: "Cannot sign in. Answers and other data stay." },
];

/** Roles and state of one account, with the consequences of a change before it is saved. */
export function EditAccountDialog({ account, onClose, onChanged }: Props) {
  return (
    <Dialog title={`The account of ${accountName(account)}`} isOpen onOpenChange={(open) => !open && onClose()}>
      <EditAccountForm account={account} onClose={onClose} onChanged={onChanged} />
    </Dialog>
  );
}

function EditAccountForm({ account, onClose, onChanged }: Props) {
  const [draft, setDraft] = useState(() => toDraft(account));
  const change = useUpdateAccount();
  const isOwn = useCurrentUser()?.id === account.id;
  const isSame = Object.keys(accountPatch(account, draft)).length === 0;
  const set = (part: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    change.reset();
  };
  const send = () => change.mutate({ account, draft }, { onSuccess: () => onChanged(changeTexts(account, draft).join(" ")) });
  const roles = SITE_ROLES.map((value) => ({ value, ...SITE_ROLE_OPTIONS[value], isDisabled: isOwn && value === "administrator" }));
  return (
    <DialogForm
      onSubmit={send}
      onCancel={onClose}
      submitLabel={confirmLabel(account, draft)}
      busyLabel="Changing"
      isReady={!isSame}
      mutation={change}
      toMessage={(error) => updateError(error, account)}
    >
      <p className={styles.quiet}>{account.email}</p>
      <CheckboxChoiceGroup
        label="Roles on the site"
        hint="Roles in studies do not change."
        options={roles}
        value={draft.roles}
        onChange={(chosen) => set({ roles: SITE_ROLES.filter((role) => chosen.includes(role)) })}
      />
      {isOwn ? (
        <p className={styles.quiet}>This is your own account. Only another administrator can close it or remove that role.</p>
      ) : (
        <RadioChoiceGroup label="Account" options={STATUS_OPTIONS} value={draft.isOpen ? "open" : "closed"} onChange={(state) => set({ isOpen: state === "open" })} />
      )}
      <ChangeSummary texts={changeTexts(account, draft)} />
    </DialogForm>
  );
}

/** Rendered from the start, so that a screen reader announces its changes. */
function ChangeSummary({ texts }: { texts: string[] }) {
  return (
    <div role="status" className={styles.consequences}>
      {texts.length === 0 ? <p className={styles.quiet}>You have not changed anything yet.</p> : <ul>{texts.map((text) => <li key={text}>{text}</li>)}</ul>}
    </div>
  );
}
