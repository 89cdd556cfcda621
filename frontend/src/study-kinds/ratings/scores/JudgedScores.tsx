import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import type { Id, IntervalFigure, JudgedScoresFile, ScoreCorrection, StoredScores } from "@/api/contract";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { DataTable } from "@/components/DataTable";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SkeletonRows } from "@/components/SkeletonRows";
import { dashboardKey } from "@/domains/studies/dashboardKey";
import { importError } from "@/domains/studies/importError";
import { RefusedImport } from "@/domains/studies/RefusedImport";
import styles from "@/domains/studies/Statistics.module.css";
import { errorMessage } from "@/lib/errorMessages";
import { formatCoefficient, formatCount, formatDateTime } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import own from "./JudgedScores.module.css";

const scoresUrl = (study: Id) => `/api/v1/studies/${study}/judged-scores`;
const scoresKey = (study: Id) => [...dashboardKey(study), "judged-scores"];

/** Means of model judges from 1 to 5, corrected by the ratings of the study. */
export function JudgedScores({ study }: { study: Id }) {
  const query = useQuery(readQuery<JudgedScoresFile[]>(scoresKey(study), scoresUrl(study)));
  const [result, setResult] = useState("");
  return (
    <section className={own.section} aria-labelledby="judged-scores">
      <h2 id="judged-scores">Scores of model judges, corrected</h2>
      <p className={styles.note}>A judge may be kinder or stricter than experts. Where they rated a random part of its texts, the mean over all texts is corrected by their ratings.</p>
      {result && <ResultStatus message={result} />}
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={2} height={40} />}>
        {(files) => files.map((file) => <Scores key={file.id} study={study} file={file} onDeleted={() => setResult(`The scores of ${file.name} are deleted.`)} />)}
      </QueryBoundary>
      <details className={styles.methods}>
        <summary>Add a file of scores</summary>
        <ScoresForm study={study} onAdded={({ name }) => setResult(`The scores of ${name} are added.`)} />
      </details>
    </section>
  );
}

interface ScoresProps {
  study: Id;
  file: JudgedScoresFile;
  onDeleted: () => void;
}

function Scores({ study, file, onDeleted }: ScoresProps) {
  const query = useQuery(readQuery<StoredScores>([...scoresKey(study), file.id], `${scoresUrl(study)}/${file.id}`));
  return (
    <article className={own.scores} aria-label={file.name}>
      <div className={own.head}>
        <div>
          <h3><bdi translate="no">{file.name}</bdi></h3>
          <p className={styles.note}>Added {formatDateTime(file.created_at)}</p>
        </div>
        <DeleteButton study={study} file={file} onDeleted={onDeleted} />
      </div>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={2} height={40} />}>
        {(scores) => <Corrections scores={scores} />}
      </QueryBoundary>
    </article>
  );
}

function DeleteButton({ study, file, onDeleted }: ScoresProps) {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => request(`${scoresUrl(study)}/${file.id}`, { method: "DELETE" }),
    onSuccess: () => {
      setOpen(false);
      onDeleted();
      return queries.invalidateQueries({ queryKey: scoresKey(study) });
    },
  });
  return (
    <>
      <Button onPress={() => setOpen(true)} aria-label={`Delete the scores of ${file.name}`}>Delete</Button>
      <ConfirmDialog title="Delete these scores?" isOpen={isOpen} onClose={() => setOpen(false)} confirmLabel="Delete them" busyLabel="Deleting" onConfirm={() => removal.mutate()} mutation={removal}>
        <p>The ratings of the experts stay. The file can be added again.</p>
      </ConfirmDialog>
    </>
  );
}

function Corrections({ scores: { name, problem, results, is_final: isFinal } }: { scores: StoredScores }) {
  if (problem) return <Notice>{problem}</Notice>;
  return (
    <>
      {isFinal
        ? <p className={styles.note}>The study has ended, so these figures are final.</p>
        : <Notice>The study is open. An interval that is read while ratings arrive misses the truth more often than 5%.</Notice>}
      <DataTable
        label={`Corrected scores of ${name}`} minWidth={760} folds
        columns={["Score", { label: "Judge alone", isNumeric: true }, { label: "Corrected", isNumeric: true }, "95% interval", "Rated texts", "Kappa with experts"]}
      >
        {results.map((one) => <Row key={`${one.kind} ${one.judge}`} one={one} />)}
      </DataTable>
    </>
  );
}

function Row({ one }: { one: ScoreCorrection }) {
  return (
    <tr>
      <th scope="row" className={styles.label}>{one.kind}, 1 to 5 <span className={styles.expert} translate="no">{one.judge}</span></th>
      <td data-numeric className="number">{one.raw.toFixed(2)}</td>
      <td data-numeric className="number">{one.corrected === null ? "none" : one.corrected.value.toFixed(2)}</td>
      <td className={styles.interval}>{intervalText(one)}</td>
      <td>{countText(one)}{one.plan && <span className={styles.expert}>{one.plan}</span>}</td>
      <td className={styles.interval}>{kappaText(one.kappa)}</td>
    </tr>
  );
}

function intervalText({ corrected, strata }: ScoreCorrection): string {
  if (corrected === null || corrected.low === null || corrected.high === null) return `needs rated texts of five questions${strata > 1 ? ", and of two in each stratum" : ""}`;
  return `${corrected.low.toFixed(2)} to ${corrected.high.toFixed(2)}${corrected.is_approximate ? ", approximate" : ""}`;
}

function countText({ rated, texts, unscored, effective_ratings: effective, other_texts: others, waiting, excluded }: ScoreCorrection): string {
  const parts = [`${formatCount(rated)} of ${formatCount(texts)}`];
  if (effective !== null) parts.push(`as exact as ${formatCount(Math.round(effective))} without the judge`);
  if (waiting > 0) parts.push(`${formatCount(waiting)} wait for experts`);
  if (excluded > 0) parts.push(`${formatCount(excluded)} left out`);
  if (unscored > 0) parts.push(`${formatCount(unscored)} without a score`);
  if (others > 0) parts.push(`${formatCount(others)} rated but not in the file`);
  return parts.join("; ");
}

function kappaText(kappa: IntervalFigure | null): string {
  if (kappa === null) return "undefined";
  const { value, low, high } = kappa;
  return low === null || high === null ? formatCoefficient(value) : `${formatCoefficient(value)} (${formatCoefficient(low)} to ${formatCoefficient(high)})`;
}

function ScoresForm({ study, onAdded }: { study: Id; onAdded: (file: JudgedScoresFile) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [isChecked, setChecked] = useState(false);
  const [file] = files;
  const adding = useAdding(study, (added) => {
    setFiles([]);
    onAdded(added);
  });
  const refusal = adding.isError ? importError(adding.error) : null;
  const submit = () => {
    setChecked(true);
    if (file && !adding.isPending) adding.mutate(file, { onSuccess: () => setChecked(false) });
  };
  return (
    <Form onSubmit={submit}>
      <FilePicker
        files={files}
        onChange={(selected) => {
          setFiles(selected);
          adding.reset();
        }}
        label="Drop a file of scores here"
        hint="JSON Lines, as the command judge writes them. Its texts are those that draw_texts drew from."
        isSingle
      />
      {isChecked && !file && <Notice tone="bad">Choose a file.</Notice>}
      {refusal && <RefusedImport refusal={refusal} message={errorMessage(adding.error)} level={3} />}
      <FormActions>
        <Button type="submit" variant="primary" isPending={adding.isPending}>{adding.isPending ? "Adding" : "Add scores"}</Button>
      </FormActions>
    </Form>
  );
}

function useAdding(study: Id, onAdded: (file: JudgedScoresFile) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set("file", file);
      return request<JudgedScoresFile>(scoresUrl(study), { method: "POST", form });
    },
    onSuccess: (added) => {
      onAdded(added);
      return queries.invalidateQueries({ queryKey: scoresKey(study) });
    },
  });
}
