import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Button } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { ownTeamQuery } from "@/domains/accounts/teams";
import { modelsQuery, queryUseQuery, releasesQuery, trackQuery, type Model, type QueryUse, type Release, type Split } from "@/domains/evaluation/queries";
import { TrackFormat } from "@/domains/evaluation/TrackFormat";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useFirstAttempt } from "@/lib/firstAttempt";
import { formatDateTime } from "@/lib/format";
import { areAmounts, NOTHING_DECLARED } from "./declared";
import { DeclaredFields } from "./DeclaredFields";
import { SessionField } from "./SessionField";
import { useSubmit, useValidate } from "./mutations";
import styles from "./Submissions.module.css";
import { UploadProgress } from "./UploadProgress";
import { ValidationReport } from "./ValidationReport";

const PARENT = { to: "/submissions", label: "Submissions" };
const NEW_MODEL = "";
const SPLITS: { value: Split; label: string }[] = [{ value: "test", label: "Test items" }, { value: "dev", label: "Dev items" }];

/** Choose a release and a model, check the file, then submit it. */
export function NewSubmissionPage() {
  const releases = useQuery(releasesQuery);
  const models = useQuery(modelsQuery);
  return (
    <Page title="Submit predictions" parent={PARENT} width="wide" intro="Checking a file is free. A score on the test items costs one query.">
      <QueryBoundary query={releases} skeleton={<SkeletonRows rows={3} />} empty={<Notice>No release takes predictions now.</Notice>}>
        {(all) => (
          <QueryBoundary query={models} skeleton={<SkeletonRows rows={3} />}>
            {(known) => <SubmissionForm releases={all.filter(({ state }) => state === "open")} models={known} />}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </Page>
  );
}

function SubmissionForm({ releases, models }: { releases: Release[]; models: Model[] }) {
  const [address, setAddress] = useSearchParams();
  const release = releases.find(({ slug }) => slug === address.get("release")) ?? releases[0];
  const [model, setModel] = useState(models[0]?.slug ?? NEW_MODEL);
  const [newModel, setNewModel] = useState("");
  const [isForTeam, setForTeam] = useState(false);
  const [anonymousUntil, setAnonymousUntil] = useState("");
  const team = useQuery(ownTeamQuery).data?.team;
  const [declared, setDeclared] = useState(NOTHING_DECLARED);
  const [session, setSession] = useState("");
  const splits = SPLITS.filter(({ value }) => (release?.items[value] ?? 0) > 0);
  const split = splits.find(({ value }) => value === address.get("split"))?.value ?? splits[0]?.value ?? "test";
  const [files, setFiles] = useState<File[]>([]);
  const navigate = useNavigate();
  const validate = useValidate();
  const submit = useSubmit();
  const use = useQuery({ ...queryUseQuery(release?.slug ?? ""), enabled: release !== undefined }).data;
  const format = useQuery({ ...trackQuery(release?.track ?? ""), enabled: release !== undefined, placeholderData: keepPreviousData });
  const isWaiting = useFirstAttempt(format);
  if (!release) return <Notice>No release takes predictions now.</Notice>;
  // The format of a file stands above the file: what came later would move it.
  if (isWaiting) return <div aria-busy="true"><SkeletonRows rows={8} height={72} /></div>;
  const [file] = files;
  const missing = missingText({ hasModel: model !== NEW_MODEL || newModel.trim() !== "", hasAmounts: areAmounts(declared), hasFile: file !== undefined, isValid: validate.data?.is_valid });
  const isBusy = validate.isPending || submit.isPending;
  const choose = (chosen: File[], chosenSplit = split) => {
    setFiles(chosen);
    submit.reset();
    const [first] = chosen;
    if (first) validate.mutate({ release: release.slug, split: chosenSplit, file: first });
    else validate.reset();
  };
  const send = () => {
    if (!file || missing || isBusy) return;
    const entry = { release: release.slug, split, declared, model, newModel: newModel.trim(), isForTeam: isForTeam && Boolean(team), anonymousUntil, session, file, onRegistered: setModel };
    submit.mutate(entry, { onSuccess: ({ id }) => void navigate(`/submissions/${id}`) });
  };
  return (
    <div className={styles.form}>
      <Form onSubmit={send}>
        <SelectField
          label="Release"
          value={release.slug}
          options={releases.map(({ slug, name }) => ({ value: slug, label: name }))}
          onChange={(slug) => {
            setAddress({ release: slug }, { replace: true });
            choose([]);
          }}
        />
        {splits.length > 1 && (
          <SegmentedControl
            label="Split"
            options={splits}
            value={split}
            onChange={(chosen) => {
              setAddress({ release: release.slug, split: chosen }, { replace: true });
              choose(files, chosen);
            }}
          />
        )}
        <SelectField
          label="Model"
          value={model}
          options={[...models.map((one) => ({ value: one.slug, label: one.team ? `${one.name} (${one.team})` : one.name })), { value: NEW_MODEL, label: "A new model" }]}
          onChange={setModel}
        />
        {model === NEW_MODEL && <TextField label="Name of the new model" hint="It is public once a result of it is." value={newModel} onChange={setNewModel} maxLength={120} />}
        {model === NEW_MODEL && team && (
          <LabelledCheckbox isSelected={isForTeam} onChange={setForTeam}>It belongs to the team {team.name}</LabelledCheckbox>
        )}
        {format.data && <TrackFormat track={format.data} file="predictions" />}
        <FilePicker
          files={files}
          onChange={(chosen) => choose(chosen)}
          label="Drop a file of predictions here"
          hint="JSON Lines, JSON, CSV, TSV or Parquet; plain, .gz or .zst."
          isSingle
        />
        {file && validate.isPending && <UploadProgress file={file} sent={validate.sent} then="Checking the file…" />}
        {validate.isError && <Notice tone="bad">{errorMessage(validate.error)}</Notice>}
        {validate.data && <div className={validate.data.is_valid ? undefined : styles.report}><ValidationReport report={validate.data} /></div>}
        <TextField
          label="Anonymous until"
          hint="Your time. The board shows no name before; empty: it shows the name at once."
          type="datetime-local"
          value={anonymousUntil}
          onChange={setAnonymousUntil}
          error={fieldMessage(submit.error, "anonymous_until")}
        />
        <SessionField release={release.slug} model={model} value={session} onChange={setSession} error={fieldMessage(submit.error, "session")} />
        <DeclaredFields declared={declared} onChange={setDeclared} />
        {file && submit.isPending && <UploadProgress file={file} sent={submit.sent} then="The file was sent; the server stores it…" />}
        {submit.isError && <Notice tone="bad">{errorMessage(submit.error)}</Notice>}
        {release.terms && <p>By submitting you agree to the <Link to={`/releases/${release.slug}`}>terms of this release</Link>.</p>}
        {use && <p className={styles.quiet}>{split === "dev" ? "A score on dev items costs no query." : queriesText(use)}</p>}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={missing !== null || submit.isPending}>
            {submit.isPending ? "Submitting" : release.is_sealed ? "Seal without a score" : "Submit for a score"}
          </Button>
          {missing && <p className={styles.quiet}>{missing}</p>}
        </FormActions>
      </Form>
    </div>
  );
}

interface Parts {
  hasModel: boolean;
  hasAmounts: boolean;
  hasFile: boolean;
  /** Undefined until the file was checked. */
  isValid: boolean | undefined;
}

/** What a submission still needs, in the order of the form; null where it can be sent. */
function missingText({ hasModel, hasAmounts, hasFile, isValid }: Parts): string | null {
  if (!hasModel) return "Missing: the name of the new model.";
  if (!hasFile) return "Missing: a file of predictions.";
  if (isValid === undefined) return "The file is not checked yet.";
  if (!isValid) return "The file has errors. Correct it and choose it again.";
  return hasAmounts ? null : "A cost, a latency or a year under 'What is declared' is no number.";
}

function queriesText({ team, used, limit, used_today: today, limit_per_day: perDay, next_at: next }: QueryUse): string {
  const who = team ? `The team ${team} has` : "You have";
  const text = `${who} used ${used} of ${limit} queries of this release, ${today} of ${perDay} within a day.`;
  return next ? `${text} The next one is free at ${formatDateTime(next)}.` : text;
}
