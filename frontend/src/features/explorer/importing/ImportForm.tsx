import { useState } from "react";
import { Button } from "@/components/Button";
import { ChooseOne } from "@/components/Choice";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { bytes } from "@/lib/format";
import type { Visibility, Wish } from "./api";
import styles from "./Importing.module.css";
import { COLUMNS, FORMATS } from "./words";

interface Props {
  onSend: (wish: Wish) => void;
  isSending: boolean;
  fault: string | undefined;
}

const LARGEST = 500_000_000;

type Draft = Omit<Wish, "isDryRun">;

const EMPTY: Draft = {
  name: "", format: "", files: [], mapping: {}, description: "", licence: "", citation: "", visibility: "private",
};

const VISIBILITIES: { value: Visibility; label: string; hint: string }[] = [
  { value: "private", label: "Private", hint: "You and the administrators." },
  { value: "public", label: "Public", hint: "Everybody, without an account." },
];

export function ImportForm({ onSend, isSending, fault }: Props) {
  const [draft, setDraft] = useState(EMPTY);
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const size = draft.files.reduce((sum, file) => sum + file.size, 0);
  const isReady = size <= LARGEST && draft.name.trim() !== "" && draft.files.length > 0 && !isSending;
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
          hint={`Compressed ones (.gz, .zip) too. At most ${bytes(LARGEST)} together.`}
        />
        {size > LARGEST && (
          <Notice tone="bad">
            These files have {bytes(size)}; at most {bytes(LARGEST)} can be sent. Larger graphs are imported on the server, with manage.py import_graph.
          </Notice>
        )}
        <SelectField
          label="Format"
          value={draft.format}
          onChange={(format) => set({ format })}
          options={FORMATS}
          hint={FORMATS.find(({ value }) => value === draft.format)?.files}
        />
        {(draft.format === "csv" || draft.format === "") && (
          <Mapping mapping={draft.mapping} onChange={(changed) => set({ mapping: changed })} />
        )}
        <details className={styles.details}>
          <summary>About the graph: licence, citation, who may see it</summary>
          <div className={styles.form}>
            <TextField label="Licence" value={draft.licence} onChange={(licence) => set({ licence })} maxLength={200} hint="Stands in every export." />
            <TextField label="Cite as" value={draft.citation} onChange={(citation) => set({ citation })} rows={2} />
            <TextField label="What it is" value={draft.description} onChange={(description) => set({ description })} rows={3} />
            <ChooseOne label="Who may see it" options={VISIBILITIES} value={draft.visibility} onChange={(visibility) => set({ visibility })} />
          </div>
        </details>
        <FormActions>
          <Button type="submit" size="large" isDisabled={!isReady}>
            {isSending ? "Sending the files" : "Try it without importing"}
          </Button>
          <Button look="primary" size="large" isDisabled={!isReady} onPress={() => send(false)}>
            Import the graph
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

interface MappingProps {
  mapping: Record<string, string>;
  onChange: (mapping: Record<string, string>) => void;
}

/** For tables whose columns have other names than the format's. */
function Mapping({ mapping, onChange }: MappingProps) {
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
      <summary>Columns of other names</summary>
      <p className={styles.quiet}>Only for tables. Write the name that your file has; leave a field empty where it is the same.</p>
      {columns("Edges", COLUMNS.edges)}
      {columns("Entities", COLUMNS.entities)}
    </details>
  );
}
