import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { EmptyState } from "@/components/EmptyState";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { releaseQuery, type Release } from "@/domains/evaluation/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { CorrectionRow } from "./CorrectionRow";
import { draftOf, readDrafts, type Draft } from "./drafts";
import styles from "./Errata.module.css";
import { keyText } from "./labels";
import { ItemPicker } from "./ItemPicker";
import { reportsQuery, useCorrect, type ItemReport } from "./queries";
import { RescoreNotice } from "./RescoreNotice";

const TITLE = "Correct the release";

export function CorrectionPage() {
  const { slug = "" } = useParams();
  const release = useQuery(releaseQuery(slug));
  const reports = useQuery(reportsQuery(slug));
  const parent = { to: `/releases/${slug}/reports`, label: "Reports" };
  return (
    <PageBoundary query={release} title={TITLE} parent={parent} rows={4}>
      {(data) => (
        <Page
          title={TITLE}
          parent={parent}
          intro={`A release that corrects ${data.name} takes its place, with the same splits. All entries are scored again.`}
        >
          <RescoreNotice release={data} />
          {!data.can_change && <Notice tone="warn">Only the organiser of the release can correct it.</Notice>}
          {data.corrected_by && <Corrected later={data.corrected_by} />}
          {data.can_change && !data.corrected_by && (
            <QueryBoundary query={reports} skeleton={<SkeletonRows rows={4} />}>{(rows) => <Corrections release={data} reports={rows} />}</QueryBoundary>
          )}
        </Page>
      )}
    </PageBoundary>
  );
}

function Corrected({ later }: { later: string }) {
  return (
    <Notice>
      <p>A later release corrects this one.</p>
      <FormActions>
        <ButtonLink to={`/releases/${later}/changes`}>See the rank changes</ButtonLink>
        <ButtonLink to={`/releases/${later}/correct`}>Correct the later one</ButtonLink>
      </FormActions>
    </Notice>
  );
}

function acceptedDrafts(reports: ItemReport[]): Draft[] {
  const drafts = reports.filter(({ state }) => state === "accepted").map((report) => draftOf(report.item, report.content, report.answer));
  return drafts.filter(({ id }, at) => drafts.findIndex((one) => one.id === id) === at);
}

function Corrections({ release, reports }: { release: Release; reports: ItemReport[] }) {
  const [drafts, setDrafts] = useState(() => acceptedDrafts(reports));
  const [name, setName] = useState(`${release.name}, corrected`);
  const [isConfirming, setConfirming] = useState(false);
  const correct = useCorrect(release.slug);
  if (correct.data) return <Progress slug={correct.data.release} job={correct.data.job.id} />;
  const { corrections, faulty } = readDrafts(drafts);
  const isReady = drafts.length > 0 && faulty.length === 0 && name.trim() !== "" && !correct.isPending;
  const change = (draft: Draft) => setDrafts((all) => all.map((one) => (one.id === draft.id ? draft : one)));
  const remove = (id: string) => setDrafts((all) => all.filter((one) => one.id !== id));
  const errors = fieldErrors(correct.error);
  return (
    <>
      <section className={styles.section} aria-label="Corrections">
        <h2>{formatPlural(drafts.length, "item")}</h2>
        {drafts.length === 0 && <EmptyState>Accept a report, or add an item below.</EmptyState>}
        {drafts.map((draft) => (
          <CorrectionRow key={draft.id} draft={draft} isFaulty={faulty.includes(draft.id)} onChange={change} onRemove={() => remove(draft.id)} />
        ))}
      </section>
      <AddItem release={release} drafts={drafts} onAdd={(draft) => setDrafts((all) => [...all, draft])} />
      <section className={styles.section} aria-label="The corrected release">
        <div className={styles.form}>
          <Form onSubmit={() => isReady && setConfirming(true)}>
            <TextField label="Name of the corrected release" value={name} onChange={setName} maxLength={200} />
            {correct.isError && <Notice tone="bad">{errorMessage(correct.error)}</Notice>}
            {errors.length > 0 && <ErrorTable title="All errors" rows={errorRows(errors).map((row) => ({ ...row, location: locationText(row.location, drafts) }))} />}
            <FormActions>
              <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{correct.isPending ? "Correcting" : "Correct and score again"}</Button>
            </FormActions>
          </Form>
          <ConfirmDialog
            title={`Correct ${release.name}?`}
            isOpen={isConfirming}
            onClose={() => setConfirming(false)}
            confirmLabel="Correct it"
            busyLabel="Correcting"
            onConfirm={() => correct.mutate({ name: name.trim(), corrections }, { onSettled: () => setConfirming(false) })}
            mutation={{ isPending: correct.isPending, error: null }}
          >
            <p>{release.name} is deprecated for good: it cannot be opened again. {name.trim()} takes its place.</p>
          </ConfirmDialog>
        </div>
      </section>
    </>
  );
}

/** 'Gene|0: answer.label' for 'corrections[0].answer.label'. */
function locationText(location: string, drafts: Draft[]): string {
  const [, number, rest = ""] = /^corrections\[(\d+)\]\.?(.*)$/.exec(location) ?? [];
  const draft = number === undefined ? undefined : drafts[Number(number)];
  return draft ? [keyText(draft.key), rest].filter(Boolean).join(": ") : location;
}

function AddItem({ release, drafts, onAdd }: { release: Release; drafts: Draft[]; onAdd: (draft: Draft) => void }) {
  return (
    <section className={styles.section} aria-label="Add an item">
      <h2>Add an item</h2>
      <ItemPicker
        release={release}
        value={null}
        onChange={({ key, content }) => {
          const draft = draftOf(key, content, null);
          if (!drafts.some(({ id }) => id === draft.id)) onAdd(draft);
        }}
      />
    </section>
  );
}

function Progress({ slug, job: id }: { slug: string; job: string }) {
  const job = useJob(id).data;
  if (!job) return <SkeletonRows rows={2} />;
  if (!hasEnded(job)) return <JobProgress job={job} title="Scoring all entries again" cancelWarning="" />;
  if (job.state !== "succeeded") return <Notice tone="bad">{job.error?.detail ?? "The entries could not be scored."} It is tried again by itself.</Notice>;
  return (
    <Notice tone="good">
      <p>The corrected release has taken the place of the earlier one.</p>
      <div><ButtonLink to={`/releases/${slug}/changes`} variant="primary">See the rank changes</ButtonLink></div>
    </Notice>
  );
}
