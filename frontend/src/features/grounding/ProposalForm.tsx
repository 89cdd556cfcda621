import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { AMOUNT_HINT, isAmount, isPriced } from "@/domains/endpoints/budgets";
import { modelText } from "@/domains/endpoints/labels";
import { ResumeForm } from "@/domains/endpoints/ResumeForm";
import { fieldMessage, formMessage } from "@/lib/errorMessages";
import { formatPercent, formatPlural, lengthError } from "@/lib/format";
import styles from "./Grounding.module.css";
import { useCreateProposal, useResumeProposal } from "./mutations";
import { endpointsQuery, GROUNDINGS_KEY, proposalQuery, PROPOSALS_URL, type Proposal } from "./queries";
import { SETTINGS, SettingsFields, toRequest, useSettings, type FormProps } from "./SettingsFields";

const LONGEST = 100_000;
const COUNT = 5;
const LEAST_GAP = 30; // points

/** An empty line stands between two backgrounds. */
export function splitBackgrounds(text: string) {
  return text.split(/\n[^\S\n]*\n/).map((one) => one.trim()).filter((one) => one !== "").map((background) => ({ question: "", background }));
}

/** A model proposes hypotheses about backgrounds; their rationales are grounded, and become pairs. */
export function ProposalForm({ graphs, collections, hasLeft }: FormProps & { hasLeft: boolean }) {
  const [text, setText] = useState("");
  const [endpoint, setEndpoint] = useState("");
  const [budget, setBudget] = useState("");
  const { settings, change, isValid } = useSettings(graphs, collections);
  const create = useCreateProposal();
  const endpoints = useQuery(endpointsQuery).data ?? [];
  const hasPrice = isPriced(endpoints.find(({ id }) => id === endpoint));
  const backgrounds = splitBackgrounds(text);
  const hasBudget = !hasPrice || (isAmount(budget) && Number(budget) > 0);
  const tooLong = lengthError(text, LONGEST);
  const message = formMessage(create.error, "backgrounds", ...SETTINGS);
  const mayPropose = !tooLong && backgrounds.length > 0 && endpoint !== "" && hasBudget && isValid && hasLeft && !create.isPending;
  const send = () => {
    if (!mayPropose) return;
    const { graph, literature, cutoff, endpoint: verifier, budget: ofVerifier } = toRequest(settings);
    const total = ((hasPrice ? Number(budget) : 0) + Number(ofVerifier)).toFixed(6);
    create.mutate({ backgrounds, endpoint, verifier, graph, literature, cutoff, budget: total, count: COUNT, seed: 0, least_gap: LEAST_GAP });
  };
  return (
    <>
      <Form onSubmit={send}>
        <TextField
          label="Backgrounds"
          hint={`What is known so far; an empty line between two. The model proposes ${COUNT} hypotheses about each.`}
          value={text}
          onChange={setText}
          rows={8}
          error={tooLong ?? fieldMessage(create.error, "backgrounds")}
        />
        <SelectField
          label="Model that proposes"
          value={endpoint}
          options={[{ value: "", label: "Choose a model" }, ...endpoints.map(({ id, name, model }) => ({ value: id, label: `${name}: ${model}` }))]}
          onChange={setEndpoint}
        />
        {hasPrice && (
          <TextField
            label="Budget for hypotheses in US dollars"
            hint="Required, above 0. No more than this is spent on them."
            value={budget}
            onChange={setBudget}
            inputMode="decimal"
            error={budget === "" || isAmount(budget) ? undefined : AMOUNT_HINT}
          />
        )}
        <SettingsFields graphs={graphs} collections={collections} settings={settings} onChange={change} error={create.error} />
        {message && <Notice tone="bad">{message}</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={!mayPropose}>{create.isPending ? "Sending" : "Propose hypotheses"}</Button>
        </FormActions>
      </Form>
      {create.data && <ProposalResult id={create.data.id} />}
    </>
  );
}

function ProposalResult({ id }: { id: string }) {
  const proposal = useQuery(proposalQuery(id)).data;
  const resume = useResumeProposal(id);
  const queries = useQueryClient();
  const isDone = proposal !== undefined && proposal.state !== "queued";
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: GROUNDINGS_KEY });
  }, [isDone, queries]);
  if (!proposal) return null;
  const { hypotheses, pairs } = proposal.selection;
  const counts = `${formatPlural(hypotheses, "hypothesis", "hypotheses")}, ${formatPlural(pairs, "pair")}`;
  return (
    <section className={styles.section} aria-label="Proposed hypotheses">
      <h2>Proposed hypotheses</h2>
      {proposal.model_size && <p className={styles.quiet}>By <bdi>{modelText(proposal.model, proposal.model_size)}</bdi>.</p>}
      {proposal.state === "queued" && <Notice>The model proposes, then the rationales are grounded. So far: {counts}.</Notice>}
      {proposal.state === "failed" && <Notice tone="bad"><bdi>{proposal.error?.detail ?? "The hypotheses could not be proposed. Request them again."}</bdi></Notice>}
      {proposal.state === "failed" && <ResumeForm budget={proposal.budget} resume={resume} />}
      {proposal.state === "ended" && <Notice tone="good">{counts} of at least {proposal.least_gap} points difference.</Notice>}
      {pairs > 0 && <p><a href={`${PROPOSALS_URL}/${id}/pairs.json`} download="batch1.json">Pairs for a study</a></p>}
      {proposal.results.map((one) => <BackgroundResult key={one.number} result={one} />)}
    </section>
  );
}

function BackgroundResult({ result: { background, outcome, hypotheses } }: { result: Proposal["results"][number] }) {
  return (
    <section className={styles.section}>
      <p><bdi>{background}</bdi></p>
      {outcome !== "" && hypotheses.length === 0 && <p className={styles.quiet}>The model gave no hypotheses that can be used.</p>}
      <ol className={styles.evidence}>
        {hypotheses.map(({ number, hypothesis, grounding, share }) => (
          <li key={number}>
            {grounding ? <Link to={`/groundings/${grounding}`}><bdi>{hypothesis}</bdi></Link> : <bdi>{hypothesis}</bdi>}
            {share !== null && <>, {formatPercent(share)} grounded</>}
          </li>
        ))}
      </ol>
    </section>
  );
}
