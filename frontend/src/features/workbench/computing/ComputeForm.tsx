import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/Button";
import { ChooseOne } from "@/components/Choice";
import { Form, FormActions } from "@/components/Form";
import { GraphChoice } from "@/components/GraphChoice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { questionSetsQuery } from "../api";
import { OptionFields } from "../HowComputed";
import { DEFAULTS, type Options } from "../options";
import type { Kind, Wanted } from "./api";
import styles from "./Computing.module.css";
import { KINDS } from "./words";

export interface Draft {
  kind: Kind;
  graph: string;
  set: string;
  size: string;
  options: Options;
}

interface Props {
  initial: Partial<Draft>;
  onAsk: (wanted: Wanted) => void;
  isAsking: boolean;
}

/** What is to be computed, of which version of which graph, with which choices. */
export function ComputeForm({ initial, onAsk, isAsking }: Props) {
  const [draft, setDraft] = useState<Draft>({ kind: "transition", graph: "", set: "", size: "", options: DEFAULTS, ...initial });
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const kind = KINDS.find(({ value }) => value === draft.kind) ?? KINDS[0];
  const isSet = draft.kind === "partition";
  const isSizeFine = draft.size === "" || /^[1-9]\d{0,8}$/.test(draft.size);
  const isReady = draft.graph !== "" && (!isSet || (draft.set !== "" && isSizeFine)) && !isAsking;
  return (
    <div className={styles.form}>
      <Form onSubmit={() => isReady && onAsk(wantedOf(draft))}>
        <ChooseOne label="What" options={KINDS} value={draft.kind} onChange={(value) => change({ kind: value })} />
        <GraphChoice
          label="Of which graph"
          hint="One version; another version needs its own."
          none="Choose a version"
          otherwise="Load the page again."
          value={draft.graph}
          onChange={(graph) => change({ graph })}
        />
        {isSet && <SetChoice value={draft.set} onChange={(set) => change({ set })} />}
        <OptionFields
          names={kind?.options ?? []}
          parameters={draft.options}
          onChoose={(name, value) => change({ options: { ...draft.options, [name]: value } })}
        />
        {isSet && (
          <div className={styles.size}>
            <TextField
              label="Size of the serendipity sets"
              hint="Left empty: a fifth of the candidates of each question."
              inputMode="numeric"
              value={draft.size}
              onChange={(size) => change({ size })}
              error={isSizeFine ? undefined : "A whole number, or nothing."}
            />
          </div>
        )}
        <FormActions>
          <Button type="submit" look="primary" size="large" isDisabled={!isReady}>
            {isAsking ? "Asking for it" : kind?.action}
          </Button>
        </FormActions>
      </Form>
    </div>
  );
}

function wantedOf({ kind, graph, set, size, options }: Draft): Wanted {
  const names = KINDS.find(({ value }) => value === kind)?.options ?? [];
  const chosen = Object.fromEntries(names.map((name) => [name, options[name]])) as Partial<Options>;
  if (kind !== "partition") return { kind, graph, ...chosen };
  return { kind, graph, ...chosen, question_set: set, ...(size && { size: Number(size) }) };
}

function SetChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const sets = useQuery(questionSetsQuery);
  const named = sets.data?.filter(({ hers }) => hers).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      label="Question set"
      value={value}
      onChange={onChange}
      options={[{ value: "", label: "Choose a set" }, ...(named ?? [])]}
      hint={sets.isError ? "The question sets could not be read. Load the page again." : SET_HINT}
    />
  );
}

const SET_HINT = "A set of yours, or one that a study of yours asks. Its names are looked up in the graph first, if they were not.";
