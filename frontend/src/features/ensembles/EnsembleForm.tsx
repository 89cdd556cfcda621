import { useState } from "react";
import type { QuestionSet } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { AMOUNT_HINT, isAmount, isPriced } from "@/domains/endpoints/budgets";
import { hasPrice, modelText, PRICE_UNKNOWN } from "@/domains/endpoints/labels";
import type { Endpoint } from "@/domains/endpoints/queries";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useCreateEnsemble } from "./queries";

const NONE = "";
const PLACES = ["First model", "Second model", "Third model"];

/** Up to three endpoints of different models; more of them are for the API and the command. */
export function EnsembleForm({ sets, endpoints }: { sets: QuestionSet[]; endpoints: Endpoint[] }) {
  const [set, setSet] = useState(sets[0]?.id ?? NONE);
  const [chosen, setChosen] = useState([endpoints[0]?.id ?? NONE, NONE, NONE]);
  const [budget, setBudget] = useState("");
  const create = useCreateEnsemble();
  const used = endpoints.filter(({ id }) => chosen.includes(id));
  const count = chosen.filter((id) => id !== NONE).length;
  const areDifferent = new Set(used.map(({ model }) => model)).size === count;
  const isBudget = budget === "" || isAmount(budget);
  const hasBudget = used.some(isPriced) ? Number(budget) > 0 : isBudget;
  const isValid = set !== NONE && count > 0 && areDifferent && used.every(hasPrice) && isBudget && hasBudget;
  const send = () => {
    if (!isValid || create.isPending) return;
    create.mutate({ question_set: set, endpoints: used.map(({ id }) => id), budget: budget || "0" });
  };
  const models = endpoints.map(({ id, name, model, size_label: size }) => ({ value: id, label: `${name}: ${modelText(model, size)}` }));
  const modelFault = (id: string) => {
    const endpoint = endpoints.find((one) => one.id === id);
    return endpoint && !hasPrice(endpoint) ? PRICE_UNKNOWN : undefined;
  };
  return (
    <Form onSubmit={send}>
      <SelectField label="Question set" value={set} options={sets.map(({ id, name }) => ({ value: id, label: name }))} onChange={setSet} error={fieldMessage(create.error, "question_set")} />
      {PLACES.map((label, place) => (
        <SelectField
          key={label}
          label={label}
          value={chosen[place] ?? NONE}
          options={place === 0 ? models : [{ value: NONE, label: "None" }, ...models]}
          onChange={(id) => setChosen(chosen.map((one, at) => (at === place ? id : one)))}
          error={modelFault(chosen[place] ?? NONE)}
        />
      ))}
      {!areDifferent && <Notice tone="warn">Choose endpoints of different models.</Notice>}
      <TextField label="Budget in US dollars" hint="For all calls. Endpoints without a price need none." value={budget} onChange={setBudget} inputMode="decimal" error={isBudget ? fieldMessage(create.error, "budget") : AMOUNT_HINT} />
      {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!isValid || create.isPending}>{create.isPending ? "Sending" : "Score candidates"}</Button>
      </FormActions>
    </Form>
  );
}
