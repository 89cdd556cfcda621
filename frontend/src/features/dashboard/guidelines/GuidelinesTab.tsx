import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import type { Dashboard, Guidelines, GuidelineVersion, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { EmptyState } from "@/components/EmptyState";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { TextField } from "@/components/TextField";
import { hasEnded } from "@/domains/studies/batches";
import { GuidelineChanges } from "@/domains/studies/guidelines/GuidelineChanges";
import { guidelinesPath, guidelinesQuery } from "@/domains/studies/guidelines/guidelinesQuery";
import { errorMessage } from "@/lib/errorMessages";
import { formatDateTime } from "@/lib/format";
import dashboardStyles from "../Dashboard.module.css";
import { useStudyMutation } from "../queries";
import { useGuidelinesDraft } from "./useGuidelinesDraft";

const MAX_LENGTH = 20_000;

/** The text that experts read while they answer, and its versions. */
export function GuidelinesTab({ study }: { study: Dashboard["study"] }) {
  const query = useQuery(guidelinesQuery(study.id));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={6} height={48} />}>
      {({ versions }) => (
        <div className={dashboardStyles.column}>
          {!hasEnded(study.status) && <NewVersion study={study.id} versions={versions} />}
          <section className={dashboardStyles.section} aria-labelledby="versions-heading">
            <h2 id="versions-heading">Versions</h2>
            {versions.length === 0 && <EmptyState>No guidelines yet. Write the first version above; experts read it beside each question.</EmptyState>}
            {versions.map((version, place) => <Version key={version.number} version={version} before={versions[place + 1]} isNewest={place === 0} />)}
          </section>
        </div>
      )}
    </QueryBoundary>
  );
}

function NewVersion({ study, versions }: { study: Id; versions: GuidelineVersion[] }) {
  const [newest] = versions;
  const { text, setText, isOutdated } = useGuidelinesDraft(study, versions);
  const [mustBeRead, setMustBeRead] = useState(true);
  const publish = usePublish(study);
  const isReady = text.trim() !== "" && text !== newest?.text;
  const submit = () => {
    if (isReady && !publish.isPending) publish.mutate({ text, must_be_read: mustBeRead }, { onSuccess: () => setMustBeRead(true) });
  };
  return (
    <section className={dashboardStyles.section} aria-labelledby="new-heading">
      <h2 id="new-heading">{newest ? "Next version" : "Guidelines"}</h2>
      <Form onSubmit={submit}>
        {newest && isOutdated && <Notice tone="warn">Version {newest.number} was published while you wrote. Compare it with your text before you publish.</Notice>}
        <TextField
          label="Text"
          hint="Plain text; lines stay as they are. A published version cannot be changed."
          rows={12}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={setText}
        />
        <LabelledCheckbox isSelected={mustBeRead} onChange={setMustBeRead}>
          Experts must read it before their next question. What they are answering now is accepted.
        </LabelledCheckbox>
        {publish.data?.versions[0] && <ResultStatus message={`Version ${publish.data.versions[0].number} is published.`} />}
        {publish.isError && <Notice tone="bad">{errorMessage(publish.error)}</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" isDisabled={!isReady || publish.isPending}>
            {publish.isPending ? "Publishing" : `Publish version ${(newest?.number ?? 0) + 1}`}
          </Button>
        </FormActions>
      </Form>
    </section>
  );
}

function usePublish(study: Id) {
  const queries = useQueryClient();
  return useStudyMutation(study, async (json: { text: string; must_be_read: boolean }) => {
    const published = await request<Guidelines>(guidelinesPath(study), { method: "POST", json });
    queries.setQueryData(guidelinesQuery(study).queryKey, published);
    return published;
  });
}

interface VersionProps {
  version: GuidelineVersion;
  before: GuidelineVersion | undefined;
  isNewest: boolean;
}

function Version({ version, before, isNewest }: VersionProps) {
  const { number, author, created_at: at, must_be_read: mustBeRead, digest, text } = version;
  return (
    <details open={isNewest}>
      <summary>
        Version {number}, {formatDateTime(at)}, {author} {mustBeRead && <Tag>must be read</Tag>}
      </summary>
      <GuidelineChanges before={before?.text ?? text} after={text} />
      <p className={dashboardStyles.note}>SHA-256 {digest}</p>
    </details>
  );
}
