import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import type { CreatedStudy, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { GraphSelect } from "@/domains/graphs/GraphSelect";
import { currentUserQuery } from "@/lib/currentUser";
import { errorMessage } from "@/lib/errorMessages";
import { importError } from "@/domains/studies/importError";
import { useMutation } from "@/lib/useMutation";
import { AssignmentFields, KnownAnswerFields } from "./KnownAnswerFields";
import { QuestionSetSelect } from "./QuestionSetSelect";
import { StudyKindSelect } from "./StudyKindSelect";
import styles from "./Studies.module.css";
import { checkDesign, EMPTY_DESIGN, STATE_OPTIONS, toRequest, type DesignFields } from "./studyDesign";

const ADVANCED = ["evidencePercent", "reversedPercent", "repeatPercent", "goldPercent"] as const;

/** A study of questions that are here already: its consensus becomes their experts' partition. */
export function StudyFromSetForm() {
  const [fields, setFields] = useState<DesignFields>(EMPTY_DESIGN);
  const [isChecked, setChecked] = useState(false);
  const [isAdvanced, setAdvanced] = useState(false);
  const creating = useStudyCreation();
  const refusal = creating.isError ? importError(creating.error) : null;
  const faults = checkDesign(fields);
  const set = (change: Partial<DesignFields>) => setFields((known) => ({ ...known, ...change }));
  const error = (name: keyof DesignFields) => (isChecked ? faults[name] : undefined);
  const submit = () => {
    setChecked(true);
    if (ADVANCED.some((name) => faults[name] !== undefined)) setAdvanced(true);
    if (Object.keys(faults).length === 0 && !creating.isPending) creating.mutate(fields);
  };
  return (
    <Form onSubmit={submit}>
      <TextField label="Name of the study" hint="The experts see it on their home page." value={fields.name} error={error("name")} onChange={(name) => set({ name })} maxLength={200} />
      <QuestionSetSelect
        label="Question set"
        none="Choose a set"
        hint="Sets that you own. While the study is open, visitors do not see the set."
        error={error("questionSet")}
        value={fields.questionSet}
        onChange={(questionSet) => set({ questionSet })}
      />
      <StudyKindSelect value={fields.kind} onChange={(kind) => set({ kind })} />
      <AssignmentFields fields={fields} error={error} onChange={set} />
      {fields.rule === "pool" && (
        <TextField
          label="Choose by information, in %"
          hint="Of the questions that experts take, the most informative ones first. At most 80: reliability needs the rest, drawn by chance."
          type="number"
          value={fields.adaptivePercent}
          error={error("adaptivePercent")}
          onChange={(adaptivePercent) => set({ adaptivePercent })}
        />
      )}
      <TextField
        label="Hide the models’ order from, in %"
        hint="The share of items, drawn for each expert, that start without an order. 0 shows it always."
        type="number"
        value={fields.hiddenPercent}
        error={error("hiddenPercent")}
        onChange={(hiddenPercent) => set({ hiddenPercent })}
      />
      <GraphSelect value={fields.graph} onChange={(graph) => set({ graph })} />
      <SelectField label="State" value={fields.state} onChange={(state) => set({ state })} options={STATE_OPTIONS} />
      <details open={isAdvanced} onToggle={(event) => setAdvanced(event.currentTarget.open)}>
        <summary>Advanced</summary>
        <div className={styles.advanced}>
          <TextField
            label="Hide the evidence from, in %"
            hint="The share of items, drawn for each expert, without the graph’s evidence, a pair’s background, or a checked question’s pattern and answers."
            type="number"
            value={fields.evidencePercent}
            error={error("evidencePercent")}
            onChange={(evidencePercent) => set({ evidencePercent })}
          />
          <TextField
            label="Reverse the order of, in %"
            hint="The share of items, drawn for each expert, whose tied candidates stand the other way round."
            type="number"
            value={fields.reversedPercent}
            error={error("reversedPercent")}
            onChange={(reversedPercent) => set({ reversedPercent })}
          />
          <TextField
            label="Repeat, in %"
            hint="Of each expert’s questions, after 20 others and in another visit. 5 to 10, or 0 for none."
            type="number"
            value={fields.repeatPercent}
            error={error("repeatPercent")}
            onChange={(repeatPercent) => set({ repeatPercent })}
          />
          <KnownAnswerFields fields={fields} error={error} onChange={set} />
        </div>
      </details>
      {refusal && <Notice tone="bad"><p>{refusal.name ?? errorMessage(creating.error)}</p></Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isPending={creating.isPending}>
          {creating.isPending ? "Creating" : "Create the study"}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Opens the dashboard of the new study: nobody is invited yet. */
function useStudyCreation() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (fields: DesignFields) => request<CreatedStudy>("/api/v1/studies", { method: "POST", json: toRequest(fields) }),
    onSuccess: async ({ study }: { study: { id: Id } }) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["studies"] }),
        queries.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
      ]);
      await navigate(`/studies/${study.id}`);
    },
  });
}
