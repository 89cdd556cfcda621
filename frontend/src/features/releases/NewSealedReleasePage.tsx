import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { request } from "@/api/client";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import type { Release } from "@/domains/evaluation/queries";
import { graphQuery, graphsQuery } from "@/domains/graphs/graphQueries";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { useMutation } from "@/lib/useMutation";
import styles from "./Releases.module.css";

const PARENT = { to: "/releases", label: "Releases" };
const NOTHING = { name: "", graph: "", subjects: "", objects: "" };

/** Makes a draft of all pairs of two types that no edge of a graph's newest version joins. */
export function NewSealedReleasePage() {
  const [form, setForm] = useState(NOTHING);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const graphs = useQuery(graphsQuery);
  const graph = useQuery({ ...graphQuery(form.graph), enabled: form.graph !== "" });
  const make = useMutation({
    mutationFn: () => request<Release>("/api/v1/sealed-releases", { method: "POST", json: form }),
    onSuccess: ({ slug }) => {
      void queries.invalidateQueries({ queryKey: ["releases"] });
      void navigate(`/releases/${slug}`);
    },
  });
  const change = (changed: Partial<typeof form>) => {
    setForm({ ...form, ...changed });
    if (make.isError) make.reset();
  };
  const types = [{ value: "", label: "Choose a type" }, ...(graph.data?.types ?? []).map(({ name }) => ({ value: name, label: name }))];
  const hasYears = graph.data === undefined || graph.data.date_unit === "year";
  const isReady = form.name.trim() !== "" && form.subjects !== "" && form.objects !== "" && hasYears;
  return (
    <Page title="Seal predictions" parent={PARENT} intro="Nobody knows the answers yet. Predictions are stored unscored until a later version of the graph has them.">
      <div className={styles.form}>
        <Form onSubmit={() => { if (isReady && !make.isPending) make.mutate(); }}>
          <TextField label="Name" value={form.name} onChange={(name) => change({ name })} error={fieldMessage(make.error, "name")} maxLength={200} />
          <SelectField
            label="Graph"
            hint="Its newest version. Edges need years."
            value={form.graph}
            options={[{ value: "", label: "Choose a graph" }, ...(graphs.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))]}
            onChange={(slug) => change({ graph: slug, subjects: "", objects: "" })}
          />
          {!hasYears && <Notice tone="warn"><p>The edges of this graph have no years. Choose another one.</p></Notice>}
          <div className={styles.pair}>
            <SelectField label="First type of a pair" hint="Such as Drug." value={form.subjects} options={types} onChange={(subjects) => change({ subjects })} />
            <SelectField label="Second type" hint="Such as Disease." value={form.objects} options={types} onChange={(objects) => change({ objects })} />
          </div>
          <FormActions>
            <Button type="submit" variant="primary" size="large" isDisabled={!isReady} isPending={make.isPending}>
              {make.isPending ? "Listing the pairs" : "Make the draft"}
            </Button>
          </FormActions>
          {make.isError && <Notice tone="bad"><p>{errorMessage(make.error)}</p></Notice>}
        </Form>
      </div>
    </Page>
  );
}
