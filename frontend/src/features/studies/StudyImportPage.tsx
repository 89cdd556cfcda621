import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { request } from "@/api/client";
import type { ImportResult } from "@/api/contract";
import { Button } from "@/components/Button";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { GraphSelect } from "@/domains/graphs/GraphSelect";
import { currentUserQuery } from "@/lib/currentUser";
import { useMutation } from "@/lib/useMutation";
import { ArchiveImportForm } from "./ArchiveImportForm";
import { importError } from "@/domains/studies/importError";
import { AssignmentFields, KnownAnswerFields, QualificationFields, type CheckFieldsProps } from "./KnownAnswerFields";
import { QuestionSetSelect } from "./QuestionSetSelect";
import { Refusal } from "./Refusal";
import { StudyFromSetForm } from "./StudyFromSetForm";
import styles from "./Studies.module.css";
import { changedChecks, checkFields, EMPTY_CHECKS, STATE_OPTIONS, type StudyState } from "./studyDesign";
import { StudyKindSelect } from "./StudyKindSelect";
import { StudyImportResult } from "./StudyImportResult";
import { LIMITS_HINT, uploadLimitMessage } from "./uploadLimits";

const PARENT = { to: "/studies", label: "Studies" };

const SOURCES = [
  { value: "files", label: "From questionnaire files" },
  { value: "question-set", label: "From a question set" },
  { value: "export", label: "From an export" },
];

/** A new study, of files or of questions that are here already; the address names which. */
export function StudyImportPage() {
  const [search, setSearch] = useSearchParams();
  const source = search.get("from") ?? "files";
  const choice = (
    <SegmentedControl label="Where the questions come from" options={SOURCES} value={source} onChange={(from) => setSearch(from === "files" ? {} : { from }, { replace: true })} />
  );
  if (source === "files") return <FileImport choice={choice} />;
  if (source === "export") {
    return (
      <Page title="New study" parent={PARENT} intro="A study that was exported, with its answers. It stays closed, and its experts have no accounts to sign in with. If the file has an error, nothing is imported.">
        {choice}
        <ArchiveImportForm />
      </Page>
    );
  }
  return (
    <Page title="New study" parent={PARENT} intro="Experts judge questions that are here already. Their consensus becomes the set’s expert partition.">
      {choice}
      <div className={styles.form}><StudyFromSetForm /></div>
    </Page>
  );
}

function FileImport({ choice }: { choice: ReactNode }) {
  const importMutation = useStudyImport();
  if (importMutation.data) {
    const { name } = importMutation.data.study;
    return (
      <Page title={importMutation.data.added > 0 ? `${name} is ready` : `${name} has nothing new`} parent={PARENT}>
        <StudyImportResult result={importMutation.data} onImportAnother={importMutation.reset} />
      </Page>
    );
  }
  const refusal = importMutation.isError ? importError(importMutation.error) : null;
  return (
    <Page
      title="New study"
      parent={PARENT}
      intro="If any file has an error, nothing is imported. To add to an existing study, enter its name."
    >
      {choice}
      <StudyImportForm importing={importMutation} nameFault={refusal?.name} />
      {refusal && <Refusal key={importMutation.submittedAt} refusal={refusal} />}
    </Page>
  );
}

function StudyImportForm({ importing, nameFault }: { importing: ReturnType<typeof useStudyImport>; nameFault: string | undefined }) {
  const [name, setName] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const [kind, setKind] = useState("");
  const [graph, setGraph] = useState("");
  const [questionSet, setQuestionSet] = useState("");
  const [description, setDescription] = useState("");
  const [state, setState] = useState<StudyState>("open");
  const [checks, setChecks] = useState(EMPTY_CHECKS);
  const [isChecked, setChecked] = useState(false);
  const [hasOpenChecks, setOpenChecks] = useState(false);
  const faults = checkFields(checks);
  const checkProps: CheckFieldsProps = {
    fields: checks,
    error: (field) => (isChecked ? faults[field] : undefined),
    onChange: (change) => setChecks((known) => ({ ...known, ...change })),
  };
  const refused = uploadLimitMessage(files);
  const lacks = { name: name.trim() === "", files: files.length === 0 };
  const submit = () => {
    setChecked(true);
    if (Object.keys(faults).length > 0) setOpenChecks(true);
    if (lacks.name || lacks.files || refused || busy || Object.keys(faults).length > 0) return;
    importing.mutate({ name, description: description.trim(), files, kind, graph, questionSet, state, checks: changedChecks(checks) });
  };
  const { isPending: busy } = importing;
  return (
    <div className={styles.form}>
      <Form onSubmit={submit}>
        <TextField
          label="Name of the study"
          hint="The experts see it on their home page."
          error={isChecked && lacks.name ? "Enter a name." : nameFault}
          value={name}
          onChange={setName}
          maxLength={200}
        />
        <TextField
          label="Introduction (optional)"
          hint="The experts read it before the first question: who you are, why, and until when."
          rows={4}
          value={description}
          onChange={setDescription}
          maxLength={5000}
        />
        <StudyKindSelect value={kind} hint="Each kind has a file format of its own." onChange={setKind} />
        <FilePicker
          files={files}
          onChange={(selected) => {
            setFiles(selected);
            // The errors of the last import are not those of other files.
            if (importing.isError) importing.reset();
          }}
          label="Drop the questionnaire files, or their folder, here"
          hint={`Each file becomes a batch of its name; batch1.json is batch 1. ${LIMITS_HINT}`}
          extension=".json"
        />
        <QuestionSetSelect
          label="Join a question set (optional)"
          none="No, these are questions of their own"
          hint="The set has these questions by id and text. The experts’ consensus becomes its expert partition."
          value={questionSet}
          onChange={setQuestionSet}
        />
        <GraphSelect value={graph} onChange={setGraph} />
        <SelectField label="State" hint="Of a new study." value={state} onChange={setState} options={STATE_OPTIONS} />
        <details open={hasOpenChecks} onToggle={(event) => setOpenChecks(event.currentTarget.open)}>
          <summary>Assignment and known answers of a new study</summary>
          <AssignmentFields {...checkProps} />
          <KnownAnswerFields {...checkProps} />
          <QualificationFields {...checkProps} />
        </details>
        {isChecked && lacks.files && <Notice tone="bad">Choose at least one file.</Notice>}
        {refused && <Notice tone="bad">{refused}</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isPending={busy}>
            {busy ? "Importing" : "Import and create the study"}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

interface NewStudy {
  name: string;
  description: string;
  files: File[];
  kind: string;
  graph: string;
  questionSet: string;
  state: StudyState;
  checks: Record<string, string>;
}

/** Sends the files, then reads the list of studies and the user's permissions again. */
function useStudyImport() {
  const queries = useQueryClient();
  return useMutation({
    meta: { isLong: true },
    mutationFn: ({ name, description, files, kind, graph, questionSet, state, checks }: NewStudy) => {
      const form = new FormData();
      form.set("name", name);
      if (description) form.set("description", description);
      if (kind) form.set("kind", kind);
      if (graph) form.set("graph", graph);
      if (questionSet) form.set("question_set", questionSet);
      if (state === "draft") form.set("is_draft", "true");
      for (const [option, value] of Object.entries(checks)) form.set(option, value);
      for (const file of files) form.append("files", file);
      return request<ImportResult>("/api/v1/studies/import", { method: "POST", form });
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["studies"] }),
        queries.invalidateQueries({ queryKey: ["board"] }),
        queries.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
      ]),
  });
}
