import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { onDemand } from "@/components/onDemand";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { errorMessage, fieldMessage } from "@/lib/errorMessages";
import { formatCount } from "@/lib/format";
import { useCreateGrounding } from "./mutations";
import { SettingsFields, toRequest, useSettings, type FormProps } from "./SettingsFields";

const FileForm = onDemand(async () => (await import("./FileForm")).FileForm);
const ProposalForm = onDemand(async () => (await import("./ProposalForm")).ProposalForm);

const MODES = [{ value: "text", label: "One rationale" }, { value: "file", label: "A file" }, { value: "proposals", label: "Propose hypotheses" }] as const;

/** One rationale that is pasted, a file of them, or those of hypotheses that a model proposes. */
export function GroundingForm(props: FormProps) {
  const [mode, setMode] = useState<(typeof MODES)[number]["value"]>("text");
  const { quota } = props;
  const hasLeft = quota.used < quota.limit;
  const skeleton = <SkeletonRows rows={8} height={72} />;
  return (
    <>
      <SegmentedControl label="What to ground" options={[...MODES]} value={mode} onChange={setMode} />
      {!hasLeft && <Notice tone="warn">You have used all {formatCount(quota.limit)} rationales of this day. Go on after 00:00 UTC.</Notice>}
      {mode === "text" && <TextForm {...props} hasLeft={hasLeft} />}
      {mode === "file" && <FileForm {...props} hasLeft={hasLeft} waiting={skeleton} />}
      {mode === "proposals" && <ProposalForm {...props} hasLeft={hasLeft} waiting={skeleton} />}
    </>
  );
}

function TextForm({ graphs, collections, quota, hasLeft }: FormProps & { hasLeft: boolean }) {
  const [hypothesis, setHypothesis] = useState("");
  const [rationale, setRationale] = useState("");
  const { settings, change, isValid } = useSettings(graphs, collections);
  const create = useCreateGrounding();
  const navigate = useNavigate();
  const mayGround = rationale.trim() !== "" && isValid && hasLeft && !create.isPending;
  const send = () => {
    if (mayGround) create.mutate({ hypothesis, rationale, ...toRequest(settings) }, { onSuccess: ({ id }) => void navigate(`/groundings/${id}`) });
  };
  return (
    <Form onSubmit={send}>
      <TextField label="Hypothesis" hint="It may be empty." value={hypothesis} onChange={setHypothesis} rows={2} maxLength={quota.longest_hypothesis} error={fieldMessage(create.error, "hypothesis")} />
      <TextField
        label="Rationale"
        hint={`At most ${formatCount(quota.longest_rationale)} characters and ${quota.most_claims} claims.`}
        value={rationale}
        onChange={setRationale}
        rows={8}
        maxLength={quota.longest_rationale}
        error={fieldMessage(create.error, "rationale")}
      />
      <SettingsFields graphs={graphs} collections={collections} settings={settings} onChange={change} error={create.error} />
      {create.isError && <Notice tone="bad">{errorMessage(create.error)}</Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!mayGround}>{create.isPending ? "Sending" : "Ground this rationale"}</Button>
      </FormActions>
    </Form>
  );
}
