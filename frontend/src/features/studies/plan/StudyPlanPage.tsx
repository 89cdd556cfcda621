import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { request } from "@/api/client";
import type { StudyPlan } from "@/api/contract";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { formatCoefficient, formatCount, formatPercent } from "@/lib/format";
import { listPlanning } from "@/study-kinds/registry";
import { fieldsOf, planFaults, toPlanRequest, type PlanFields } from "./planFields";
import styles from "./StudyPlan.module.css";

/** What a study of a size will show, before anybody is invited. */
export function StudyPlanPage() {
  const [search, setSearch] = useSearchParams();
  const planned = fieldsOf(search);
  const isPlanned = (search.has("items") || search.has("hours")) && Object.keys(planFaults(planned)).length === 0;
  return (
    <Page
      title="Plan a study" width="wide" parent={{ to: "/studies", label: "Studies" }}
      intro="How sure a study of a size, or of the hours that experts have, will be. Many such studies are simulated; nothing is stored."
    >
      <div className={styles.columns}>
        <PlanForm key={search.toString()} start={planned} onPlan={(fields) => setSearch({ ...fields })} />
        <div>{isPlanned ? <PlanResult fields={planned} /> : <p className={styles.quiet}>Enter the numbers and plan the study.</p>}</div>
      </div>
    </Page>
  );
}

function PlanForm({ start, onPlan }: { start: PlanFields; onPlan: (fields: PlanFields) => void }) {
  const [fields, setFields] = useState(start);
  const [isChecked, setChecked] = useState(false);
  const faults = planFaults(fields);
  const all = listPlanning();
  const planning = all.find(({ judgement }) => judgement === fields.judgement);
  const options = all.map(({ judgement, label }) => ({ value: judgement, label }));
  const field = (name: keyof PlanFields, label: string, hint?: string) => (
    <TextField
      label={label} {...(hint && { hint })} type="number" value={fields[name]} error={isChecked ? faults[name] : undefined}
      onChange={(value) => setFields((known) => ({ ...known, [name]: value }))}
    />
  );
  const submit = () => {
    setChecked(true);
    if (Object.keys(faults).length === 0) onPlan(fields);
  };
  return (
    <Form onSubmit={submit}>
      <SelectField label="What experts judge" value={fields.judgement} options={options} onChange={(judgement) => setFields((known) => ({ ...known, judgement }))} />
      {field("items", planning?.items ?? "Items")}
      {field("hours", "Or hours of each expert", "As many as fit into these hours are planned. Empty the number above.")}
      {field("raters", "Experts")}
      {field("overlap", "Experts for each")}
      {field("seconds", "Seconds for each judgement")}
      {planning?.field && field(planning.field.name, planning.field.label, planning.field.hint)}
      <FormActions><Button type="submit" variant="primary" size="large">Plan the study</Button></FormActions>
    </Form>
  );
}

function PlanResult({ fields }: { fields: PlanFields }) {
  const json = toPlanRequest(fields);
  const plan = useQuery({
    queryKey: ["study-plan", json],
    queryFn: ({ signal }) => request<StudyPlan>("/api/v1/study-plans", { method: "POST", json, signal }),
    staleTime: Infinity,
  });
  return (
    <QueryBoundary query={plan} skeleton={<SkeletonRows rows={4} height={40} />}>
      {(shown) => (
        <section className={styles.result} aria-labelledby="plan-sentence">
          <h2 id="plan-sentence">{shown.sentence}</h2>
          {shown.warnings.map((warning) => <Notice key={warning} tone="warn">{warning}</Notice>)}
          <p>{workLabel(shown)}</p>
          <DataTable label="What the study will show" columns={["Figure", { label: "Expected", isNumeric: true }, "95% of such studies", { label: "±", isNumeric: true }]}>
            {shown.figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{figure.label}</th>
                <td data-numeric>{formatCoefficient(figure.value)}</td>
                <td>{formatCoefficient(figure.low)} to {formatCoefficient(figure.high)}</td>
                <td data-numeric>{formatCoefficient(figure.half_width)}</td>
              </tr>
            ))}
          </DataTable>
          {shown.power !== null && <p>A sign test at 5% finds the preference in {formatPercent(shown.power)} of such studies (power).</p>}
          {shown.notes.map((note) => <p key={note} className={styles.quiet}>{note}</p>)}
          <p className={styles.quiet}>Simulated studies: {formatCount(shown.studies)}.</p>
        </section>
      )}
    </QueryBoundary>
  );
}

function workLabel({ judgements, hours, hours_per_rater: each }: StudyPlan): string {
  return `${formatCount(judgements)} judgements take ${formatCoefficient(hours, 1)} hours: ${formatCoefficient(each, 1)} for each expert.`;
}
