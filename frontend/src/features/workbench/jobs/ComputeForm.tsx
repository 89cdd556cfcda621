import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { RadioChoiceGroup } from "@/components/ChoiceGroup";
import { Form, FormActions } from "@/components/Form";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { GraphSelect } from "@/domains/graphs/GraphSelect";
import { questionSetsQuery } from "@/domains/questions/questionSets";
import { OptionFields } from "../ComputationDetails";
import { DEFAULTS, type Options } from "../options";
import type { Kind, ComputationRequest } from "./api";
import styles from "./Jobs.module.css";
import { KINDS } from "./labels";

export interface ComputeFormValues {
  kind: Kind;
  graph: string;
  set: string;
  size: string;
  options: Options;
}

interface Props {
  initial: Partial<ComputeFormValues>;
  onSubmit: (request: ComputationRequest) => void;
  isSubmitting: boolean;
}

/** What is to be computed, of which version of which graph, with which choices. */
export function ComputeForm({ initial, onSubmit, isSubmitting }: Props) {
  const [draft, setDraft] = useState<ComputeFormValues>({ kind: "transition", graph: "", set: "", size: "", options: DEFAULTS, ...initial });
  const change = (part: Partial<ComputeFormValues>) => setDraft((now) => ({ ...now, ...part }));
  const kind = KINDS.find(({ value }) => value === draft.kind) ?? KINDS[0];
  const isSet = draft.kind === "partition";
  const isSizeFine = draft.size === "" || /^[1-9]\d{0,8}$/.test(draft.size);
  const isReady = draft.graph !== "" && (!isSet || (draft.set !== "" && isSizeFine)) && !isSubmitting;
  return (
    <div className={styles.form}>
      <Form onSubmit={() => isReady && onSubmit(toRequest(draft))}>
        <RadioChoiceGroup label="Computation" options={KINDS} value={draft.kind} onChange={(value) => change({ kind: value })} />
        <GraphSelect
          label="Graph version"
          hint="Each version of a graph needs its own computation."
          emptyOptionLabel="Choose a version"
          fallbackText="Reload the page."
          value={draft.graph}
          onChange={(graph) => change({ graph })}
        />
        {isSet && <QuestionSetSelect value={draft.set} onChange={(set) => change({ set })} />}
        <OptionFields
          names={kind?.options ?? []}
          parameters={draft.options}
          onChoose={(name, value) => change({ options: { ...draft.options, [name]: value } })}
        />
        {isSet && (
          <div className={styles.size}>
            <TextField
              label="Size of the serendipity sets"
              hint="Leave empty for a fifth of each question's candidates."
              inputMode="numeric"
              value={draft.size}
              onChange={(size) => change({ size })}
              error={isSizeFine ? undefined : "Enter a whole number, or leave this empty."}
            />
          </div>
        )}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>
            {isSubmitting ? "Starting" : kind?.action}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

function toRequest({ kind, graph, set, size, options }: ComputeFormValues): ComputationRequest {
  const names = KINDS.find(({ value }) => value === kind)?.options ?? [];
  const chosen = Object.fromEntries(names.map((name) => [name, options[name]])) as Partial<Options>;
  if (kind !== "partition") return { kind, graph, ...chosen };
  return { kind, graph, ...chosen, question_set: set, ...(size && { size: Number(size) }) };
}

function QuestionSetSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const sets = useQuery(questionSetsQuery);
  const named = sets.data?.filter(({ is_manager: isManager }) => isManager).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      label="Question set"
      value={value}
      onChange={onChange}
      options={[{ value: "", label: "Choose a set" }, ...(named ?? [])]}
      hint={sets.isError ? "The question sets could not be loaded. Reload the page." : SET_HINT}
    />
  );
}

const SET_HINT = "Your question set, or one of your study. Its names are matched to the graph first.";
