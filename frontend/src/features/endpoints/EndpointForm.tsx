import { useState, type ReactNode } from "react";
import { Button, ButtonLink } from "@/components/Button";
import { LabelledCheckbox, RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { draftFaults, type Draft, type KeyKind } from "./draft";
import styles from "./Endpoints.module.css";
import { RightsFields } from "./RightsFields";

interface Props {
  initial: Draft;
  /** Name, address and model are set once; rights have a dialog of their own after that. */
  isNew: boolean;
  submitLabel: string;
  busyLabel: string;
  cancelTo: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: (draft: Draft) => void;
}

interface PartProps {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  error: unknown;
}

export function EndpointForm({ initial, isNew, submitLabel, busyLabel, cancelTo, mutation, onSubmit }: Props) {
  const [draft, setDraft] = useState(initial);
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const { isPending, error } = mutation;
  const isComplete = Object.keys(draftFaults(draft)).length === 0 && [draft.name, draft.address, draft.model].every((text) => text.trim() !== "");
  const part = { draft, set, error };
  return (
    <Form onSubmit={() => isComplete && !isPending && onSubmit(draft)}>
      <Server {...part} isNew={isNew} />
      <Key {...part} hasStored={initial.keyKind === "unchanged"} />
      <Prices {...part} />
      <Limits {...part} />
      {!isNew && <StoredAnswers {...part} />}
      {isNew && <Part title="Rights"><RightsFields rights={draft} onChange={set} error={error} /></Part>}
      {error ? <Notice tone="bad">{errorMessage(error)}</Notice> : null}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!isComplete || isPending}>{isPending ? busyLabel : submitLabel}</Button>
        <ButtonLink to={cancelTo} size="large">Cancel</ButtonLink>
      </FormActions>
    </Form>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <fieldset className={styles.part}><legend>{title}</legend>{children}</fieldset>;
}

function Server({ draft, set, error, isNew }: PartProps & { isNew: boolean }) {
  return (
    <Part title="Server">
      {isNew && (
        <>
          <TextField label="Name" hint="As people choose it for a run." value={draft.name} onChange={(name) => set({ name })} maxLength={120} error={fieldMessage(error, "name")} isRequired />
          <TextField
            label="Address"
            hint="Up to /v1, such as https://models.example.org/v1. It cannot be changed later."
            value={draft.address}
            onChange={(address) => set({ address })}
            inputMode="url"
            maxLength={500}
            error={fieldMessage(error, "base_url")}
            isRequired
          />
          <TextField label="Model" hint="Its name as the server has it. It cannot be changed later." value={draft.model} onChange={(model) => set({ model })} maxLength={200} error={fieldMessage(error, "model")} isRequired />
        </>
      )}
      <div>
        <LabelledCheckbox isSelected={draft.isPrivate} onChange={(isPrivate) => set({ isPrivate })}>
          The server is in a private network
          <span className={styles.hint}>Only administrators can allow this. It also allows http.</span>
        </LabelledCheckbox>
      </div>
      {!isNew && fieldMessage(error, "base_url") && <Notice tone="bad">{fieldMessage(error, "base_url")}</Notice>}
      <TextField
        label="Parameters of the model"
        hint="Such as 135000000. Every result states the size. Empty: not known."
        value={draft.parameters}
        onChange={(parameters) => set({ parameters })}
        inputMode="numeric"
        error={draftFaults(draft).parameters ?? fieldMessage(error, "parameters")}
      />
    </Part>
  );
}

const KEYS: Record<KeyKind, { label: string; hint: string }> = {
  unchanged: { label: "The stored key", hint: "It stays as it is, and is shown to nobody." },
  none: { label: "No key", hint: "The server needs none." },
  environment: { label: "In the environment", hint: "The server and its workers read a variable." },
  stored: { label: "A new key, stored here", hint: "Encrypted, and shown to nobody again." },
};
const KINDS: KeyKind[] = ["none", "environment", "stored"];

function Key({ draft, set, error, hasStored }: PartProps & { hasStored: boolean }) {
  const kinds: KeyKind[] = hasStored ? ["unchanged", ...KINDS] : KINDS;
  return (
    <Part title="Key">
      <RadioChoiceGroup label="Where the key is" options={kinds.map((value) => ({ value, ...KEYS[value] }))} value={draft.keyKind} onChange={(keyKind) => set({ keyKind })} />
      {draft.keyKind === "environment" && (
        <TextField label="Name of the variable" hint="Such as MODEL_API_KEY." value={draft.keyEnv} onChange={(keyEnv) => set({ keyEnv })} maxLength={120} error={fieldMessage(error, "key_env")} />
      )}
      {draft.keyKind === "stored" && (
        <TextField label="Key" type="password" autoComplete="off" value={draft.key} onChange={(key) => set({ key })} maxLength={4096} error={fieldMessage(error, "key")} />
      )}
    </Part>
  );
}

function Prices({ draft, set, error }: PartProps) {
  const faults = draftFaults(draft);
  return (
    <Part title="Price">
      <p className={styles.quiet}>US dollars for a million tokens. Runs and probes are refused until both are set; 0 is a price.</p>
      <div className={styles.pair}>
        <TextField label="Tokens in" value={draft.priceIn} onChange={(priceIn) => set({ priceIn })} inputMode="decimal" error={faults.priceIn ?? fieldMessage(error, "price_in")} />
        <TextField label="Tokens out" value={draft.priceOut} onChange={(priceOut) => set({ priceOut })} inputMode="decimal" error={faults.priceOut ?? fieldMessage(error, "price_out")} />
      </div>
    </Part>
  );
}

function Limits({ draft, set, error }: PartProps) {
  const faults = draftFaults(draft);
  return (
    <Part title="Limits">
      <div className={styles.pair}>
        <TextField label="Most requests at once" hint="Over all workers." value={draft.maxInFlight} onChange={(maxInFlight) => set({ maxInFlight })} inputMode="numeric" error={faults.maxInFlight ?? fieldMessage(error, "max_in_flight")} />
        <TextField label="Seconds for each request" value={draft.timeout} onChange={(timeout) => set({ timeout })} inputMode="numeric" error={faults.timeout ?? fieldMessage(error, "timeout_s")} />
      </div>
      <TextField label="Tokens of context" hint="They also bound what is reserved for a request. Empty: not known." value={draft.context} onChange={(context) => set({ context })} inputMode="numeric" error={faults.context ?? fieldMessage(error, "context_tokens")} />
    </Part>
  );
}

/** Another number makes a request another one, so that no stored answer is found for it. */
function StoredAnswers({ draft, set, error }: PartProps) {
  const fault = fieldMessage(error, "cache_epoch");
  return (
    <Part title="Stored answers">
      <div>
        <LabelledCheckbox isSelected={draft.answersAnew} onChange={(answersAnew) => set({ answersAnew })}>
          Request all answers anew
          <span className={styles.hint}>
            For another model behind the same name. No stored answer is used again, and each new one is paid for. Runs under way pause.
          </span>
        </LabelledCheckbox>
      </div>
      {fault && <Notice tone="bad">{fault}</Notice>}
    </Part>
  );
}
