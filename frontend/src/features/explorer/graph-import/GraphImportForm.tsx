import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { formatBytes } from "@/lib/format";
import { formatsQuery, type GraphImportRequest, type Visibility } from "./api";
import styles from "./GraphImport.module.css";
import { COLUMN_NAMES } from "./labels";

interface Props {
  onSend: (wish: GraphImportRequest) => void;
  isSending: boolean;
  fault: string | undefined;
}

const MAX_UPLOAD_BYTES = 500_000_000;

type FormValues = Omit<GraphImportRequest, "isDryRun">;

const EMPTY_FORM: FormValues = {
  name: "", format: "", files: [], mapping: {}, description: "", licence: "", citation: "", visibility: "private",
};

const ANY_FORMAT = { value: "", label: "Detect from the files" };

const VISIBILITIES: { value: Visibility; label: string; hint: string }[] = [
  { value: "private", label: "Private", hint: "You and the administrators." },
  { value: "unlisted", label: "Unlisted", hint: "Everybody who has its address." },
  { value: "public", label: "Public", hint: "Everybody, without an account." },
];

export function GraphImportForm({ onSend, isSending, fault }: Props) {
  const [draft, setDraft] = useState(EMPTY_FORM);
  const { data: formats = [] } = useQuery(formatsQuery);
  const format = formats.find(({ name }) => name === draft.format);
  const set = (change: Partial<FormValues>) => setDraft((now) => ({ ...now, ...change }));
  const size = draft.files.reduce((sum, file) => sum + file.size, 0);
  const isReady = size <= MAX_UPLOAD_BYTES && draft.name.trim() !== "" && draft.files.length > 0 && !isSending;
  const mapping = Object.fromEntries(Object.entries(draft.mapping).filter(([, column]) => column !== ""));
  const send = (isDryRun: boolean) => isReady && onSend({ ...draft, mapping, isDryRun });
  return (
    <div className={styles.form}>
      <Form onSubmit={() => send(true)}>
        <TextField label="Name of the graph" error={fault} value={draft.name} onChange={(name) => set({ name })} maxLength={200} isRequired />
        <FilePicker
          files={draft.files}
          onChange={(files) => set({ files })}
          label="Drop the files, or their folder, here"
          hint={`Files may be compressed (.gz, .zip). At most ${formatBytes(MAX_UPLOAD_BYTES)} in total.`}
        />
        {size > MAX_UPLOAD_BYTES && (
          <Notice tone="bad">
            These files have {formatBytes(size)}; at most {formatBytes(MAX_UPLOAD_BYTES)} can be sent. Larger graphs are imported on the server, with manage.py import_graph.
          </Notice>
        )}
        <SelectField
          label="Format"
          value={draft.format}
          onChange={(name) => set({ format: name })}
          options={[ANY_FORMAT, ...formats.map(({ name, title }) => ({ value: name, label: title }))]}
          hint={format?.file_hint ?? "The format of each file is detected from its header."}
        />
        {(format?.has_column_mapping ?? draft.format === "") && (
          <ColumnMapping mapping={draft.mapping} onChange={(changed) => set({ mapping: changed })} />
        )}
        <details className={styles.details}>
          <summary>About the graph: licence, citation, who may see it</summary>
          <div className={styles.form}>
            <TextField label="Licence" value={draft.licence} onChange={(licence) => set({ licence })} maxLength={200} hint="Included in every export." />
            <TextField label="Cite as" value={draft.citation} onChange={(citation) => set({ citation })} rows={2} />
            <TextField label="Description" value={draft.description} onChange={(description) => set({ description })} rows={3} />
            <RadioChoiceGroup label="Who may see it" options={VISIBILITIES} value={draft.visibility} onChange={(visibility) => set({ visibility })} />
          </div>
        </details>
        <FormActions>
          <Button type="submit" size="large" isDisabled={!isReady}>
            {isSending ? "Sending the files" : "Try it without importing"}
          </Button>
          <Button variant="primary" size="large" isDisabled={!isReady} onPress={() => send(false)}>Import the graph</Button>
        </FormActions>
      </Form>
    </div>
  );
}

/** For tables whose columns have other names than the format's. */
function ColumnMapping({ mapping, onChange }: { mapping: Record<string, string>; onChange: (mapping: Record<string, string>) => void }) {
  const columns = (title: string, names: string[]) => (
    <fieldset className={styles.columns}>
      <legend>{title}</legend>
      {names.map((name) => (
        <TextField
          key={name}
          label={name}
          value={mapping[name] ?? ""}
          onChange={(column) => onChange({ ...mapping, [name]: column })}
          maxLength={500}
        />
      ))}
    </fieldset>
  );
  return (
    <details className={styles.details}>
      <summary>Other column names</summary>
      <p className={styles.quiet}>For tables only. Enter the column name of your file, or leave the field empty if it is the same.</p>
      {columns("Edges", COLUMN_NAMES.edges)}
      {columns("Entities", COLUMN_NAMES.entities)}
    </details>
  );
}
