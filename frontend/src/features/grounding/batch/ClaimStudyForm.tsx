import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { ResultStatus } from "@/components/ResultStatus";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { formatPlural } from "@/lib/format";
import { SOURCE_LABELS } from "../labels";
import { useMakeClaimStudy, type CreatedClaimStudy, type GroundingBatch } from "./queries";

const MOST_CLAIMS = 2000;
const RULES = [
  { value: "random", label: "At random" },
  { value: "active", label: "Likelier where the verifier is unsure" },
] as const;

/** A study of claims of the batch, in one step. */
export function ClaimStudyForm({ batch }: { batch: GroundingBatch }) {
  const [isOpen, setOpen] = useState(false);
  const [study, setStudy] = useState<CreatedClaimStudy | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isCancelled = useRef(false);
  useEffect(() => {
    if (!isOpen && isCancelled.current) opener.current?.focus();
    isCancelled.current = false;
  }, [isOpen]);
  const cancel = () => {
    isCancelled.current = true;
    setOpen(false);
  };
  const finish = (created: CreatedClaimStudy) => {
    setStudy(created);
    setOpen(false);
  };
  if (isOpen) return <Fields batch={batch} onCancel={cancel} onDone={finish} />;
  return (
    <>
      {study && <ResultStatus key={study.id} message="The study is ready: "><Link to={`/studies/${study.id}`} dir="auto">{study.name}</Link>, {formatPlural(study.questions, "claim")}. Invite experts to it there.</ResultStatus>}
      <div><Button ref={opener} variant="primary" onPress={() => setOpen(true)}>Make a study of claims</Button></div>
    </>
  );
}

/** The whole number that was typed; null where it is none of the range. */
function readNumber(text: string, high: number): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= high ? value : null;
}

function Fields({ batch, onCancel, onDone }: { batch: GroundingBatch; onCancel: () => void; onDone: (study: CreatedClaimStudy) => void }) {
  const sources = batch.sources.map(({ source }) => source);
  const [name, setName] = useState("");
  const [source, setSource] = useState(sources.at(-1) ?? "graph");
  const takesActive = batch.sources.some((one) => one.source === source && one.takes_active_choice);
  const [chosenRule, setRule] = useState<(typeof RULES)[number]["value"]>("random");
  const rule = takesActive ? chosenRule : "random";
  const [claims, setClaims] = useState("200");
  const [overlap, setOverlap] = useState("3");
  const make = useMakeClaimStudy(batch.batch);
  const numbers = { claims: readNumber(claims, MOST_CLAIMS), overlap: readNumber(overlap, 1000) };
  const isReady = name.trim() !== "" && numbers.claims !== null && numbers.overlap !== null && !make.isPending;
  const submit = () => {
    if (!isReady || numbers.claims === null || numbers.overlap === null) return;
    make.mutate({ name: name.trim(), claims: numbers.claims, overlap: numbers.overlap, rule, source }, { onSuccess: onDone });
  };
  const errors = fieldErrors(make.error);
  return (
    <Form onSubmit={submit}>
      <TextField autoFocus label="Name of the study" hint="Experts see it, so name no verifier." value={name} onChange={setName} maxLength={200} />
      <SelectField label="Evidence that experts read" options={sources.map((value) => ({ value, label: SOURCE_LABELS[value] }))} value={source} onChange={setSource} hint="Their verdicts are compared with the verifier's from the same evidence." />
      <TextField label="Claims to verify" hint={`At most ${MOST_CLAIMS}. Where there are fewer, all of them.`} inputMode="numeric" value={claims} onChange={setClaims} error={numbers.claims === null ? `Write a number from 1 to ${MOST_CLAIMS}.` : undefined} />
      <SelectField
        label="Which claims"
        options={RULES.filter(({ value }) => value === "random" || takesActive)}
        value={rule}
        onChange={setRule}
        hint={takesActive ? "Further studies of the batch use the same rule. Where the verifier is unsure, all of them together verify a quarter of the claims at most." : "The verifier states the probability of 'supported' for too few of these claims, so they are chosen at random."}
      />
      <TextField label="Experts for each claim" inputMode="numeric" value={overlap} onChange={setOverlap} error={numbers.overlap === null ? "Write a number from 1 to 1,000." : undefined} />
      {make.isError && <Notice tone="bad">{errorMessage(make.error)}</Notice>}
      {errors.length > 0 && <ErrorTable title="All errors" rows={errorRows(errors)} />}
      <FormActions>
        <Button onPress={onCancel} size="large">Cancel</Button>
        <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{make.isPending ? "Making the study" : "Make the study"}</Button>
      </FormActions>
    </Form>
  );
}
