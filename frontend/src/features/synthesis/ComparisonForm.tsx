import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { questionSetsQuery } from "@/domains/questions/questionSets";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useCreateComparison, type Comparison } from "./queries";
import styles from "./Synthesis.module.css";

const LONGEST_NAME = 200;

/** One step from two sets of queries to a study that hides which query is whose. */
export function ComparisonForm({ set }: { set: string }) {
  const sets = useQuery(questionSetsQuery);
  const create = useCreateComparison();
  const [form, setForm] = useState({ name: "", other: "" });
  const others = sets.data?.filter(({ id, is_owner: isOwner }) => isOwner && id !== set) ?? [];
  const isValid = form.name.trim() !== "" && form.other !== "";
  const send = () => {
    if (isValid && !create.isPending) create.mutate({ name: form.name.trim(), sets: [set, form.other] });
  };
  if (create.data) return <Created comparison={create.data} />;
  return (
    <section className={styles.section} aria-labelledby="comparison-heading">
      <h2 id="comparison-heading">Compare with other queries</h2>
      <p>Experts rate the queries of both sets, mixed and without their source. The statistics of the study have the rates by source.</p>
      <Form onSubmit={send}>
        <SelectField
          label="Compared with"
          hint={sets.isError ? "The question sets could not be loaded. Reload the page." : "A set that you own, such as the queries of a study in which people wrote them."}
          value={form.other}
          options={[{ value: "", label: "Choose a set" }, ...others.map(({ id, name, questions }) => ({ value: id, label: `${name} (${formatCount(questions)})` }))]}
          onChange={(other) => setForm((before) => ({ ...before, other }))}
          translate="no"
        />
        <TextField label="Name of the study" hint="The experts see it: name no source." value={form.name} onChange={(name) => setForm((before) => ({ ...before, name }))} maxLength={LONGEST_NAME} />
        {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
        <FormActions>
          <Button type="submit" isDisabled={!isValid || create.isPending}>{create.isPending ? "Creating" : "Create the study"}</Button>
        </FormActions>
      </Form>
    </section>
  );
}

function Created({ comparison: { study, mixed } }: { comparison: Comparison }) {
  const known = mixed.sources.filter((one) => one.public > 0);
  return (
    <Notice tone={known.length > 0 ? "warn" : "good"}>
      {formatPlural(mixed.queries, "query", "queries")} in the study. <Link to={`/studies/${study}`}>Invite experts</Link>{" "}
      {known.map((one) => <span key={one.name}>They can look up {formatPlural(one.public, "public query", "public queries")} of <bdi>{one.name}</bdi>. </span>)}
    </Notice>
  );
}
