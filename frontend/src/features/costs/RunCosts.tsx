import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Facts } from "@/components/Facts";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatMoney, sizeLabel } from "@/domains/endpoints/labels";
import { formatCount } from "@/lib/format";
import { addUp, byModel, byRelease, rounded } from "./costData";
import styles from "./Costs.module.css";
import { costsQuery, type ModelCost, type Whose } from "./queries";
import { ReleaseSection } from "./ReleaseSection";

/** The costs of runs: in sum, by setting of each release, in full, and by model. */
export function RunCosts({ whose }: { whose: Whose }) {
  const costs = useQuery(costsQuery(whose));
  return (
    <QueryBoundary query={costs} skeleton={<SkeletonRows rows={6} />} empty={<NoCosts whose={whose} />}>
      {(rows) => (
        <>
          <TotalFacts rows={rows} />
          {byRelease(rows).map((release) => <ReleaseSection key={release.slug} costs={release} />)}
          <AllRows rows={rows} />
          <Models rows={rows} />
        </>
      )}
    </QueryBoundary>
  );
}

function NoCosts({ whose }: { whose: Whose }) {
  const releases = <ButtonLink to="/releases">Choose a release</ButtonLink>;
  if (whose === "own") return <EmptyState action={releases}>You have no runs yet. Open a release and choose ‘Run a model’.</EmptyState>;
  return <EmptyState action={releases}>No run is on a board yet. A run is shown once it is scored and its endpoint may publish.</EmptyState>;
}

/** As many as the API counts for a page. */
const MOST_RUNS = 500;

function TotalFacts({ rows }: { rows: ModelCost[] }) {
  const { runs, items, calls, tokensIn, tokensOut, cost } = addUp(rows);
  const facts = { Cost: formatMoney(String(cost)), "Tokens in": formatCount(tokensIn), "Tokens out": formatCount(tokensOut), Requests: formatCount(calls), Items: formatCount(items), Runs: formatCount(runs) };
  return (
    <>
      <Facts className={styles.facts} aria-label="In sum">
        {Object.entries(facts).map(([name, text]) => <div key={name}><dt>{name}</dt><dd>{text}</dd></div>)}
      </Facts>
      {runs >= MOST_RUNS && <p>These are the latest {formatCount(MOST_RUNS)} runs. The files have all.</p>}
    </>
  );
}

const ALL_COLUMNS = [
  "Release", "Task and setting", "Model",
  ...["Items", "Requests", "Tokens in", "Tokens out", "Cost", "Cost of an item"].map((label) => ({ label, isNumeric: true })),
];

function AllRows({ rows }: { rows: ModelCost[] }) {
  return (
    <section className={styles.section} aria-labelledby="all-costs">
      <h2 id="all-costs">By release, task and model</h2>
      <DataTable label="Costs by release, task and model" minWidth={1000} columns={ALL_COLUMNS}>
        {rows.map((row) => (
          <tr key={`${row.release.slug} ${row.task.name} ${row.model}`}>
            <th scope="row"><Link to={`/releases/${row.release.slug}`}>{row.release.title}</Link></th>
            <td>{row.task.title}</td>
            <td className={styles.model}>{row.model}</td>
            <td data-numeric>{formatCount(row.items)}</td>
            <td data-numeric>{formatCount(row.calls)}</td>
            <td data-numeric>{formatCount(row.tokens_in)}</td>
            <td data-numeric>{formatCount(row.tokens_out)}</td>
            <td data-numeric>{formatMoney(row.cost)}</td>
            <td data-numeric>{formatMoney(row.cost_per_item)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

const MODEL_COLUMNS = ["Model", "Size", ...["Runs", "Items", "Requests", "Tokens in of an item", "Tokens out of an item", "Cost"].map((label) => ({ label, isNumeric: true }))];

function Models({ rows }: { rows: ModelCost[] }) {
  return (
    <section className={styles.section} aria-labelledby="model-costs">
      <h2 id="model-costs">By model</h2>
      <DataTable label="Costs by model" minWidth={860} columns={MODEL_COLUMNS}>
        {byModel(rows).map(({ model, parameters, runs, items, calls, tokensIn, tokensOut, cost }) => (
          <tr key={model}>
            <th scope="row" className={styles.model}>{model}</th>
            <td>{sizeLabel(parameters) || "not known"}</td>
            <td data-numeric>{formatCount(runs)}</td>
            <td data-numeric>{formatCount(items)}</td>
            <td data-numeric>{formatCount(calls)}</td>
            <td data-numeric>{rounded(tokensIn / Math.max(items, 1))}</td>
            <td data-numeric>{rounded(tokensOut / Math.max(items, 1))}</td>
            <td data-numeric>{formatMoney(String(cost))}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
