import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { onDemand } from "@/components/onDemand";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SkeletonRows } from "@/components/SkeletonRows";
import { TextField } from "@/components/TextField";
import { fieldMessage, formMessage } from "@/lib/errorMessages";
import { formatCount, lengthError } from "@/lib/format";
import styles from "./Grounding.module.css";
import { useCreateGrounding } from "./mutations";
import { SETTINGS, SettingsFields, toRequest, useSettings, type FormProps } from "./SettingsFields";

const FileForm = onDemand(async () => (await import("./FileForm")).FileForm);
const ProposalForm = onDemand(async () => (await import("./ProposalForm")).ProposalForm);

type Mode = (typeof MODES)[number]["value"];
const MODES = [{ value: "text", label: "One rationale" }, { value: "file", label: "A file" }, { value: "proposals", label: "Propose hypotheses" }] as const;

/** One rationale that is pasted, a file of them, or those of hypotheses that a model proposes. */
export function GroundingForm(props: FormProps) {
  const [mode, setMode] = useState<Mode>("text");
  const [opened, setOpened] = useState<Mode[]>(["text"]);
  const { quota } = props;
  const hasLeft = quota.used < quota.limit;
  const skeleton = <SkeletonRows rows={8} height={72} />;
  const forms: Record<Mode, ReactNode> = {
    text: <TextForm {...props} hasLeft={hasLeft} />,
    file: <FileForm {...props} hasLeft={hasLeft} waiting={skeleton} />,
    proposals: <ProposalForm {...props} hasLeft={hasLeft} waiting={skeleton} />,
  };
  const open = (chosen: Mode) => {
    setMode(chosen);
    if (!opened.includes(chosen)) setOpened([...opened, chosen]);
  };
  return (
    <>
      <SegmentedControl label="What to ground" options={[...MODES]} value={mode} onChange={open} />
      {!hasLeft && <Notice tone="warn">You have used all {formatCount(quota.limit)} rationales of this day. Go on after 00:00 UTC.</Notice>}
      {/* A form that was left has its fields and its result when it is shown again. */}
      {opened.map((one) => <div key={one} className={styles.form} hidden={one !== mode}>{forms[one]}</div>)}
    </>
  );
}

function TextForm({ graphs, collections, quota, hasLeft }: FormProps & { hasLeft: boolean }) {
  const [hypothesis, setHypothesis] = useState("");
  const [rationale, setRationale] = useState("");
  const { settings, change, isValid } = useSettings(graphs, collections);
  const create = useCreateGrounding();
  const navigate = useNavigate();
  const tooLong = { hypothesis: lengthError(hypothesis, quota.longest_hypothesis), rationale: lengthError(rationale, quota.longest_rationale) };
  const isShort = !tooLong.hypothesis && !tooLong.rationale;
  const mayGround = rationale.trim() !== "" && isShort && isValid && hasLeft && !create.isPending;
  const message = formMessage(create.error, "hypothesis", "rationale", ...SETTINGS);
  const send = () => {
    if (mayGround) create.mutate({ hypothesis, rationale, ...toRequest(settings) }, { onSuccess: ({ id }) => void navigate(`/groundings/${id}`) });
  };
  return (
    <Form onSubmit={send}>
      <TextField label="Hypothesis" hint="It may be empty." value={hypothesis} onChange={setHypothesis} rows={2} error={tooLong.hypothesis ?? fieldMessage(create.error, "hypothesis")} />
      <TextField
        label="Rationale"
        hint={`At most ${formatCount(quota.longest_rationale)} characters and ${quota.most_claims} claims.`}
        value={rationale}
        onChange={setRationale}
        rows={8}
        error={tooLong.rationale ?? fieldMessage(create.error, "rationale")}
      />
      <SettingsFields graphs={graphs} collections={collections} settings={settings} onChange={change} error={create.error} />
      {message && <Notice tone="bad">{message}</Notice>}
      <FormActions>
        <Button type="submit" variant="primary" size="large" isDisabled={!mayGround}>{create.isPending ? "Sending" : "Ground this rationale"}</Button>
      </FormActions>
    </Form>
  );
}
