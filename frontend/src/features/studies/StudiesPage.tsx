import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { Link } from "react-router";
import type { StudySummary } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { ProgressBar } from "@/components/ProgressBar";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { formatCount, formatLongDate } from "@/lib/format";
import { readListQuery } from "@/lib/readQuery";
import styles from "./Studies.module.css";

export function StudiesPage() {
  const studies = useQuery(readListQuery<StudySummary>(["studies"], "/api/v1/studies"));
  return (
    <Page
      title="Studies"
      width="wide"
      actions={
        <>
          <ButtonLink to="/studies/plan" size="large">Plan a study</ButtonLink>
          <ButtonLink to="/studies/new" variant="primary" size="large">
            <Plus size={16} aria-hidden />
            New study
          </ButtonLink>
        </>
      }
    >
      <QueryBoundary
        query={studies}
        skeleton={<SkeletonRows rows={4} />}
        empty={<EmptyState>You coordinate no studies yet. Create the first with New study.</EmptyState>}
      >
        {(rows) => <StudyTable rows={rows} />}
      </QueryBoundary>
    </Page>
  );
}

function StudyTable({ rows }: { rows: StudySummary[] }) {
  return (
    <DataTable
      label="Studies" minWidth={820} folds
      columns={["Study", "Answered", ...["Batches", "Questions", "Experts"].map((label) => ({ label, isNumeric: true })), "State", "Since"]}
    >
      {rows.map((study) => <StudyRow key={study.id} study={study} />)}
    </DataTable>
  );
}

function StudyRow({ study }: { study: StudySummary }) {
  return (
    <tr>
      <th scope="row">
        <Link to={`/studies/${study.id}`}>{study.name}</Link> {study.is_demo && <Tag>demo</Tag>}
      </th>
      <td><AnsweredCell study={study} /></td>
      <td data-numeric>{formatCount(study.batches)}</td>
      <td data-numeric>{formatCount(study.questions)}</td>
      <td data-numeric>{formatCount(study.experts)}</td>
      <td>{study.status}</td>
      <td className={styles.date}>{formatLongDate(study.created_at)}</td>
    </tr>
  );
}

function AnsweredCell({ study }: { study: StudySummary }) {
  if (study.expected === 0) return <span className={styles.quiet}>nothing assigned yet</span>;
  return (
    <div className={styles.answered}>
      <ProgressBar label={`${study.name}, answered`} value={study.answered} total={study.expected} />
      <span className="number">{formatCount(study.answered)} of {formatCount(study.expected)}</span>
    </div>
  );
}
