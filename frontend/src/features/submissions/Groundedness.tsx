import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { Notice } from "@/components/Notice";
import { PartBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import { endpointsQuery } from "@/domains/endpoints/queries";
import { GroundednessBins } from "@/domains/evaluation/GroundednessBins";
import {
  cellValue,
  collectionsQuery,
  intervalOf,
  judgeSentence,
  sourceLabel,
  submissionGroundingsQuery,
  type ErrorFlags,
  type GroundingView,
  type SubmissionGroundings,
} from "@/domains/evaluation/groundedness";
import { cutoffText } from "@/domains/evaluation/labels";
import { GroundednessTrust } from "@/domains/evaluation/GroundednessTrust";
import type { Submission } from "@/domains/evaluation/queries";
import { errorMessage } from "@/lib/errorMessages";
import { formatCount, formatPlural } from "@/lib/format";
import { useGroundSubmission } from "./mutations";
import styles from "./Submissions.module.css";

const POLL_MS = 1_500;
const NONE = "";

/** Which share of the claims of its rationales the graph and papers support; nothing without rationales. */
export function Groundedness({ submission }: { submission: Submission }) {
  const groundings = useQuery({
    ...submissionGroundingsQuery(submission.id),
    refetchInterval: ({ state }) => (state.data?.results.some(({ queued }) => queued > 0) ? POLL_MS : false),
  });
  return (
    <PartBoundary query={groundings} part="Groundedness">
      {(data) => data.rationales !== null && data.rationales > 0 && (
        <section className={styles.section} aria-label="Groundedness">
          <h2>Groundedness</h2>
          <p className={styles.quiet}>{formatPlural(data.rationales, "prediction")} with a rationale. Groundedness is the share of its claims that are supported.</p>
          {data.results.map((one) => <GroundingResult key={one.id} grounding={one} areBinsShown={data.are_bins_shown} />)}
          {data.may_ground && <GroundForm submission={submission} groundings={data} />}
        </section>
      )}
    </PartBoundary>
  );
}

function GroundForm({ submission: { id }, groundings: { cutoff, results } }: { submission: Submission; groundings: SubmissionGroundings }) {
  const [literature, setLiterature] = useState(NONE);
  const [endpoint, setEndpoint] = useState(NONE);
  const [budget, setBudget] = useState("");
  const collections = useQuery(collectionsQuery).data ?? [];
  const endpoints = useQuery(endpointsQuery).data ?? [];
  const ground = useGroundSubmission(id);
  const limit = cutoff === null ? "" : ` Nothing after ${cutoffText(cutoff)} is read.`;
  return (
    <>
      {ground.isSuccess && <ResultStatus key={ground.submittedAt} message="The rationales are being grounded. Progress and result are shown above." />}
      <details className={styles.declared} open={results.length === 0}>
        <summary>Ground the rationales</summary>
        <SelectField
          label="Papers"
          value={literature}
          options={[{ value: NONE, label: "None: the graph alone" }, ...collections.map(({ slug, name }) => ({ value: slug, label: name }))]}
          onChange={setLiterature}
          hint={`The release's graph is read too.${limit}`}
        />
        <SelectField
          label="Verifier"
          value={endpoint}
          options={[{ value: NONE, label: "Plain: compares words and edges, without a model" }, ...endpoints.map(({ id: key, name, model }) => ({ value: key, label: `${name}: ${model}` }))]}
          onChange={setEndpoint}
          hint={endpoint === NONE ? "It reads English alone. Claims in other languages count as not supported." : undefined}
        />
        {endpoint !== NONE && <TextField label="Budget in US dollars" hint="No more than this is spent. A free endpoint needs none." value={budget} onChange={setBudget} inputMode="decimal" />}
        <div>
          <Button isDisabled={ground.isPending} onPress={() => ground.mutate({ literature: literature || null, endpoint: endpoint || null, budget: budget || "0" })}>Ground the rationales</Button>
        </div>
        {ground.isError && <Notice tone="bad">{errorMessage(ground.error)}</Notice>}
      </details>
    </>
  );
}

function GroundingResult({ grounding: { judge, agreements, batch, cells, bins, flags, queued, rationales, failed, reasons }, areBinsShown }: { grounding: GroundingView; areBinsShown: boolean }) {
  const name = judgeSentence(judge);
  const hasFailed = cells.some((cell) => cell.failed > 0);
  if (queued > 0) return <p role="status">{`Grounding with ${name}: ${formatCount(rationales - queued)} of ${formatCount(rationales)} rationales.`}</p>;
  return (
    <article className={styles.section} aria-label={name}>
      <h3>{name}</h3>
      {judge.verifier === "plain" && <p className={styles.quiet}>This verifier reads English alone. Claims in other languages count as not supported.</p>}
      {failed > 0 && <Notice tone="bad"><p>{`${formatPlural(failed, "rationale")} could not be grounded. ${reasons.join(" ")}`}</p></Notice>}
      {cells.length > 0 && (
        <DataTable label={`Groundedness, ${name}`} folds columns={["Supported by", { label: "Groundedness", isNumeric: true }, "95% interval", { label: "Rationales", isNumeric: true }, { label: "Claims", isNumeric: true }, { label: "Without a claim", isNumeric: true }, ...(hasFailed ? [{ label: "With failed ones as 0", isNumeric: true }] : [])]}>
          {cells.map((cell) => (
            <tr key={cell.source}>
              <th scope="row">{sourceLabel(cell.source)}</th>
              <td data-numeric className="number">{cellValue(cell)}</td>
              <td className="number">{intervalOf(cell.low, cell.high)}</td>
              <td data-numeric className="number">{formatCount(cell.n)}</td>
              <td data-numeric className="number">{formatCount(cell.claims)}</td>
              <td data-numeric className="number">{formatCount(cell.undefined)}</td>
              {hasFailed && <td data-numeric className="number">{cellValue({ value: cell.at_least })}</td>}
            </tr>
          ))}
        </DataTable>
      )}
      <GroundednessTrust agreements={agreements} />
      {batch && <p><Link className="lone-link" to={`/grounding-batches/${batch}`}>Groundedness corrected by experts</Link></p>}
      {bins && <><h4>Accuracy by groundedness</h4><GroundednessBins bins={bins} /></>}
      {flags && <p>{flagSentence(flags)}</p>}
      {!areBinsShown && <p className={styles.quiet}>Accuracy by groundedness is shown once the answers are retired: groups of test items would give them away.</p>}
    </article>
  );
}

function flagSentence({ failures, denials, echoes }: ErrorFlags): string {
  if (failures === 0) return "No wrong hypothesis has a groundedness of 80% or more.";
  return `Of ${formatPlural(failures, "wrong hypothesis", "wrong hypotheses")} with a groundedness of 80% or more, ${formatCount(denials)} deny an association that the context states, and ${formatCount(echoes)} echo the context.`;
}
