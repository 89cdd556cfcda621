import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { DialogForm } from "@/components/DialogForm";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import type { Model } from "@/domains/evaluation/queries";
import { fieldMessage } from "@/lib/errorMessages";
import { readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";
import styles from "./Models.module.css";

/** For its owner and administrators: correct what is written about a model. */
export function ChangeModelButton({ slug }: { slug: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Edit</Button>
      <Dialog title="Edit the model" isOpen={isOpen} onOpenChange={setOpen} width={720}>
        <ChangeModel slug={slug} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface Props {
  onClose: () => void;
}

function ChangeModel({ slug, onClose }: Props & { slug: string }) {
  // Read whenever the form opens: the server refuses a change of an older version.
  const query = useQuery(readQuery<Model>(["models", slug], modelUrl(slug), { staleTime: 0, gcTime: 0 }));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={5} height={60} />}>
      {(model) => <ChangeModelForm model={model} onClose={onClose} />}
    </QueryBoundary>
  );
}

function ChangeModelForm({ model, onClose }: Props & { model: Model }) {
  // As it was when the form opened, though the query may be read again meanwhile.
  const [{ slug, version, ...read }] = useState(model);
  const [fields, setFields] = useState(() => fieldsOf(read));
  const change = useChangeModel(slug);
  const hasFixedName = model.is_baseline || model.is_simulated;
  const bind = (field: keyof Fields) => ({
    value: fields[field],
    onChange: (value: string) => setFields({ ...fields, [field]: value }),
    error: fieldMessage(change.error, field),
  });
  return (
    <DialogForm
      onSubmit={() => change.mutate({ ...asJson(fields), version }, { onSuccess: onClose })}
      onCancel={onClose}
      submitLabel="Save"
      busyLabel="Saving"
      isReady={fields.name.trim() !== "" && /^\d{0,15}$/.test(digits(fields.parameters))}
      mutation={change}
    >
      <TextField label="Name" hint="Boards show it soon. Earlier standings have the name of their date." isRequired isReadOnly={hasFixedName} maxLength={120} {...bind("name")} />
      <div className={styles.pair}>
        <TextField label="Organisation" maxLength={120} {...bind("organisation")} />
        <TextField label="Family" maxLength={120} {...bind("family")} />
        <TextField label="Parameters" hint="The number of weights, in digits." inputMode="numeric" {...bind("parameters")} />
        <TextField label="Training cut-off" type="date" {...bind("training_cutoff")} />
        <TextField label="Licence" maxLength={120} {...bind("licence")} />
        <TextField label="Link" type="url" maxLength={2000} {...bind("link")} />
        <TextField label="Code" type="url" maxLength={2000} {...bind("code")} />
        <TextField label="Paper" type="url" maxLength={2000} {...bind("paper")} />
      </div>
      <TextField label="Training data" hint="What it is, and whether items or answers of benchmarks are in it." rows={4} maxLength={2000} {...bind("training_data")} />
    </DialogForm>
  );
}

type Fields = Record<"name" | "organisation" | "family" | "parameters" | "licence" | "training_cutoff" | "training_data" | "link" | "code" | "paper", string>;

function fieldsOf({ name, organisation, family, parameters, licence, training_cutoff: cutoff, training_data, link, code, paper }: Omit<Model, "slug" | "version">): Fields {
  return { name, organisation, family, parameters: parameters === null ? "" : String(parameters), licence, training_cutoff: cutoff ?? "", training_data, link, code, paper };
}

const digits = (text: string) => text.replaceAll(/[\s,]/g, "");

function asJson({ parameters, training_cutoff: cutoff, ...texts }: Fields) {
  const trimmed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]));
  return { ...trimmed, parameters: digits(parameters) ? Number(digits(parameters)) : null, training_cutoff: cutoff || null };
}

const modelUrl = (slug: string) => `/api/v1/models/${slug}`;

function useChangeModel(slug: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (json: ReturnType<typeof asJson> & { version: number }) => request<Model>(modelUrl(slug), { method: "PATCH", json }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["models"] }),
  });
}
