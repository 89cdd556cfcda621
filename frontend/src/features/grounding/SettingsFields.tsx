import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import type { Collection } from "@/domains/evaluation/groundedness";
import { AMOUNT_HINT, isAmount, isPriced } from "@/domains/endpoints/budgets";
import type { Graph } from "@/domains/graphs/graphQueries";
import { fieldMessage } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { endpointsQuery, type Quota } from "./queries";

export interface FormProps {
  graphs: Graph[];
  collections: Collection[];
  quota: Quota;
}

export interface Settings {
  graph: string;
  literature: string;
  cutoff: string;
  endpoint: string;
  budget: string;
}

const PLAIN = "";
/** Empty for none. */
const isCutoff = (text: string) => text === "" || (/^[0-9]{1,9}$/.test(text) && Number(text) >= 1);

/** The fields below that show the server's message about them. */
export const SETTINGS = ["cutoff"];

export function useSettings(graphs: Graph[], collections: Collection[]) {
  const [settings, setSettings] = useState<Settings>({ graph: graphs[0]?.slug ?? "", literature: collections[0]?.slug ?? "", cutoff: "", endpoint: PLAIN, budget: "" });
  const change = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  const chosen = (useQuery(endpointsQuery).data ?? []).find(({ id }) => id === settings.endpoint);
  const hasBudget = !isPriced(chosen) || Number(settings.budget) > 0;
  return { settings, change, isValid: isCutoff(settings.cutoff) && (settings.budget === "" || isAmount(settings.budget)) && hasBudget };
}

/** As the API takes them. */
export function toRequest({ graph, literature, cutoff, endpoint, budget }: Settings) {
  return { graph, literature: literature || null, cutoff: cutoff ? Number(cutoff) : null, endpoint: endpoint || null, budget: budget || "0", is_public: false };
}

interface Props extends Omit<FormProps, "quota"> {
  settings: Settings;
  onChange: (part: Partial<Settings>) => void;
  error: unknown;
}

/** What the claims are compared with, and by what. */
export function SettingsFields({ graphs, collections, settings: { graph, literature, cutoff, ...verifier }, onChange, error }: Props) {
  return (
    <>
      <SelectField label="Graph" value={graph} options={graphs.map(({ slug, name }) => ({ value: slug, label: name }))} onChange={(value) => onChange({ graph: value })} />
      <SelectField
        label="Papers"
        value={literature}
        options={[...collections.map(({ slug, name, papers }) => ({ value: slug, label: `${name}, ${formatPlural(papers, "paper")}` })), { value: "", label: "None: the graph alone" }]}
        onChange={(value) => onChange({ literature: value })}
      />
      <TextField
        label="Cut-off"
        hint="A PMID or a year, in the unit of the graph's dates. Nothing later is read. Empty: everything."
        value={cutoff}
        onChange={(value) => onChange({ cutoff: value })}
        inputMode="numeric"
        error={isCutoff(cutoff) ? fieldMessage(error, "cutoff") : "Enter a whole number of 1 or more, or leave this empty."}
      />
      <VerifierFields {...verifier} onChange={onChange} />
    </>
  );
}

function VerifierFields({ endpoint, budget, onChange }: Pick<Settings, "endpoint" | "budget"> & Pick<Props, "onChange">) {
  const endpoints = useQuery(endpointsQuery).data ?? [];
  const chosen = endpoints.find(({ id }) => id === endpoint);
  return (
    <>
      <SelectField
        label="Verifier"
        value={endpoint}
        options={[{ value: PLAIN, label: "Plain: compares words and edges, without a model" }, ...endpoints.map(({ id, name, model }) => ({ value: id, label: `${name}: ${model}` }))]}
        onChange={(value) => onChange({ endpoint: value })}
        hint={chosen ? "The model reads the rationale, the papers and the edges." : "It reads English words, not meaning: paraphrases, inferences and other languages are beyond it."}
      />
      {isPriced(chosen) && (
        <TextField
          label="Budget in US dollars"
          hint="Required, above 0. No more than this is spent."
          value={budget}
          onChange={(value) => onChange({ budget: value })}
          inputMode="decimal"
          error={budget === "" || isAmount(budget) ? undefined : AMOUNT_HINT}
        />
      )}
    </>
  );
}
