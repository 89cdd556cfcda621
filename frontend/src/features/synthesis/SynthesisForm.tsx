import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { AMOUNT_HINT, isAmount, isPriced } from "@/domains/endpoints/budgets";
import type { Endpoint } from "@/domains/endpoints/queries";
import type { Graph } from "@/domains/graphs/graphQueries";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useCreateSynthesis } from "./queries";

const LONGEST_NAME = 200;
const isCount = (text: string) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= 200;
const NONE = "";

/** The second verifier may be left out; more of them are for the API and the command. */
export function SynthesisForm({ graphs, endpoints }: { graphs: Graph[]; endpoints: Endpoint[] }) {
  const first = endpoints[0]?.id ?? NONE;
  const [form, setForm] = useState({ name: "", graph: graphs[0]?.slug ?? "", writer: first, rewriter: endpoints[1]?.id ?? first, verifier: first, second: endpoints[1]?.id ?? NONE, count: "20", budget: "" });
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const create = useCreateSynthesis();
  const navigate = useNavigate();
  const used = [form.writer, form.rewriter, form.verifier, form.second];
  const hasPrice = endpoints.some((one) => used.includes(one.id) && isPriced(one));
  const isAmountOrEmpty = form.budget === "" || isAmount(form.budget);
  const hasBudget = hasPrice ? Number(form.budget) > 0 : isAmountOrEmpty;
  const isValid = form.name.trim() !== "" && isCount(form.count) && isAmountOrEmpty && hasBudget;
  const send = () => {
    if (!isValid || create.isPending) return;
    const { name, graph, writer, rewriter, count, budget } = form;
    const verifiers = [...new Set([form.verifier, form.second])].filter((one) => one !== NONE);
    const json = { name, graph, writer, rewriter, verifiers, budget: budget || "0", count: Number(count), seed: 0, most_answers: 20, hard: 2, soft: 1 };
    create.mutate(json, { onSuccess: ({ id }) => void navigate(`/query-syntheses/${id}`) });
  };
  const models = endpoints.map(({ id, name, model }) => ({ value: id, label: `${name}: ${model}` }));
  return (
    <Form onSubmit={send}>
      <TextField label="Name of the question set" value={form.name} onChange={(name) => change({ name })} maxLength={LONGEST_NAME} error={fieldMessage(create.error, "name")} />
      <SelectField label="Graph" value={form.graph} options={graphs.map(({ slug, name }) => ({ value: slug, label: name }))} onChange={(graph) => change({ graph })} />
      <SelectField label="Model that writes" value={form.writer} options={models} onChange={(writer) => change({ writer })} />
      <SelectField label="Model that rewrites" value={form.rewriter} options={models} onChange={(rewriter) => change({ rewriter })} />
      <SelectField label="Model that verifies" value={form.verifier} options={models} onChange={(verifier) => change({ verifier })} />
      <SelectField label="Second model that verifies" value={form.second} options={[{ value: NONE, label: "None" }, ...models]} onChange={(second) => change({ second })} />
      <TextField label="Queries to draw" value={form.count} onChange={(count) => change({ count })} inputMode="numeric" error={isCount(form.count) ? fieldMessage(create.error, "count") : "Enter a number from 1 to 200."} />
      <TextField label="Budget in US dollars" hint="For all calls. Endpoints without a price need none." value={form.budget} onChange={(budget) => change({ budget })} inputMode="decimal" error={isAmountOrEmpty ? fieldMessage(create.error, "budget") : AMOUNT_HINT} />
      {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!isValid || create.isPending}>{create.isPending ? "Sending" : "Synthesize queries"}</Button>
      </FormActions>
    </Form>
  );
}
