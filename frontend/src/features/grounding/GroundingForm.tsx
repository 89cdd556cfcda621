import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import type { Graph } from "@/domains/graphs/graphQueries";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useCreateGrounding } from "./mutations";
import { endpointsQuery, type Collection, type NewGrounding, type Quota } from "./queries";

interface Props {
  graphs: Graph[];
  collections: Collection[];
  quota: Quota;
}

const PLAIN = "";
const isWhole = (text: string) => /^[0-9]{0,9}$/.test(text);
const isAmount = (text: string) => /^[0-9]{0,6}(\.[0-9]{0,6})?$/.test(text);

export function GroundingForm({ graphs, collections, quota }: Props) {
  const [hypothesis, setHypothesis] = useState("");
  const [rationale, setRationale] = useState("");
  const [graph, setGraph] = useState(graphs[0]?.slug ?? "");
  const [literature, setLiterature] = useState(collections[0]?.slug ?? "");
  const [cutoff, setCutoff] = useState("");
  const [endpoint, setEndpoint] = useState(PLAIN);
  const [budget, setBudget] = useState("");
  const create = useCreateGrounding();
  const navigate = useNavigate();
  const left = quota.limit - quota.used;
  const isComplete = rationale.trim() !== "" && isWhole(cutoff) && isAmount(budget);
  const mayGround = isComplete && left > 0 && !create.isPending;
  const send = () => {
    if (!mayGround) return;
    const grounding: NewGrounding = {
      graph, hypothesis, rationale,
      literature: literature || null,
      cutoff: cutoff ? Number(cutoff) : null,
      endpoint: endpoint || null,
      budget: budget || "0",
      is_public: false,
    };
    create.mutate(grounding, { onSuccess: ({ id }) => void navigate(`/groundings/${id}`) });
  };
  return (
    <Form onSubmit={send}>
      <TextField label="Hypothesis" hint="It may be empty." value={hypothesis} onChange={setHypothesis} rows={2} maxLength={quota.longest_hypothesis} error={fieldMessage(create.error, "hypothesis")} />
      <TextField
        label="Rationale"
        hint={`At most ${formatCount(quota.longest_rationale)} characters and ${quota.most_claims} claims.`}
        value={rationale}
        onChange={setRationale}
        rows={8}
        maxLength={quota.longest_rationale}
        error={fieldMessage(create.error, "rationale")}
      />
      <SelectField label="Graph" value={graph} options={graphs.map(({ slug, name }) => ({ value: slug, label: name }))} onChange={setGraph} />
      <SelectField
        label="Papers"
        value={literature}
        options={[...collections.map(({ slug, name, papers }) => ({ value: slug, label: `${name}, ${formatPlural(papers, "paper")}` })), { value: "", label: "None: the graph alone" }]}
        onChange={setLiterature}
      />
      <TextField
        label="Cut-off"
        hint="A PMID or a year, in the unit of the graph's dates. Nothing later is read. Empty: everything."
        value={cutoff}
        onChange={setCutoff}
        inputMode="numeric"
        error={isWhole(cutoff) ? fieldMessage(create.error, "cutoff") : "Enter a whole number."}
      />
      <VerifierFields endpoint={endpoint} onEndpoint={setEndpoint} budget={budget} onBudget={setBudget} />
      {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
      {left <= 0 && <Notice tone="warn">You have used all {formatCount(quota.limit)} rationales of this day. Go on after 00:00 UTC.</Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!mayGround}>{create.isPending ? "Sending" : "Ground this rationale"}</Button>
      </FormActions>
    </Form>
  );
}

interface VerifierProps {
  endpoint: string;
  onEndpoint: (id: string) => void;
  budget: string;
  onBudget: (dollars: string) => void;
}

function VerifierFields({ endpoint, onEndpoint, budget, onBudget }: VerifierProps) {
  const endpoints = useQuery(endpointsQuery).data ?? [];
  const chosen = endpoints.find(({ id }) => id === endpoint);
  const isFree = chosen && Number(chosen.price_in) === 0 && Number(chosen.price_out) === 0;
  return (
    <>
      <SelectField
        label="Verifier"
        value={endpoint}
        options={[{ value: PLAIN, label: "Plain: compares words and edges, without a model" }, ...endpoints.map(({ id, name, model }) => ({ value: id, label: `${name}: ${model}` }))]}
        onChange={onEndpoint}
        hint={chosen ? "The model reads the rationale, the papers and the edges." : "It reads words, not meaning: paraphrases and inferences are beyond it."}
      />
      {chosen && !isFree && (
        <TextField label="Budget in US dollars" hint="No more than this is spent." value={budget} onChange={onBudget} inputMode="decimal" error={isAmount(budget) ? undefined : "Enter an amount, such as 0.50."} />
      )}
    </>
  );
}
