import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, Problem } from "@/api/client";
import type { Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { TextField } from "@/components/TextField";
import { meQuery } from "@/lib/me";
import { sentenceOf } from "@/lib/problems";
import { FaultTable } from "./FaultTable";
import { FilePicker } from "./FilePicker";
import { Imported } from "./Imported";

export interface ImportResult {
  study: { id: Id; name: string };
  batches: number;
  questions: number;
  candidates: number;
  notices: string[];
}

const PARENT = { to: "/studies", label: "Studies" };

export function ImportPage() {
  const [name, setName] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const importing = useImport();
  const change = (next: File[]) => {
    importing.reset();
    setFiles(next);
  };
  if (importing.data) {
    return (
      <Page title={`${importing.data.study.name} is ready`} parent={PARENT}>
        <Imported result={importing.data} />
      </Page>
    );
  }
  const ready = name.trim() !== "" && files.length > 0;
  return (
    <Page
      title="Import a questionnaire"
      parent={PARENT}
      width={importing.isError ? "wide" : "text"}
      lead="It becomes a study. A file with a fault is refused whole, and every fault is listed at once."
    >
      <Form onSubmit={() => ready && importing.mutate({ name, files })}>
        <TextField
          label="Name of the study"
          hint="The experts see it on their home page."
          value={name}
          onChange={setName}
          isRequired
        />
        <FilePicker files={files} onChange={change} />
        <FormActions>
          <Button type="submit" look="primary" size="large" isDisabled={!ready || importing.isPending}>
            {importing.isPending ? "Reading the files" : "Import and make the study"}
          </Button>
        </FormActions>
      </Form>
      {importing.isError && <Refusal error={importing.error} />}
    </Page>
  );
}

function useImport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, files }: { name: string; files: File[] }) => {
      const form = new FormData();
      form.set("name", name);
      for (const file of files) form.append("files", file);
      return call<ImportResult>("/api/v1/studies/import", { method: "POST", form });
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["studies"] }),
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]),
  });
}

function Refusal({ error }: { error: unknown }) {
  const faults = error instanceof Problem ? error.body.errors : [];
  return (
    <>
      <Notice tone="bad">
        <p>{sentenceOf(error)} Nothing was imported; your name and files are still chosen.</p>
      </Notice>
      {faults.length > 0 && <FaultTable faults={faults} />}
    </>
  );
}
