import { useState } from "react";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useCursorList } from "@/lib/cursor";
import { longDay } from "@/lib/format";
import { nameOf, PEOPLE, PEOPLE_KEY, rolesOf, type Account } from "./accounts";
import { ChangeDialog } from "./ChangeDialog";
import styles from "./People.module.css";

/** Everybody with an account, and the way to change one. */
export function PeopleTable() {
  const people = useCursorList<Account>(PEOPLE_KEY, PEOPLE);
  const [changing, setChanging] = useState<Account | null>(null);
  const [changed, setChanged] = useState("");
  if (people.isError && !people.data) {
    return <Failure error={people.error} onRetry={() => void people.refetch()} busy={people.isFetching} />;
  }
  if (!people.data) return <SkeletonRows rows={6} />;
  return (
    <div className={styles.list}>
      {changed && <Notice tone="good">{changed}</Notice>}
      <DataTable label="People" minWidth={640}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">E-mail</th>
            <th scope="col">Role on the site</th>
            <th scope="col">Since</th>
            <th scope="col">
              <span className="visually-hidden">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.data.map((person) => (
            <Row key={person.id} person={person} onChange={() => setChanging(person)} />
          ))}
        </tbody>
      </DataTable>
      {people.hasNextPage && (
        <Button onPress={() => void people.fetchNextPage()} isDisabled={people.isFetchingNextPage}>
          {people.isFetchingNextPage ? "Reading more" : "Show more"}
        </Button>
      )}
      {changing && (
        <ChangeDialog
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
  );
}

function Row({ person, onChange }: { person: Account; onChange: () => void }) {
  return (
    <tr>
      <th scope="row">
        {nameOf(person)}
        {!person.is_active && !person.is_simulated && <span className={styles.quiet}> (closed)</span>}
      </th>
      <td>{person.email}</td>
      <td>{rolesOf(person).toReversed().join(" and ") || <span className={styles.quiet}>{person.is_simulated ? "none; simulated" : "none; by study only"}</span>}</td>
      <td className={styles.day}>{longDay(person.created_at)}</td>
      <td>
        {!person.is_simulated && <Button onPress={onChange} aria-label={`Change the account of ${nameOf(person)}`}>Change</Button>}
      </td>
    </tr>
  );
}
