import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { request } from "@/api/client";
import type { Dashboard, Id, ImportedJudge, Judges } from "@/api/contract";
import { Button } from "@/components/Button";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { LoadError } from "@/components/QueryBoundary";
import { TextField } from "@/components/TextField";
import styles from "@/domains/studies/Statistics.module.css";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { importError } from "@/domains/studies/importError";
import { RefusedImport } from "@/domains/studies/RefusedImport";
import { formatDateTime, formatPlural } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import dashboardStyles from "../Dashboard.module.css";

const judgesUrl = (study: Id) => `/api/v1/studies/${study}/judges`;
const judgesKey = (study: Id) => [...dashboardKey(study), "judges"];

/** Answers of models to the same questions, from files; their figures are sections of the statistics. */
export function JudgesSection({ study: { id, status } }: { study: Dashboard["study"] }) {
  const query = useQuery(readQuery<Judges>(judgesKey(id), judgesUrl(id)));
  const { data } = query;
  if (!data) return query.isError ? <Section><LoadError error={query.error} onRetry={() => void query.refetch()} isBusy={query.isFetching} /></Section> : null;
  const isFrozen = status === "frozen";
  if (!data.can_import || (isFrozen && data.results.length === 0)) return null;
  return (
    <Section>
      <p className={styles.note}>Answers of a model to the same questions, in both orders. They count nowhere, and experts never see them.</p>
      {data.results.length > 0 && (
        <ul className={styles.judges}>
          {data.results.map(({ name, answers, questions, imported_at: importedAt }) => (
            <li key={name}><strong translate="no">{name}</strong>: {formatPlural(answers, "answer")} to {formatPlural(questions, "question")}, {formatDateTime(importedAt)}</li>
          ))}
        </ul>
      )}
      {!isFrozen && (
        <details className={styles.methods}>
          <summary>Import a file</summary>
          <JudgeForm study={id} />
        </details>
      )}
    </Section>
  );
}

function Section({ children }: { children: ReactNode }) {
  return (
    <section className={dashboardStyles.section} aria-labelledby="model-judges">
      <h2 id="model-judges">Model judges</h2>
      {children}
    </section>
  );
}

function JudgeForm({ study }: { study: Id }) {
  const [name, setName] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const [isChecked, setChecked] = useState(false);
  const importing = useJudgeImport(study);
  const [file] = files;
  const refusal = importing.isError ? importError(importing.error) : null;
  const submit = () => {
    setChecked(true);
    if (name.trim() && file && !importing.isPending) importing.mutate({ name, file });
  };
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Name of the model"
        hint="A new file under the same name replaces its answers."
        error={isChecked && !name.trim() ? "Enter a name." : refusal?.name}
        value={name}
        onChange={setName}
        maxLength={200}
      />
      <FilePicker
        files={files}
        onChange={(selected) => {
          setFiles(selected);
          importing.reset();
        }}
        label="Drop a file of JSON Lines here"
        hint="Each line: qid, the order of a pair (as_listed or swapped), the fields of an answer, optionally a rationale."
        isSingle
      />
      {isChecked && !file && <Notice tone="bad">Choose a file.</Notice>}
      {refusal && <RefusedImport refusal={refusal} level={3} />}
      {importing.data && <p role="status">Imported {formatPlural(importing.data.answers, "answer")}; {importing.data.replaced} replaced.</p>}
      <FormActions>
        <Button type="submit" variant="primary" isPending={importing.isPending}>{importing.isPending ? "Importing" : "Import answers"}</Button>
      </FormActions>
    </Form>
  );
}

/** Reads the judges and the statistics again. */
function useJudgeImport(study: Id) {
  const queries = useQueryClient();
  return useMutation({
    meta: { isLong: true },
    mutationFn: ({ name, file }: { name: string; file: File }) => {
      const form = new FormData();
      form.set("name", name);
      form.set("file", file);
      return request<ImportedJudge>(judgesUrl(study), { method: "POST", form });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: dashboardKey(study) }),
  });
}
