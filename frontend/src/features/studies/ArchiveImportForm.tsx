import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { LoadError } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, type Job } from "@/domains/jobs/jobs";
import { useJob } from "@/domains/jobs/useJob";
import { studyFormatsQuery } from "@/domains/studies/studyFormats";
import { currentUserQuery } from "@/lib/currentUser";
import { isNotFound } from "@/lib/errorMessages";
import { formatBytes } from "@/lib/format";
import { importError, jobError } from "@/domains/studies/importError";
import { useMutation } from "@/lib/useMutation";
import { Refusal } from "./Refusal";
import styles from "./Studies.module.css";
import { MAX_UPLOAD_BYTES } from "./uploadLimits";

interface ImportedArchive {
  study: { id: string; name: string };
  faults_total?: number;
}
type ImportJob = Job<{ name: string }, ImportedArchive>;

/** A whole study of another installation or program, with its answers. The address names the import under way. */
export function ArchiveImportForm() {
  const [name, setName] = useState("");
  const [format, setFormat] = useState("jsonl");
  const [files, setFiles] = useState<File[]>([]);
  const [isChecked, setChecked] = useState(false);
  const { data: known = [] } = useQuery(studyFormatsQuery);
  const formats = known.filter((one) => one.can_import);
  const [params, setParams] = useSearchParams();
  const importing = useArchiveImport();
  const id = params.get("import");
  const query = useJob<ImportJob>(id);
  const job = query.data;
  useOpenedStudy(job);
  // A job that cannot be read may be running: a second import would add the study twice.
  const isRunning = importing.isPending || (job ? !hasEnded(job) : id !== null && !isNotFound(query.error));
  const refusal = importing.isError ? importError(importing.error) : job ? jobError(job) : null;
  const [file] = files;
  const isTooLarge = file !== undefined && file.size > MAX_UPLOAD_BYTES;
  const submit = () => {
    setChecked(true);
    if (name.trim() && file && !isTooLarge && !isRunning) importing.mutate({ name, format, file });
  };
  return (
    <>
      <div className={styles.form}>
        <Form onSubmit={submit}>
          <TextField
            label="Name of the study"
            hint="A new name: the study is added beside all others."
            error={isChecked && !name.trim() ? "Enter a name." : refusal?.name}
            value={name}
            onChange={setName}
            maxLength={200}
          />
          <SelectField
            label="Format"
            hint={formats.find((one) => one.name === format)?.description}
            value={format}
            onChange={setFormat}
            options={formats.map((one) => ({ value: one.name, label: one.title }))}
          />
          <FilePicker
            files={files}
            onChange={(selected) => {
              setFiles(selected);
              if (importing.isError) importing.reset();
              if (id && !isRunning) setParams({ from: "export" }, { replace: true });
            }}
            label="Drop the file here"
            hint={`At most ${formatBytes(MAX_UPLOAD_BYTES)}. The command import_study takes larger ones.`}
            isSingle
          />
          {isChecked && !file && <Notice tone="bad">Choose a file.</Notice>}
          {isTooLarge && <Notice tone="bad">This file is too large. Use the command import_study.</Notice>}
          <FormActions>
            <Button type="submit" variant="primary" size="large" isPending={isRunning}>
              {isRunning ? "Importing" : "Import the study"}
            </Button>
          </FormActions>
        </Form>
      </div>
      {!job && query.isError && <LoadError error={query.error} onRetry={() => void query.refetch()} isBusy={query.isFetching} />}
      {job && isRunning && <JobProgress job={job} title={`Import of ${job.parameters.name}`} cancelWarning="Nothing of the file is imported." />}
      {refusal && <Refusal key={`${importing.submittedAt} ${job?.id}`} refusal={refusal} />}
    </>
  );
}

function useArchiveImport() {
  const [, setParams] = useSearchParams();
  return useMutation({
    meta: { isLong: true },
    mutationFn: (fields: { name: string; format: string; file: File }) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      return request<ImportJob>("/api/v1/studies/archives", { method: "POST", form });
    },
    onSuccess: ({ id }) => setParams({ from: "export", import: id }, { replace: true }),
  });
}

/** Opens the dashboard of the imported study. */
function useOpenedStudy(job: ImportJob | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const study = job?.state === "succeeded" ? job.result.study.id : null;
  useEffect(() => {
    if (study === null) return;
    void Promise.all([["studies"], currentUserQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })))
      .then(() => navigate(`/studies/${study}`, { replace: true }));
  }, [queries, navigate, study]);
}
