import { useState, type ReactNode } from "react";
import { useParams, useSearchParams } from "react-router";
import type { Dashboard, Id } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { onDemand } from "@/components/onDemand";
import { Page } from "@/components/Page";
import { LoadError } from "@/components/QueryBoundary";
import { Skeleton } from "@/components/Skeleton";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { InvitationTable } from "@/domains/accounts/invitations/InvitationTable";
import type { RoleOption } from "@/domains/accounts/invitations/InviteDialog";
import { hasEnded } from "@/domains/studies/batches";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import { hasErrorCode } from "@/lib/errorMessages";
import { studyKindInfo } from "@/study-kinds/registry";
import { AnswerDistribution } from "./AnswerDistribution";
import { BatchTable } from "./BatchTable";
import { ConnectionStatus } from "@/components/ConnectionStatus";
import styles from "./Dashboard.module.css";
import { DashboardActions } from "./DashboardActions";
import { EvidenceSection } from "./EvidenceSection";
import { ExpertSection } from "./ExpertSection";
import { summaryStats, batchHint, batchLabel } from "./labels";
import { useDashboard, invitationsPath } from "./queries";
import { ShortageNotice } from "./participation/ShortageNotice";
import { RecentActivity } from "./RecentActivity";
import { StudyTabs, studyTab } from "./StudyTabs";
import { TabContent, usePreloadedTab } from "./TabContent";
import { useLiveUpdates } from "./useLiveUpdates";

const InviteSeveralDialog = onDemand(async () => (await import("@/domains/accounts/invitations/InviteSeveralDialog")).InviteSeveralDialog);
const ReleaseNotice = onDemand(async () => (await import("./life/ReleaseNotice")).ReleaseNotice);
const FreezingNotice = onDemand(async () => (await import("./life/FreezingNotice")).FreezingNotice);

const PARENT = { to: "/studies", label: "Studies" };

export function DashboardPage() {
  const { id = "" } = useParams();
  // Another study has a dashboard of its own: nothing of the last one stays.
  return <StudyDashboard key={id} id={id} />;
}

function StudyDashboard({ id }: { id: Id }) {
  usePreloadedTab(studyTab(useSearchParams()[0]));
  const connection = useLiveUpdates(id);
  const query = useDashboard(id, connection);
  const { data, error } = query;
  if (hasErrorCode(error, "not_found", "not_allowed", "http_404")) return <NoAccess />;
  if (data) {
    const status = <ConnectionStatus connection={connection} isFailing={query.isRefetchError} readAt={query.dataUpdatedAt} />;
    // A study that has ended does not change, so that a live connection means nothing.
    const isShown = !hasEnded(data.study.status) || query.isRefetchError;
    return <DashboardContent dashboard={data} connection={isShown && status} />;
  }
  return (
    <Page title={error ? "The dashboard could not be loaded" : "Dashboard"} parent={PARENT} width="wide">
      {error ? <LoadError error={error} onRetry={() => void query.refetch()} isBusy={query.isFetching} /> : <DashboardSkeleton />}
    </Page>
  );
}

function DashboardContent({ dashboard, connection }: { dashboard: Dashboard; connection: React.ReactNode }) {
  const { study } = dashboard;
  const invite = useInviteDialog(dashboard);
  const info = studyKindInfo(study.kind);
  const tab = studyTab(useSearchParams()[0]);
  const aside = (
    <>
      {study.is_demo && <Tag>demo</Tag>}
      {study.status !== "open" && <Tag>{study.status}</Tag>}
      {connection}
    </>
  );
  return (
    <Page
      title={study.name}
      parent={PARENT}
      width="wide"
      aside={aside}
      actions={<DashboardActions study={study} ResultAction={info.dashboard.ResultAction} onInvite={invite.open} />}
    >
      <StudyTabs study={study.id} current={tab} />
      {study.status === "closed" && <FreezingNotice study={study} />}
      {tab === "progress" && <Progress info={info} dashboard={dashboard} onInvite={invite.open} />}
      {tab !== "progress" && <TabContent tab={tab} info={info} dashboard={dashboard} />}
      {invite.dialog}
    </Page>
  );
}

interface ProgressProps {
  info: StudyKindInfo;
  dashboard: Dashboard;
  onInvite: () => void;
}

function Progress({ info, dashboard, onInvite }: ProgressProps) {
  const { study, batches } = dashboard;
  return (
    <>
      {study.status === "frozen" && <ReleaseNotice study={study.id} />}
      <SummaryStats info={info} dashboard={dashboard} />
      <div className={styles.main}>
        <div className={styles.column}>
          <BatchTable info={info} batches={batches} />
          <AnswerDistribution info={info} batches={batches} />
        </div>
        <RecentActivity info={info} dashboard={dashboard} />
      </div>
      <ShortageNotice study={study.id} />
      <ExpertSection info={info} board={dashboard} onInvite={onInvite} />
      <EvidenceSection board={dashboard} />
      <InvitationSection study={study} />
    </>
  );
}

function NoAccess() {
  return (
    <Page title="Dashboard not found" parent={PARENT}>
      <p>The link may be incomplete, or you do not coordinate this study. Ask its coordinators to invite you.</p>
      <div><ButtonLink to="/studies" variant="primary" size="large">To my studies</ButtonLink></div>
    </Page>
  );
}

function DashboardSkeleton() {
  return (
    <div aria-busy="true" className={styles.column}>
      <Skeleton height={82} />
      <div className={styles.main}>
        <SkeletonRows rows={6} height={40} />
        <SkeletonRows rows={5} height={36} />
      </div>
    </div>
  );
}

function InvitationSection({ study: { id, status } }: Pick<Dashboard, "study">) {
  const hint = hasEnded(status) ? "" : " Choose Invite above to send the first.";
  return (
    <section className={styles.section} aria-labelledby="invitations-heading">
      <h2 id="invitations-heading">Invitations</h2>
      <InvitationTable path={invitationsPath(id)} emptyText={`No invitations yet.${hint}`} />
    </section>
  );
}

function SummaryStats({ info, dashboard }: { info: StudyKindInfo; dashboard: Dashboard }) {
  return (
    <dl className={styles.figures} aria-label="Summary of the study">
      {summaryStats(info, dashboard).map(({ label, value, note, hasValue }) => (
        <div key={label} className={styles.figure}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.value} data-unknown={!hasValue || undefined}>{value}</span>{" "}
            <span className={styles.note}>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ROLE_OPTIONS: [RoleOption, ...RoleOption[]] = [
  { value: "expert", label: "Expert", hint: "Answers the questions of the batches below." },
  { value: "coordinator", label: "Coordinator", hint: "Sees this dashboard and every answer, invites and exports." },
];

function useInviteDialog({ study, batches }: Dashboard): { open: () => void; dialog: ReactNode } {
  const [isOpen, setIsOpen] = useState(false);
  const dialog = isOpen && (
    <InviteSeveralDialog
      path={invitationsPath(study.id)}
      roles={ROLE_OPTIONS}
      batches={batches.map((batch) => ({ id: batch.id, name: batchLabel(batch), hint: batchHint(batch) }))}
      isOpen
      onClose={() => setIsOpen(false)}
    />
  );
  return { open: () => setIsOpen(true), dialog };
}
