import { useState } from "react";
import { Button } from "@/components/Button";
import { FaultTable, rowsOf } from "@/components/FaultTable";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { GraphChoice } from "@/components/GraphChoice";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { TextField } from "@/components/TextField";
import { Result } from "./Result";
import { LIMITS, tooMuch } from "./limits";
import { faultsTitle, refusalOf } from "./refusal";
import styles from "./Studies.module.css";
import { useImport } from "./useImport";

const PARENT = { to: "/studies", label: "Studies" };

export function ImportPage() {
  const importing = useImport();
  if (importing.data) {
    const { name } = importing.data.study;
    return (
      <Page title={importing.data.added > 0 ? `${name} is ready` : `${name} has nothing new`} parent={PARENT}>
        <Result result={importing.data} onAnother={importing.reset} />
      </Page>
    );
  }
  const refusal = importing.isError ? refusalOf(importing.error) : null;
  return (
    <Page
      title="Import a questionnaire"
      parent={PARENT}
      width={refusal?.faults.length ? "wide" : "text"}
      lead="It becomes a study. Files with a fault are refused whole, and every fault is listed at once. The name of a study of yours adds to that study."
    >
      <ImportForm importing={importing} nameFault={refusal?.name} />
      {refusal && (
        <Notice tone="bad">
          <p>{refusal.sentence}</p>
        </Notice>
      )}
      {refusal && refusal.faults.length > 0 && <FaultTable title={faultsTitle(refusal)} rows={rowsOf(refusal.faults)} />}
    </Page>
  );
}

interface FormProps {
  importing: ReturnType<typeof useImport>;
  nameFault: string | undefined;
}

function ImportForm({ importing, nameFault }: FormProps) {
  const [name, setName] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const [graph, setGraph] = useState("");
  const refused = tooMuch(files);
  const ready = name.trim() !== "" && files.length > 0 && !refused;
  const { isPending: busy } = importing;
  return (
    <div className={styles.form}>
      <Form onSubmit={() => ready && !busy && importing.mutate({ name, files, graph })}>
        <TextField
          label="Name of the study"
          hint="The experts see it on their home page."
          error={nameFault}
          value={name}
          onChange={setName}
          maxLength={200}
          isRequired
        />
        <FilePicker
          files={files}
          onChange={setFiles}
          label="Drop the files, or their folder, here: batch1.json, batch2.json and so on"
          hint={`batches.json may come along: it names the batches. ${LIMITS}`}
          ending=".json"
        />
        <GraphChoice value={graph} onChange={setGraph} />
        {refused && <Notice tone="bad">{refused}</Notice>}
        <FormActions>
          <Button type="submit" look="primary" size="large" isDisabled={!ready || busy}>
            {busy ? "Reading the files" : "Import and make the study"}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}
