import { Link } from "react-router";
import type { ExpertBatch, Id } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { nextBatch } from "@/domains/studies/batches";
import { useUnsentAnswers } from "@/domains/studies/unsentAnswers";
import { useBatches } from "@/domains/studies/useBatches";
import { WithdrawalStatus } from "@/domains/studies/WithdrawalStatus";
import styles from "./Batches.module.css";
import { BatchListLoader } from "./BatchListLoader";
import { BatchRow } from "./BatchRow";
import { MarkLegend } from "./marks/QuestionMarks";
import { NextQuestion } from "./NextQuestion";
import { QualificationNotice } from "./QualificationNotice";
import { StudyAbout } from "./StudyAbout";
import { TEXTS_TO_READ } from "./textsToRead";
import { UnreadThreads } from "./UnreadThreads";
import { WithdrawButton } from "./withdrawal/WithdrawButton";
import { UnsentAnswerList } from "./UnsentAnswerList";

export function HomePage() {
  const batches = useBatches();
  const unsent = useUnsentAnswers();
  return (
    <Page title="My batches">
      <WithdrawalStatus />
      <UnsentAnswerList answers={unsent} />
      <UnreadThreads />
      <BatchListLoader batches={batches} skeleton={<SkeletonRows rows={4} height={72} />}>
        {(rows) => <Studies rows={rows} canOpen={batches.canOpenOffline} />}
      </BatchListLoader>
    </Page>
  );
}

function Studies({ rows, canOpen }: { rows: ExpertBatch[]; canOpen: (batch: Id) => boolean }) {
  if (rows.length === 0) {
    return <EmptyState>You have no batches yet. They appear here when a coordinator assigns them to you and the study is open.</EmptyState>;
  }
  const next = nextBatch(rows.filter(({ id }) => canOpen(id)))?.id;
  return (
    <>
      <NextQuestion rows={rows} canOpen={canOpen} />
      {groupByStudy(rows).map(({ study, batches }) => (
        <section key={study.id} className={styles.study} aria-labelledby={`study-${study.id}`}>
          <div className={styles.heading}>
            <h2 id={`study-${study.id}`}>{study.name}</h2>
            {study.is_demo && <Tag>demo</Tag>}
            {study.status !== "open" && <Tag>{study.status}</Tag>}
          </div>
          <StudyAbout study={study} />
          <QualificationNotice qualification={study.qualification} />
          <ul className={styles.list}>
            {batches.map((batch) => (
              <BatchRow key={batch.id} batch={batch} isNext={batch.id === next} canOpen={canOpen(batch.id)} />
            ))}
          </ul>
          <StudyFoot batches={batches} isNext={batches.some(({ id }) => id === next)} />
        </section>
      ))}
    </>
  );
}

/** What the marks mean, what is next in this study, and what the expert did for it. */
function StudyFoot({ batches, isNext }: { batches: ExpertBatch[]; isNext: boolean }) {
  const [{ study } = { study: undefined }] = batches;
  if (!study) return null;
  const hasRead = study.to_read === null;
  const hasAnswers = batches.some(({ answered }) => answered > 0);
  const isDone = study.status === "open" && study.qualification?.state !== "failed" && batches.every(({ answered, total }) => answered === total);
  return (
    <>
      {isDone && <p>Thank you: every question has your answer. Once the study is closed, you read here how the others answered.</p>}
      {study.to_read && !isNext && (
        <div><ButtonLink to={`/studies/${study.id}/introduction`}>{TEXTS_TO_READ[study.to_read].label}</ButtonLink></div>
      )}
      <div className={styles.foot}>
        <MarkLegend batches={batches} />
        {(hasRead || hasAnswers || study.status !== "frozen") && <nav className={styles.links} aria-label={`About your part in ${study.name}`}>
          {hasRead && <Link to={`/studies/${study.id}/introduction`} className={styles.cite}>Introduction and guidelines</Link>}
          {hasAnswers && <Link to={`/studies/${study.id}/contribution`} className={styles.cite}>My contribution, to be cited</Link>}
          {study.status !== "frozen" && <WithdrawButton study={study} />}
        </nav>}
      </div>
    </>
  );
}

function groupByStudy(rows: ExpertBatch[]): { study: ExpertBatch["study"]; batches: ExpertBatch[] }[] {
  const studies = new Map<Id, { study: ExpertBatch["study"]; batches: ExpertBatch[] }>();
  for (const batch of rows) {
    const group = studies.get(batch.study.id) ?? { study: batch.study, batches: [] };
    group.batches.push(batch);
    studies.set(batch.study.id, group);
  }
  return [...studies.values()];
}
