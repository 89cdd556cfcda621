import { useState } from "react";
import { Button } from "@/components/Button";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import type { Release } from "@/domains/evaluation/queries";
import { errorMessage, fieldErrors } from "@/lib/errorMessages";
import { formatCount } from "@/lib/format";
import { listVerdictKinds } from "@/study-kinds/registry";
import styles from "../Releases.module.css";
import { useMakeStudy } from "./queries";

const DEFAULT_LIMIT = 300;
const DEFAULT_OVERLAP = "3";
const MOST_ADAPTIVE = 80;

interface Props {
  release: Release;
  split: string;
  unjudged: number;
}

/** A study of the first unjudged answers, in one step. */
export function StudyForm({ release, split, unjudged }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) return <div><Button variant="primary" onPress={() => setOpen(true)}>Make a study</Button></div>;
  return <Fields release={release} split={split} unjudged={unjudged} onClose={() => setOpen(false)} />;
}

/** The whole number that was typed; null where it is none of the range. */
function readNumber(text: string, low: number, high: number): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= low && value <= high ? value : null;
}

function Fields({ release, split, unjudged, onClose }: Props & { onClose: () => void }) {
  const [name, setName] = useState(`Unjudged answers of ${release.name}`.slice(0, 200));
  const kinds = listVerdictKinds();
  const [kind, setKind] = useState(kinds[0]?.value ?? "");
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP);
  const [limit, setLimit] = useState(String(Math.min(DEFAULT_LIMIT, unjudged)));
  const [adaptive, setAdaptive] = useState("0");
  const make = useMakeStudy(release.slug, split);
  const numbers = { overlap: readNumber(overlap, 1, 1000), limit: readNumber(limit, 1, 2000), adaptive: readNumber(adaptive, 0, MOST_ADAPTIVE) };
  const isReady = name.trim() !== "" && !Object.values(numbers).includes(null) && !make.isPending;
  const submit = () => {
    const { overlap: each, limit: count, adaptive: share } = numbers;
    if (!isReady || each === null || count === null || share === null) return;
    make.mutate({ name: name.trim(), kind, overlap: each, limit: count, adaptive_share: share / 100 }, { onSuccess: onClose });
  };
  const errors = fieldErrors(make.error);
  return (
    <div className={styles.form}>
      <Form onSubmit={submit}>
        <TextField label="Name of the study" hint="Experts see it, so name no model." value={name} onChange={setName} maxLength={200} />
        <SelectField label="How experts judge" options={kinds} value={kind} onChange={setKind} />
        <TextField label="Answers to judge" hint={`The first of ${formatCount(unjudged)}, at most 2,000.`} inputMode="numeric" value={limit} onChange={setLimit} error={numbers.limit === null ? "Write a number from 1 to 2,000." : undefined} />
        <TextField label="Experts for each answer" inputMode="numeric" value={overlap} onChange={setOverlap} error={numbers.overlap === null ? "Write a number from 1 to 1,000." : undefined} />
        <TextField
          label="Drawn by information, in percent"
          hint="The rest is drawn at random, at least a fifth."
          inputMode="numeric"
          value={adaptive}
          onChange={setAdaptive}
          error={numbers.adaptive === null ? `Write a number from 0 to ${MOST_ADAPTIVE}.` : undefined}
        />
        {make.isError && <Notice tone="bad">{errorMessage(make.error)}</Notice>}
        {errors.length > 0 && <ErrorTable title="All errors" rows={errorRows(errors)} />}
        <FormActions>
          <Button onPress={onClose} size="large">Cancel</Button>
          <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{make.isPending ? "Making the study" : "Make the study"}</Button>
        </FormActions>
      </Form>
    </div>
  );
}
