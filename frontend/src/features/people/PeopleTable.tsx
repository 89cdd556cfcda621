import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Failure } from "@/components/Loadable";
import { SkeletonRows } from "@/components/SkeletonRows";
import { useCursorList } from "@/lib/cursor";
import { longDay } from "@/lib/format";
import styles from "./People.module.css";

interface ListedPerson {
  id: Id;
  email: string;
  name: string;
  roles: { researcher: boolean; administrator: boolean };
  is_active: boolean;
  created_at: string;
}

export function PeopleTable() {
  const people = useCursorList<ListedPerson>(["people"], "/api/v1/people");
  if (people.isError && !people.data) {
    return <Failure error={people.error} onRetry={() => void people.refetch()} busy={people.isFetching} />;
  }
  if (!people.data) return <SkeletonRows rows={6} />;
  return (
    <div className={styles.list}>
      <DataTable label="People" minWidth={640}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">E-mail</th>
            <th scope="col">Role on the site</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {people.data.map((person) => (
            <Row key={person.id} person={person} />
          ))}
        </tbody>
      </DataTable>
      {people.hasNextPage && (
        <Button onPress={() => void people.fetchNextPage()} isDisabled={people.isFetchingNextPage}>
          {people.isFetchingNextPage ? "Reading more" : "Show more"}
        </Button>
      )}
    </div>
  );
}

function Row({ person }: { person: ListedPerson }) {
  return (
    <tr>
      <th scope="row">
        {person.name || person.email}
        {!person.is_active && <span className={styles.quiet}> (closed)</span>}
      </th>
      <td>{person.email}</td>
      <td>{siteRoles(person) || <span className={styles.quiet}>none; by study only</span>}</td>
      <td>{longDay(person.created_at)}</td>
    </tr>
  );
}

function siteRoles({ roles }: ListedPerson): string {
  return [roles.administrator && "administrator", roles.researcher && "researcher"]
    .filter(Boolean)
    .join(" and ");
}
