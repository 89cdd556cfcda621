import { useState, type ReactNode } from "react";
import { Button } from "@/components/Button";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SearchField } from "@/components/SearchField";
import { SelectField } from "@/components/SelectField";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { readChoice } from "@/lib/choices";
import { useCursorList } from "@/lib/cursor";
import { formatLongDate } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { accountName, accountRoles, PEOPLE_KEY, peopleUrl, ROLE_FILTERS, type PersonAccount } from "./accounts";
import { EditAccountDialog } from "./EditAccountDialog";
import styles from "./People.module.css";

/** children: below the list, once its length is known. */
export function PeopleTable({ children }: { children?: ReactNode }) {
  const [params, changeParams] = useUrlParams();
  const search = params.get("search") ?? "";
  const role = readChoice(ROLE_FILTERS, params.get("role"), "");
  const people = useCursorList<PersonAccount>([...PEOPLE_KEY, search, role], peopleUrl(search, role));
  const [changing, setChanging] = useState<PersonAccount | null>(null);
  const [changed, setChanged] = useState("");
  const [isBelowShown, setBelowShown] = useState(false);
  if (!isBelowShown && !people.isPending) setBelowShown(true);
  return (
    <>
      <div className={styles.list}>
        <div className={styles.controls}>
          <SearchField label="Find by name or e-mail" text={search} onChange={(text) => changeParams({ search: text })} />
          <SelectField label="Role" value={role} options={ROLE_FILTERS} onChange={(value) => changeParams({ role: value || null })} />
        </div>
        {changed && <Notice tone="good">{changed}</Notice>}
        <QueryBoundary
          query={people}
          skeleton={<SkeletonRows rows={6} />}
          empty={<EmptyState>Nobody matches. Change the search or the role.</EmptyState>}
        >
          {(rows) => (
            <DataTable
              label="People"
              folds
              columns={[
                "Name",
                "Roles",
                { label: "Last sign-in", className: styles.wide },
                { label: "Since", className: styles.wide },
                ACTIONS_COLUMN,
              ]}
            >
              {rows.map((person) => <Row key={person.id} person={person} onChange={() => setChanging(person)} />)}
            </DataTable>
          )}
        </QueryBoundary>
        <ShowMore list={people} />
        {changing && (
          <EditAccountDialog
            key={changing.id}
            account={changing}
            onClose={() => setChanging(null)}
            onChanged={(what) => {
              setChanging(null);
              setChanged(what);
            }}
          />
        )}
      </div>
      {isBelowShown && children}
    </>
  );
}

function Row({ person, onChange }: { person: PersonAccount; onChange: () => void }) {
  const signedIn = person.last_sign_in === null ? "never" : formatLongDate(person.last_sign_in);
  return (
    <tr>
      <th scope="row" className={styles.person}>
        {accountName(person)}
        {!person.is_active && !person.is_simulated && <span className={styles.quiet}> (closed)</span>}
        {person.name && <span className={styles.email}>{person.email}</span>}
        <span className={styles.signedIn}>Last sign-in: {signedIn}</span>
      </th>
      <td><Roles person={person} /></td>
      <td className={`${styles.day} ${styles.wide} ${person.last_sign_in === null ? styles.quiet : ""}`}>{signedIn}</td>
      <td className={`${styles.day} ${styles.wide}`}>{formatLongDate(person.created_at)}</td>
      <td data-action>
        {!person.is_simulated && <Button onPress={onChange} aria-label={`Change the account of ${accountName(person)}`}>Change</Button>}
      </td>
    </tr>
  );
}

const FIRST_STUDIES = 2;

/** On the site, then in each study: a person of many studies has a row as low as the others. */
function Roles({ person }: { person: PersonAccount }) {
  const [isWhole, setWhole] = useState(false);
  const site = accountRoles(person).toReversed().join(" and ");
  const none = person.is_simulated ? "simulated" : "no role";
  const more = person.studies.length - FIRST_STUDIES;
  const studies = isWhole || more <= 1 ? person.studies : person.studies.slice(0, FIRST_STUDIES);
  return (
    <div className={styles.roles}>
      <ul className={styles.roles}>
        {(site || studies.length === 0) && <li className={site ? undefined : styles.quiet}>{site || none}</li>}
        {studies.map(({ id, name, role }) => <li key={`${id} ${role}`}>{role} <span className={styles.quiet}>in {name}</span></li>)}
      </ul>
      {more > 1 && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          aria-label={isWhole ? `Fewer studies of ${accountName(person)}` : `and ${more} more studies of ${accountName(person)}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Show fewer" : `and ${more} more`}
        </button>
      )}
    </div>
  );
}
