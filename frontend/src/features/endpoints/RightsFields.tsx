import { LabelledCheckbox, RadioChoiceGroup } from "@/components/ChoiceGroup";
import { TextField } from "@/components/TextField";
import { USABLE_BY } from "@/domains/endpoints/labels";
import type { UsableBy } from "@/domains/endpoints/queries";
import { fieldErrors } from "@/lib/errorMessages";
import { formatList } from "@/lib/format";
import type { Rights } from "./draft";
import styles from "./Endpoints.module.css";

const OPTIONS: { value: UsableBy; label: string; hint: string }[] = [
  { value: "administrators", label: USABLE_BY.administrators, hint: "Nobody else sees it." },
  { value: "named", label: USABLE_BY.named, hint: "And administrators." },
  { value: "everyone", label: USABLE_BY.everyone, hint: "Each run still has a budget of its own." },
];

interface Props {
  rights: Rights;
  onChange: (part: Partial<Rights>) => void;
  error: unknown;
}

/** Who may use an endpoint, and whether its answers may be shown to everybody. */
export function RightsFields({ rights, onChange, error }: Props) {
  return (
    <>
      <RadioChoiceGroup label="Usable by" options={OPTIONS} value={rights.usableBy} onChange={(usableBy) => onChange({ usableBy })} />
      {rights.usableBy === "named" && (
        <TextField
          label="E-mail addresses"
          hint="One on each line, of people with an account."
          rows={4}
          value={rights.people}
          onChange={(people) => onChange({ people })}
          error={peopleFault(rights.people, error)}
        />
      )}
      <div>
        <LabelledCheckbox isSelected={rights.mayPublish} onChange={(mayPublish) => onChange({ mayPublish })}>
          Answers may be published
          <span className={styles.hint}>Everybody then reads the runs that a board shows.</span>
        </LabelledCheckbox>
      </div>
    </>
  );
}

/** 'Line 2: No account has this address.', as the server counts them. */
function peopleFault(people: string, error: unknown): string | undefined {
  const addresses = people.split(/[\s,;]+/).filter(Boolean);
  const faults = fieldErrors(error).filter(({ place }) => place.startsWith("people"));
  if (faults.length === 0) return undefined;
  const named = faults.map(({ place }) => addresses[Number(/\d+/.exec(place)?.[0])]).filter((one) => one !== undefined);
  const [first] = faults;
  return named.length > 0 ? `${formatList(named)}: ${first?.message ?? ""}` : first?.message;
}
