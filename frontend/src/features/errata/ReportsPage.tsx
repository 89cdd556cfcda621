import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import styles from "./Errata.module.css";
import { reportsQuery } from "./queries";
import { ReportCard } from "./ReportCard";
import { ReportForm } from "./ReportForm";

const TITLE = "Reports of items";

/** Reports of faulty items: one's own, or all of them for the organiser. */
export function ReportsPage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  return (
    <PageBoundary query={release} title={TITLE} parent={{ to: `/releases/${slug}`, label: "Release" }} rows={4}>
      {(data) => (
        <Page
          title={TITLE}
          parent={{ to: `/leaderboard/${data.track}?release=${data.slug}`, label: "Leaderboard" }}
          intro={`${data.name}: items whose answer or text is wrong. Accepted reports lead to a corrected release.`}
          actions={data.can_change && <ButtonLink to={`/releases/${slug}/correct`} variant="primary">Correct the release</ButtonLink>}
        >
          <Reports release={data} />
          <section className={styles.section} aria-labelledby="new-report">
            <h2 id="new-report">Report an item</h2>
            <ReportForm release={data} />
          </section>
        </Page>
      )}
    </PageBoundary>
  );
}

function Reports({ release }: { release: Release }) {
  const reports = useQuery(reportsQuery(release.slug));
  const title = release.can_change ? "All reports" : "Your reports";
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <QueryBoundary query={reports} skeleton={<SkeletonRows rows={3} />} empty={<EmptyState>No item has been reported yet.</EmptyState>}>
        {(rows) => rows.map((report) => <ReportCard key={report.id} report={report} release={release} />)}
      </QueryBoundary>
    </section>
  );
}
