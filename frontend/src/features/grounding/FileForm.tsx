import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { fieldErrors, formMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useWhenTrue } from "@/lib/useWhenTrue";
import { useCreateFromFile } from "./mutations";
import { groundingQuery, GROUNDINGS_KEY } from "./queries";
import { SETTINGS, SettingsFields, toRequest, useSettings, type FormProps } from "./SettingsFields";

/** A file with a rationale in each line, as one job. */
export function FileForm({ graphs, collections, quota, hasLeft }: FormProps & { hasLeft: boolean }) {
  const [files, setFiles] = useState<File[]>([]);
  const { settings, change, isValid } = useSettings(graphs, collections);
  const create = useCreateFromFile();
  const [file] = files;
  const mayGround = file !== undefined && isValid && hasLeft && !create.isPending;
  const faults = fieldErrors(create.error).filter(({ place }) => !SETTINGS.includes(place));
  const message = formMessage(create.error, ...SETTINGS);
  return (
    <Form onSubmit={() => mayGround && create.mutate({ file, settings: toRequest(settings) })}>
      <FilePicker
        files={files}
        onChange={(chosen) => {
          create.reset();
          setFiles(chosen);
        }}
        label="A file of rationales"
        hint={`JSON lines with hypothesis and rationale, at most ${formatCount(quota.most_rows)}; also JSON, CSV, TSV and Parquet.`}
        isSingle
      />
      <SettingsFields graphs={graphs} collections={collections} settings={settings} onChange={change} error={create.error} />
      {message && <Notice tone="bad">{message}</Notice>}
      {faults.length > 0 && <ErrorTable title="Faults of the file" rows={errorRows(faults)} />}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!mayGround}>{create.isPending ? "Sending" : "Ground this file"}</Button>
      </FormActions>
      {create.data && <FileJob id={create.data.job} groundings={create.data.groundings} />}
    </Form>
  );
}

function FileJob({ id, groundings }: { id: string; groundings: string[] }) {
  const count = groundings.length;
  const job = useJob(id).data;
  const queries = useQueryClient();
  const isDone = job !== undefined && hasEnded(job);
  useWhenTrue(isDone, () => void queries.invalidateQueries({ queryKey: GROUNDINGS_KEY }));
  if (!job) return null;
  const title = formatPlural(count, "rationale");
  if (!isDone) return <JobProgress job={job} title={title} cancelWarning="What is grounded stays; the other rationales fail." />;
  if (job.state !== "succeeded") return <Notice tone="bad">{job.error?.detail ?? "The file could not be grounded. Send it again."}</Notice>;
  const { failed = 0, reasons = [] } = job.result as FileResult;
  if (failed > 0) return <FailedRows count={count} failed={failed} reasons={reasons}><BatchLink grounding={groundings[0]} /></FailedRows>;
  return (
    <Notice tone="good">
      <p>{title} of the file have their verdicts. They are in the list below.</p>
      <BatchLink grounding={groundings[0]} />
    </Notice>
  );
}

/** To the page of all rationales of the file. */
function BatchLink({ grounding = "" }: { grounding: string | undefined }) {
  const batch = useQuery({ ...groundingQuery(grounding), enabled: grounding !== "" }).data?.batch;
  return batch && <p><Link to={`/grounding-batches/${batch}`}>All rationales of the file and their groundedness</Link></p>;
}

interface FileResult {
  failed?: number;
  reasons?: { detail: string | null; count: number }[];
}

function FailedRows({ count, failed, reasons, children }: { count: number; children: ReactNode } & Required<FileResult>) {
  return (
    <Notice tone="warn">
      <p>{formatCount(failed)} of {formatPlural(count, "rationale")} of the file failed. {failed < count && "The others have their verdicts, in the list below."}</p>
      <ul>
        {reasons.map(({ detail, count: times }) => <li key={detail}>{formatCount(times)}: <bdi>{detail ?? "no reason was given"}</bdi></li>)}
      </ul>
      {children}
    </Notice>
  );
}
