import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releasesQuery, submissionsQuery, type Submission } from "@/domains/evaluation/queries";
import { formatRecentDate } from "@/lib/format";
import { stateLabel } from "./labels";
import { ToolSessionList } from "./ToolSessionList";
import styles from "./Submissions.module.css";

export function SubmissionsPage() {
  const submissions = useQuery(submissionsQuery);
  return (
    <Page
      title="Submissions"
      width="wide"
      intro="Your predictions and those of your team's models. The organisers of a release see those for it as well."
      actions={<><ButtonLink to="/runs">Runs of models</ButtonLink><ButtonLink to="/team">Team</ButtonLink><ButtonLink to="/submissions/new" variant="primary">Submit predictions</ButtonLink></>}
    >
      <QueryBoundary query={submissions} skeleton={<SkeletonRows rows={4} />} empty={<OpenReleases />}>
        {(rows) => (
          <DataTable label="Your submissions" minWidth={640} folds columns={["Model", "Release", "File", "State", "Submitted by", "Submitted"]}>
            {rows.map((row) => <Row key={row.id} row={row} />)}
          </DataTable>
        )}
      </QueryBoundary>
      {!submissions.isPending && <ToolSessionList />}
    </Page>
  );
}

/** Where to begin. */
function OpenReleases() {
  const open = useQuery(releasesQuery).data?.filter(({ state }) => state === "open");
  if (!open) return <SkeletonRows rows={2} />;
  return (
    <>
      <EmptyState>You have not submitted predictions yet. {open.length > 0 ? "These releases take them now:" : "No release takes them now."}</EmptyState>
      <ul className={styles.list}>{open.map(({ slug, name }) => <li key={slug}><ButtonLink to={`/releases/${slug}`}>{name}</ButtonLink></li>)}</ul>
    </>
  );
}

function Row({ row }: { row: Submission }) {
  return (
    <tr>
      <th scope="row"><Link to={`/submissions/${row.id}`}>{row.model.name}</Link></th>
      <td>{row.release_name}</td>
      <td>{row.file_name}</td>
      <td>{stateLabel(row)}</td>
      <td>{row.submitter ?? "an operator"}</td>
      <td>{formatRecentDate(row.created_at)}</td>
    </tr>
  );
}
