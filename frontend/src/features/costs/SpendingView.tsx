import { useQuery } from "@tanstack/react-query";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatMoney } from "@/domains/endpoints/labels";
import { formatCount, formatPlural, formatDateTime } from "@/lib/format";
import { BarList } from "./BarList";
import { byPerson, personName, spendingSentence } from "./costData";
import styles from "./Costs.module.css";
import { spendingQuery, type Spending } from "./queries";

const FIRST_BARS = 8;

/** For administrators: who paid how much where. */
export function SpendingView({ days }: { days: number }) {
  const spending = useQuery(spendingQuery(days));
  return (
    <QueryBoundary query={spending} skeleton={<SkeletonRows rows={6} />} empty={<EmptyState>No request was sent to an endpoint in {days} days. Choose a longer period, or run a model.</EmptyState>}>
      {(rows) => (
        <>
          <People rows={rows} days={days} />
          <SpendingTable rows={rows} />
        </>
      )}
    </QueryBoundary>
  );
}

function People({ rows, days }: { rows: Spending[]; days: number }) {
  const people = byPerson(rows);
  const { shown, more } = useFirstRows(people, FIRST_BARS);
  return (
    <section className={styles.section} aria-labelledby="people-costs">
      <h2 id="people-costs">By person</h2>
      <figure className={styles.figure}>
        <BarList
          label="Dollars by person"
          bars={shown.map(({ key, name, cost, calls }) => ({ key, label: name, note: formatPlural(calls, "request"), values: [{ key: "cost", value: cost, text: formatMoney(String(cost)) }] }))}
        />
        <AllRowsButton more={more} of="people" />
        <figcaption className={styles.quiet}>{spendingSentence(people, days)}</figcaption>
      </figure>
    </section>
  );
}

const COLUMNS = ["Person", "Endpoint", ...["Requests", "Tokens in", "Tokens out", "Paid", "Of it unknown"].map((label) => ({ label, isNumeric: true })), "Last request"];

function SpendingTable({ rows }: { rows: Spending[] }) {
  return (
    <section className={styles.section} aria-labelledby="endpoint-costs">
      <h2 id="endpoint-costs">By person and endpoint</h2>
      <p className={styles.quiet}>Unknown is what was charged at the worst case, because no answer arrived. Its tokens are not counted.</p>
      <DataTable label="Costs by person and endpoint" minWidth={920} folds columns={COLUMNS}>
        {rows.map((row) => (
          <tr key={`${row.person?.email ?? ""} ${row.endpoint.id}`}>
            <th scope="row">{personName(row)}{row.person?.name && <span className={styles.note}>{row.person.email}</span>}</th>
            <td>{row.endpoint.name}<span className={styles.note}>{row.model}</span></td>
            <td data-numeric>{formatCount(row.calls)}</td>
            <td data-numeric>{formatCount(row.tokens_in)}</td>
            <td data-numeric>{formatCount(row.tokens_out)}</td>
            <td data-numeric>{formatMoney(row.cost)}</td>
            <td data-numeric>{formatMoney(row.unknown_cost)}</td>
            <td>{formatDateTime(row.last_call_at)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
