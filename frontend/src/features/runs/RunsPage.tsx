import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatMoney } from "@/domains/endpoints/labels";
import { formatDateTime } from "@/lib/format";
import { progressText, RUN_STATES, samplingText } from "./labels";
import { runsQuery, type RunSummary } from "./queries";
import styles from "./Runs.module.css";

export function RunsPage() {
  const runs = useQuery(runsQuery);
  return (
    <Page title="Runs" width="wide" parent={{ to: "/submissions", label: "Submissions" }} intro="Language models that answer the items of a release for you." actions={<><ButtonLink to="/costs">Costs</ButtonLink><ButtonLink to="/endpoints">Endpoints</ButtonLink><ButtonLink to="/releases" variant="primary">Choose a release</ButtonLink></>}>
      <QueryBoundary query={runs} skeleton={<SkeletonRows rows={4} />} empty={<EmptyState>You have no runs yet. Open a release and choose ‘Run a model’.</EmptyState>}>
        {(rows) => (
          <DataTable label="Your runs" minWidth={720} folds columns={["Model", "Release", "Task", "State", "Items", { label: "Spent", isNumeric: true }, "Made"]}>
            {rows.map((run) => <Row key={run.id} run={run} />)}
          </DataTable>
        )}
      </QueryBoundary>
    </Page>
  );
}

function Row({ run }: { run: RunSummary }) {
  const sampling = samplingText(run.settings);
  return (
    <tr>
      <th scope="row"><Link to={`/runs/${run.id}`}>{run.model.name}</Link>{run.is_of_command && <span className={styles.detail}>Started by a command</span>}</th>
      <td>{run.release.title}</td>
      <td>
        {run.task.title}
        {sampling && <span className={styles.detail}>{sampling}</span>}
      </td>
      <td>{RUN_STATES[run.state]}</td>
      <td>{progressText(run.progress)}</td>
      <td data-numeric className="number">{run.budget ? formatMoney(run.budget.spent) : ""}</td>
      <td>{formatDateTime(run.created_at)}</td>
    </tr>
  );
}
