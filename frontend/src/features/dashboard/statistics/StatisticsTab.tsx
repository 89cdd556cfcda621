import { Suspense } from "react";
import type { Dashboard, ExpertProgress, StatisticsFigure, StatisticsSection } from "@/api/contract";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import styles from "@/domains/studies/Statistics.module.css";
import { hasEnded } from "@/domains/studies/batches";
import { formatDateTime } from "@/lib/format";
import { studyKindInfo } from "@/study-kinds/registry";
import dashboardStyles from "../Dashboard.module.css";
import { JudgesSection } from "./JudgesSection";
import { countLabel, expertLabel, intervalLabel, pValueLabel, valueLabel } from "./labels";
import { useStatistics } from "./statisticsQuery";

/** Every figure of the study with its interval, or why there is none, and its method. */
export function StatisticsTab({ dashboard }: { dashboard: Dashboard }) {
  const query = useStatistics(dashboard.study.id);
  const { Statistics } = studyKindInfo(dashboard.study.kind).dashboard;
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={8} height={40} />}>
      {({ sections, computed_at: computedAt, stale }) => (
        <div className={dashboardStyles.column}>
          {!hasEnded(dashboard.study.status) && (
            <Notice>The study is {dashboard.study.status}: only shares have intervals, which hold however often you look. All other intervals, p-values and ranks come when it is closed, here and under Progress.</Notice>
          )}
          <p className={styles.note} role="status">{statusText(computedAt, stale)}</p>
          {sections?.length === 0 && <EmptyState>This kind of study has no statistics yet.</EmptyState>}
          {sections?.map((section) => <SectionTable key={section.name} section={section} experts={dashboard.experts} />)}
          <JudgesSection study={dashboard.study} />
          {Statistics && <Suspense><Statistics study={dashboard.study.id} /></Suspense>}
        </div>
      )}
    </QueryBoundary>
  );
}

function statusText(computedAt: string | null, isStale: boolean): string {
  if (computedAt === null) return "The statistics are being computed. They appear here within a minute.";
  const computed = `Computed ${formatDateTime(computedAt)}.`;
  return isStale ? `${computed} There are newer answers; new figures appear within a minute.` : computed;
}

const FIRST_FIGURES = 10;

function SectionTable({ section, experts }: { section: StatisticsSection; experts: ExpertProgress[] }) {
  const heading = `statistics-${section.name}`;
  const { shown, more } = useFirstRows(section.figures, FIRST_FIGURES, ({ is_flagged: isFlagged }) => isFlagged);
  const methods = [...new Set(section.figures.map(({ method }) => method))];
  return (
    <section className={dashboardStyles.section} aria-labelledby={heading}>
      <h2 id={heading}>{section.title}</h2>
      {section.note && <p className={styles.note}>{section.note}</p>}
      <DataTable
        label={`Figures: ${section.title}`} minWidth={860} folds
        columns={["Figure", { label: "Value", isNumeric: true }, "95% interval", { label: "p", isNumeric: true }, "Based on", "Notes"]}
      >
        {shown.map((figure) => <Row key={`${figure.name} ${figure.label} ${figure.expert}`} figure={figure} experts={experts} />)}
      </DataTable>
      <AllRowsButton more={more} of="figures" />
      <details className={styles.methods}>
        <summary>Methods</summary>
        <ul>{methods.map((method) => <li key={method}>{method}</li>)}</ul>
      </details>
    </section>
  );
}

function Row({ figure, experts }: { figure: StatisticsFigure; experts: ExpertProgress[] }) {
  return (
    <tr>
      <th scope="row" className={styles.label}>
        {figure.label} {figure.is_flagged && <Tag>look at it</Tag>}
        {figure.expert && <span className={styles.expert}>{expertLabel(figure.expert, experts)}</span>}
      </th>
      <td data-numeric data-unknown={figure.value === null || undefined}>{valueLabel(figure)}</td>
      <td className={styles.interval}>{intervalLabel(figure)}</td>
      <td data-numeric>{pValueLabel(figure)}</td>
      <td>{countLabel(figure)}</td>
      <td className={styles.notes}>{figure.note}</td>
    </tr>
  );
}
