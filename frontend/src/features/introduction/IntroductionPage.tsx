import { Suspense } from "react";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { ExpertBatch, Guidelines } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { batchesQuery, hasEnded, nextBatch } from "@/domains/studies/batches";
import { CONSENT_VERSION } from "@/domains/studies/consent";
import { GuidelineBody } from "@/domains/studies/guidelines/GuidelineBody";
import { guidelinesQuery } from "@/domains/studies/guidelines/guidelinesQuery";
import { findStudyKind } from "@/study-kinds/registry";
import { ConsentForm } from "./Consent";
import { Practice } from "./Practice";
import styles from "./Introduction.module.css";
import { NewGuidelines } from "./NewGuidelines";
import { RecordedDataList } from "./WhatIsRecorded";

export function IntroductionPage() {
  const { studyId = "" } = useParams();
  const batches = useQuery(batchesQuery);
  const guidelines = useQuery(guidelinesQuery(studyId));
  const rows = batches.data;
  const study = rows?.find((batch) => batch.study.id === studyId)?.study;
  const newest = guidelines.data?.versions[0];
  const skeleton = <div aria-busy="true"><SkeletonRows rows={12} height={64} /></div>;
  if (guidelines.isPending || batches.isPending) {
    return <Page title="Before you begin" parent={{ to: "/home", label: "My batches" }}>{skeleton}</Page>;
  }
  // A study that has ended has no next question, and a frozen one accepts no consent.
  if (study && !hasEnded(study.status) && newest && guidelines.data && mustReadAgain(guidelines.data)) {
    const next = nextBatch(rows ?? [], study.id);
    return <NewGuidelines study={study} guidelines={guidelines.data} newest={newest} first={next ? `/rank/${next.id}` : "/home"} />;
  }
  const kind = study && findStudyKind(study.kind);
  return (
    <Page title="Before you begin" parent={{ to: "/home", label: "My batches" }} intro={study?.name}>
      {study?.description && <p className={styles.introduction}>{study.description}</p>}
      {newest && (
        <section className={styles.section} aria-labelledby="guidelines-heading">
          <h2 id="guidelines-heading">Guidelines of this study</h2>
          <GuidelineBody guidelines={newest} />
        </section>
      )}
      {/* In one piece: a text that came later would move what is read. */}
      <Suspense fallback={skeleton}>
        {kind && (
          <>
            <section className={styles.section} aria-labelledby="meaning-heading">
              <h2 id="meaning-heading">{kind.definition.heading}</h2>
              <kind.definition.Text />
            </section>
            <kind.Instructions isDemo={study.is_demo} />
            {kind.practice && <Practice practice={kind.practice} />}
          </>
        )}
        <RecordedDataList ofKind={kind?.recordedData ?? []} hasOwnEvidence={Boolean(kind?.ownEvidence)} />
        <QueryBoundary query={batches} skeleton={<SkeletonRows rows={2} height={48} />}>
          {(all) => (study ? <Agreement study={study} rows={all} guidelines={guidelines} /> : <NoBatches />)}
        </QueryBoundary>
      </Suspense>
    </Page>
  );
}

/** Whether the expert takes part already, and has a version left that must be read. */
const mustReadAgain = ({ versions, read, consent }: Guidelines) =>
  consent === CONSENT_VERSION && versions.some((one) => one.must_be_read && one.number > read);

interface AgreementProps {
  study: ExpertBatch["study"];
  rows: ExpertBatch[];
  guidelines: UseQueryResult<Guidelines>;
}

/** Only below the guidelines that it is about. */
function Agreement({ study, rows, guidelines }: AgreementProps) {
  return (
    <QueryBoundary query={guidelines} skeleton={<SkeletonRows rows={2} height={48} />}>
      {({ versions }) => <ConsentForm study={study} rows={rows} guidelines={versions[0]?.number ?? 0} />}
    </QueryBoundary>
  );
}

function NoBatches() {
  return (
    <EmptyState action={<ButtonLink to="/home">My batches</ButtonLink>}>
      You have no batches in this study yet. You can begin when its coordinator assigns some and the study is open.
    </EmptyState>
  );
}
