import { useEffect, type ComponentType, type ReactNode } from "react";
import type { Dashboard } from "@/api/contract";
import { onDemand } from "@/components/onDemand";
import { SkeletonRows } from "@/components/SkeletonRows";
import type { StudyKindInfo } from "@/domains/studies/studyKind";
import type { StudyTab } from "./StudyTabs";

interface Props {
  info: StudyKindInfo;
  dashboard: Dashboard;
}

type TabProps = Props & { study: Dashboard["study"] };

interface LoadedTab {
  load: () => Promise<unknown>;
  Tab: ComponentType<TabProps & { waiting?: ReactNode }>;
  rows: number;
  rowHeight: number;
}

/** Each tab but the first has a script of its own. */
const TABS: Record<Exclude<StudyTab, "progress">, LoadedTab> = {
  questions: lazyTab(async () => (await import("./questions/QuestionsTab")).QuestionsTab, 6, 48),
  adjudication: lazyTab(async () => (await import("./adjudication/AdjudicationTab")).AdjudicationTab, 4, 72),
  statistics: lazyTab(async () => (await import("./statistics/StatisticsTab")).StatisticsTab, 6, 48),
  preview: lazyTab(async () => (await import("./preview/PreviewTab")).PreviewTab, 6, 48),
  guidelines: lazyTab(async () => (await import("./guidelines/GuidelinesTab")).GuidelinesTab, 6, 48),
  participation: lazyTab(async () => (await import("./participation/ParticipationTab")).ParticipationTab, 6, 48),
  webhooks: lazyTab(async () => (await import("./webhooks/WebhooksTab")).WebhooksTab, 3, 72),
};

function lazyTab(load: () => Promise<ComponentType<TabProps>>, rows: number, rowHeight: number): LoadedTab {
  return { load, Tab: onDemand(load), rows, rowHeight };
}

export function TabContent({ tab, ...props }: Props & { tab: Exclude<StudyTab, "progress"> }) {
  const { Tab, rows, rowHeight } = TABS[tab];
  return (
    <Tab key={tab} {...props} study={props.dashboard.study} waiting={<SkeletonRows rows={rows} height={rowHeight} />} />
  );
}

/** The script of the tab comes while the study is read, not after it. */
export function usePreloadedTab(tab: StudyTab): void {
  useEffect(() => {
    if (tab !== "progress") TABS[tab].load().catch(() => undefined); // drawing it shows the error
  }, [tab]);
}
