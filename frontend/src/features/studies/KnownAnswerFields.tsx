import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { FEEDBACK_OPTIONS, type CheckFields } from "./studyDesign";

export interface CheckFieldsProps {
  fields: CheckFields;
  error: (name: keyof CheckFields) => string | undefined;
  onChange: (change: Partial<CheckFields>) => void;
}

const RULES = [
  { value: "batches", label: "Whole batches to each expert" },
  { value: "pool", label: "Questions from a pool" },
] as const;

export function AssignmentFields({ fields, error, onChange }: CheckFieldsProps) {
  return (
    <>
      <SelectField
        label="Assignment"
        hint="From a pool, each question goes to as many experts as you need, in an order of their own."
        value={fields.rule}
        onChange={(rule) => onChange({ rule })}
        options={RULES}
      />
      {fields.rule === "pool" && (
        <TextField label="Experts for each question" type="number" value={fields.overlap} error={error("overlap")} onChange={(overlap) => onChange({ overlap })} />
      )}
    </>
  );
}

/** How questions with a known answer check the experts. */
export function KnownAnswerFields({ fields, error, onChange }: CheckFieldsProps) {
  return (
    <>
      <TextField
        label="Known answers, in %"
        hint="The share of an expert’s questions that have a known answer, if there are any."
        type="number"
        value={fields.goldPercent}
        error={error("goldPercent")}
        onChange={(goldPercent) => onChange({ goldPercent })}
      />
      <SelectField label="Experts learn whether they were right" value={fields.goldFeedback} onChange={(goldFeedback) => onChange({ goldFeedback })} options={FEEDBACK_OPTIONS} />
    </>
  );
}

/** Only a pool has one, and only as many questions as have a known answer. */
export function QualificationFields({ fields, error, onChange }: CheckFieldsProps) {
  if (fields.rule !== "pool") return null;
  return (
    <>
      <TextField
        label="Questions of the qualification"
        hint="With a known answer, before all others. 0 lets everyone answer."
        type="number"
        value={fields.qualificationItems}
        error={error("qualificationItems")}
        onChange={(qualificationItems) => onChange({ qualificationItems })}
      />
      <TextField
        label="Right answers needed"
        type="number"
        value={fields.qualificationMinimum}
        error={error("qualificationMinimum")}
        onChange={(qualificationMinimum) => onChange({ qualificationMinimum })}
      />
    </>
  );
}
