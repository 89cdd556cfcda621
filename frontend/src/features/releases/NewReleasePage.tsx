import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { Problem } from "@/api/client";
import { Button } from "@/components/Button";
import { ErrorTable, errorRows } from "@/components/FaultTable";
import { FilePicker } from "@/components/FilePicker";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SelectField } from "@/components/SelectField";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { PARTITIONS, trackLabel } from "@/domains/evaluation/labels";
import { trackQuery, tracksQuery, type EvaluatedTrack } from "@/domains/evaluation/queries";
import { TrackFormat } from "@/domains/evaluation/TrackFormat";
import { GraphSelect } from "@/domains/graphs/GraphSelect";
import { errorMessage, fieldErrors, fieldMessage } from "@/lib/errorMessages";
import { useFirstAttempt } from "@/lib/firstAttempt";
import { formatListTitle } from "@/lib/format";
import { DescriptionFields } from "./DescriptionFields";
import { useMakeRelease, type NewRelease } from "./mutations";
import { areComplete, NEW_FIELDS } from "./releaseFields";
import styles from "./Releases.module.css";

const PARENT = { to: "/releases", label: "Releases" };

/** Freezes the files of a data set as a draft, which its organiser then opens. */
export function NewReleasePage() {
  const tracks = useQuery(tracksQuery);
  return (
    <Page title="Make a release" parent={PARENT} intro="The items are frozen as a draft that only you see. Nobody can change them later; open the release when it is ready.">
      <QueryBoundary query={tracks} skeleton={<SkeletonRows rows={5} />}>
        {(known) => <ReleaseForm tracks={known} />}
      </QueryBoundary>
    </Page>
  );
}

const isPercentage = (text: string) => text.trim() !== "" && Number(text) >= 0 && Number(text) <= 100;

function ReleaseForm({ tracks }: { tracks: EvaluatedTrack[] }) {
  const [form, setForm] = useState<NewRelease>({
    track: tracks[0]?.slug ?? "", slug: "", graph: "", partition: "", maskedBy: "", testShare: "100", seed: "0", cutoff: "", files: [], fields: NEW_FIELDS,
  });
  const navigate = useNavigate();
  const make = useMakeRelease();
  const format = useQuery({ ...trackQuery(form.track), enabled: form.track !== "", placeholderData: keepPreviousData });
  const isWaiting = useFirstAttempt(format);
  // The format of the files stands above the files: what came later would move them.
  if (isWaiting) return <div aria-busy="true"><SkeletonRows rows={8} height={72} /></div>;
  const change = (changed: Partial<NewRelease>) => {
    setForm({ ...form, ...changed });
    // The errors of the last attempt are not those of another form.
    if (make.isError) make.reset();
  };
  const isReady = areComplete(form.fields) && form.files.length > 0 && isPercentage(form.testShare) && /^\d{1,9}$/.test(form.seed) && /^\d{0,10}$/.test(form.cutoff);
  const send = () => {
    if (isReady && !make.isPending) make.mutate(form, { onSuccess: ({ slug }) => void navigate(`/releases/${slug}`) });
  };
  const track = tracks.find(({ slug }) => slug === form.track);
  return (
    <div className={styles.form}>
      <Form onSubmit={send}>
        <SelectField
          label="Track"
          value={form.track}
          options={tracks.map((one) => ({ value: one.slug, label: trackLabel(one) }))}
          onChange={(slug) => change({ track: slug, partition: "", maskedBy: "" })}
          hint={track && `${track.description} Evaluator version ${track.version}.`}
        />
        {format.data && <TrackFormat track={format.data} file="release_source" />}
        <FilePicker
          files={form.files}
          onChange={(files) => change({ files })}
          label="Drop the files of the data set here"
          hint="Items with their answers, as the data set publishes them. Answers stay hidden."
        />
        <DescriptionFields fields={form.fields} onChange={(fields) => change({ fields })} error={make.error} />
        <TextField
          label="Address"
          hint="Letters, digits and hyphens. Empty: made from the name."
          value={form.slug}
          onChange={(slug) => change({ slug })}
          error={fieldMessage(make.error, "slug")}
          maxLength={100}
        />
        <GraphSelect
          label="Graph"
          hint="The version that the items are about, if there is one."
          fallbackText="The release can be made without one."
          value={form.graph}
          onChange={(graph) => change({ graph })}
        />
        {track && <PartitionFields track={track} form={form} onChange={change} />}
        <TextField
          label="Cut-off"
          hint="A PMID or a year, as the graph's edges are dated. Models and tools are shown nothing later. Empty: none."
          inputMode="numeric"
          value={form.cutoff}
          onChange={(cutoff) => change({ cutoff })}
          error={/^\d{0,10}$/.test(form.cutoff) ? fieldMessage(make.error, "cutoff") : "Enter a whole number."}
        />
        <div className={styles.pair}>
          <TextField
            label="Test items, in %"
            hint="The others are for development. A group of related items is never divided."
            inputMode="decimal"
            value={form.testShare}
            onChange={(testShare) => change({ testShare })}
          />
          <TextField label="Seed of the split" inputMode="numeric" value={form.seed} onChange={(seed) => change({ seed })} />
        </div>
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={!isReady} isPending={make.isPending}>
            {make.isPending ? "Freezing the items" : "Make the draft"}
          </Button>
        </FormActions>
        {make.isError && <Refusal error={make.error} />}
      </Form>
    </div>
  );
}

interface PartitionProps {
  track: EvaluatedTrack;
  form: NewRelease;
  onChange: (changed: Partial<NewRelease>) => void;
}

/** Which partition the items are of, or whose masked graph they are about, where the track has that. */
function PartitionFields({ track: { partition_methods: own, mask_methods: masks }, form, onChange }: PartitionProps) {
  const options = (methods: string[], none: string) => [{ value: "", label: none }, ...methods.map((value) => ({ value, label: PARTITIONS[value] ?? value }))];
  if (own.length > 0) {
    return (
      <SelectField
        label="Partition"
        value={form.partition}
        options={options(own, "Experts, else language models, else RNS")}
        onChange={(partition) => onChange({ partition })}
        hint="A release has one: items of one partition give answers of another away."
      />
    );
  }
  if (masks.length === 0) return null;
  return (
    <SelectField
      label="Graph of the questions"
      value={form.maskedBy}
      options={options(masks, "The full graph")}
      onChange={(maskedBy) => onChange({ maskedBy })}
      hint="A masked graph lacks the edges that reveal serendipitous answers. Make it before opening."
    />
  );
}

/** What was wrong, with every fault of the files by line and field. */
function Refusal({ error }: { error: unknown }) {
  const errors = fieldErrors(error);
  const total = error instanceof Problem && typeof error.body.faults_total === "number" ? error.body.faults_total : errors.length;
  return (
    <>
      <Notice tone="bad"><p>{errorMessage(error)}</p></Notice>
      {errors.length > 0 && <ErrorTable title={formatListTitle("Errors", errors.length, total)} rows={errorRows(errors)} />}
    </>
  );
}
