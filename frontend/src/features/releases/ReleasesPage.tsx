import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { canOpen } from "@/domains/accounts/permissions";
import { RELEASE_STATES, trackLabel } from "@/domains/evaluation/labels";
import { releasesQuery, tracksQuery, type EvaluatedTrack, type Release } from "@/domains/evaluation/queries";
import { useCurrentUser } from "@/lib/currentUser";
import { formatCount, formatLongDate } from "@/lib/format";
import styles from "./Releases.module.css";

const NUMERIC = ["Dev items", "Test items", "Entries"].map((label) => ({ label, isNumeric: true }));

export function ReleasesPage() {
  const me = useCurrentUser();
  const releases = useQuery(releasesQuery);
  const tracks = useQuery(tracksQuery);
  // Rows grow where the label of a track comes after its slug.
  const isWaiting = tracks.isPending && tracks.failureCount === 0;
  const skeleton = <SkeletonRows rows={4} />;
  return (
    <Page
      title="Releases"
      width="wide"
      intro="Frozen versions of a track: public items, hidden answers, and one evaluator for all entries."
      actions={me && canOpen(me, "coordinator") && (
        <>
          <ButtonLink to="/releases/seal" size="large">Seal predictions</ButtonLink>
          <ButtonLink to="/releases/new" variant="primary" size="large">Make a release</ButtonLink>
        </>
      )}
    >
      <QueryBoundary query={releases} skeleton={skeleton} empty={<EmptyState>There is no release yet.</EmptyState>}>
        {(rows) => isWaiting ? skeleton : (
          <DataTable label="Releases" minWidth={860} folds columns={["Release", "Track", "State", ...NUMERIC, "Opens", "Closes"]}>
            {rows.map((release) => <Row key={release.slug} release={release} track={tracks.data?.find(({ slug }) => slug === release.track)} />)}
          </DataTable>
        )}
      </QueryBoundary>
    </Page>
  );
}

function Row({ release, track }: { release: Release; track: EvaluatedTrack | undefined }) {
  return (
    <tr>
      <th scope="row"><Link to={`/releases/${release.slug}`}>{release.name}</Link> {release.is_demo && <Tag>demo</Tag>}{release.is_sealed && <Tag>sealed</Tag>}</th>
      <td>{track ? trackLabel(track) : release.track}</td>
      <td>{RELEASE_STATES[release.state]}</td>
      <td data-numeric className="number">{formatCount(release.items.dev ?? 0)}</td>
      <td data-numeric className="number">{formatCount(release.items.test ?? 0)}</td>
      <td data-numeric className="number">{formatCount(release.entries)}</td>
      <td className={styles.date}>{release.opens_at ? formatLongDate(release.opens_at) : <span className={styles.quiet}>no date</span>}</td>
      <td className={styles.date}>{release.closes_at ? formatLongDate(release.closes_at) : <span className={styles.quiet}>no date</span>}</td>
    </tr>
  );
}
