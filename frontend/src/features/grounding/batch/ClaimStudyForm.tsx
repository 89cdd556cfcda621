import { useState } from "react";
import { Button } from "@/components/Button";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { SOURCE_LABELS } from "../labels";
import { useMakeClaimStudy, type GroundingBatch } from "./queries";

const MOST_CLAIMS = 2000;
const RULES = [
  { value: "random", label: "At random" },
  { value: "active", label: "Likelier where the verifier is unsure" },
] as const;

/** A study of claims of the batch, in one step. */
export function ClaimStudyForm({ batch }: { batch: GroundingBatch }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <div><Button variant="primary" onPress={() => setOpen(true)}>Make a study of claims</Button></div>;
  return <Fields batch={batch} onClose={() => setOpen(false)} />;
}

/** The whole number that was typed; null where it is none of the range. */
function readNumber(text: string, high: number): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= high ? value : null;
}

function Fields({ batch, onClose }: { batch: GroundingBatch; onClose: () => void }) {
  const sources = batch.sources.map(({ source }) => source);
  const hasProbabilities = batch.sources.some((one) => one.has_probabilities);
  const [name, setName] = useState("");
  const [source, setSource] = useState(sources.at(-1) ?? "graph");
  const [rule, setRule] = useState<(typeof RULES)[number]["value"]>("random");
  const [claims, setClaims] = useState("200");
  const [overlap, setOverlap] = useState("3");
  const make = useMakeClaimStudy(batch.batch);
  const numbers = { claims: readNumber(claims, MOST_CLAIMS), overlap: readNumber(overlap, 1000) };
  const isReady = name.trim() !== "" && numbers.claims !== null && numbers.overlap !== null && !make.isPending;
  const submit = () => {
    if (!isReady || numbers.claims === null || numbers.overlap === null) return;
    make.mutate({ name: name.trim(), claims: numbers.claims, overlap: numbers.overlap, rule, source }, { onSuccess: onClose });
  };
  const errors = fieldErrors(make.error);
  return (
    <Form onSubmit={submit}>
      <TextField label="Name of the study" hint="Experts see it, so name no verifier." value={name} onChange={setName} maxLength={200} />
      <SelectField label="Evidence that experts read" options={sources.map((value) => ({ value, label: SOURCE_LABELS[value] }))} value={source} onChange={setSource} hint="Their verdicts are compared with the verifier's from the same evidence." />
      <TextField label="Claims to verify" hint={`At most ${MOST_CLAIMS}. Where there are fewer, all of them.`} inputMode="numeric" value={claims} onChange={setClaims} error={numbers.claims === null ? `Write a number from 1 to ${MOST_CLAIMS}.` : undefined} />
      <SelectField
        label="Which claims"
        options={RULES.filter(({ value }) => value === "random" || hasProbabilities)}
        value={rule}
        onChange={setRule}
        hint={hasProbabilities ? "Only a random choice can be continued by another study." : "This verifier states no probabilities, so claims are chosen at random."}
      />
      <TextField label="Experts for each claim" inputMode="numeric" value={overlap} onChange={setOverlap} error={numbers.overlap === null ? "Write a number from 1 to 1,000." : undefined} />
      {make.isError && <Notice tone="bad">{errorMessage(make.error)}</Notice>}
      {errors.length > 0 && <ErrorTable title="All errors" rows={errorRows(errors)} />}
      <FormActions>
        <Button onPress={onClose} size="large">Cancel</Button>
        <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{make.isPending ? "Making the study" : "Make the study"}</Button>
      </FormActions>
    </Form>
  );
}
