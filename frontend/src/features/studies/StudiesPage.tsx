import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { Link } from "react-router";
import { call } from "@/api/client";
import type { StudySummary } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Empty } from "@/components/Empty";
import { Loadable } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { ProgressBar } from "@/components/ProgressBar";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { count, longDay } from "@/lib/format";
import styles from "./Studies.module.css";

export function StudiesPage() {
  const studies = useQuery({
    queryKey: ["studies"],
    queryFn: async () => (await call<{ results: StudySummary[] }>("/api/v1/studies")).results,
  });
  return (
    <Page
      title="Studies"
      width="wide"
      actions={
        <ButtonLink to="/studies/new" look="primary" size="large">
          <FileUp size={16} aria-hidden />
          Import a questionnaire
        </ButtonLink>
      }
    >
      <Loadable query={studies} skeleton={<SkeletonRows rows={4} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              The studies that you coordinate will be here. Importing a questionnaire makes the first one.
            </Empty>
          ) : (
            <StudyTable rows={rows} />
          )
        }
      </Loadable>
    </Page>
  );
}

function StudyTable({ rows }: { rows: StudySummary[] }) {
  return (
    <DataTable label="Studies" minWidth={820}>
      <thead>
        <tr>
          <th scope="col">Study</th>
          <th scope="col">Answered</th>
          <th scope="col" data-numeric>
            Batches
          </th>
          <th scope="col" data-numeric>
            Questions
          </th>
          <th scope="col" data-numeric>
            Experts
          </th>
          <th scope="col">State</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((study) => (
          <StudyRow key={study.id} study={study} />
        ))}
      </tbody>
    </DataTable>
  );
}

function StudyRow({ study }: { study: StudySummary }) {
  return (
    <tr>
      <th scope="row">
        <Link to={`/studies/${study.id}`}>{study.name}</Link> {study.is_demo && <Tag>demo</Tag>}
      </th>
      <td>
        <Answered study={study} />
      </td>
      <td data-numeric>{count(study.batches)}</td>
      <td data-numeric>{count(study.questions)}</td>
      <td data-numeric>{count(study.experts)}</td>
      <td>{study.status}</td>
      <td className={styles.date}>{longDay(study.created_at)}</td>
    </tr>
  );
}

function Answered({ study }: { study: StudySummary }) {
  if (study.expected === 0) return <span className={styles.quiet}>nothing assigned yet</span>;
  return (
    <div className={styles.answered}>
      <ProgressBar label={`${study.name}, answered`} value={study.answered} total={study.expected} />
      <span className="number">
        {count(study.answered)} of {count(study.expected)}
      </span>
    </div>
  );
}
