import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { formatCoefficient, formatCount, formatPercent, formatPlural } from "@/lib/format";
import styles from "../Grounding.module.css";
import { SOURCE_LABELS } from "../labels";
import own from "./Batch.module.css";
import { coefficientWithInterval, formatPart, shareWithInterval, simulatedText } from "./figures";
import { IntervalChart, type IntervalRow } from "./IntervalChart";
import type { Corrected, Figure } from "./queries";

/** The verifier's groundedness from one source, and what experts' verdicts make of it. */
export function CorrectedSection({ data }: { data: Corrected }) {
  const title = SOURCE_LABELS[data.source];
  return (
    <section className={own.source} aria-label={title}>
      <h3>{title}</h3>
      {data.reason && <Notice>{data.reason}</Notice>}
      <IntervalChart rows={chartRows(data)} />
      {data.corrected && <Correction data={data} />}
      <CorrectionFacts data={data} />
      {data.studies.length > 0 && <Studies data={data} />}
      {data.confusion.length > 0 && <Confusion data={data} />}
      {data.reliability.length > 0 && <ReliabilityDiagram data={data} />}
    </section>
  );
}

function chartRows({ raw, corrected, people }: Corrected): IntervalRow[] {
  const rows: IntervalRow[] = [];
  if (raw !== null) rows.push({ label: "The verifier alone", value: raw, low: null, high: null });
  if (corrected) rows.push({ ...corrected, label: "Corrected by experts", isMain: true });
  if (people) rows.push({ ...people, label: "Experts' verdicts alone" });
  return rows;
}

function Correction({ data }: { data: Corrected }) {
  const { corrected, plan, is_final: isFinal } = data;
  if (!corrected) return null;
  return (
    <>
      <p>Corrected groundedness: <strong className="number">{shareWithInterval(corrected)}</strong>, from {formatPlural(data.verified, "verified claim")}. {plan}</p>
      {!isFinal && <Notice>The study is open. An interval that is read while verdicts arrive misses the truth more often than 5%. It is final once the study has ended.</Notice>}
    </>
  );
}

function CorrectionFacts({ data }: { data: Corrected }) {
  const { kappa, agreement, lambda_value: lambda, effective_verdicts: effective } = data;
  const answers = [`${formatCount(data.verified)} of ${formatCount(data.chosen)} chosen`, `${formatCount(data.waiting)} wait for experts`];
  const simulated = simulatedText(data.simulated, data.verified);
  if (simulated) answers.push(simulated.toLowerCase());
  if (data.excluded > 0) answers.push(`${formatCount(data.excluded)} left out`);
  return (
    <Facts>
      <div><dt>Rationales with claims</dt><dd>{formatCount(data.rationales)}, with {formatPlural(data.claims, "claim")}</dd></div>
      <div><dt>Rationales without claims</dt><dd>{formatCount(data.undefined)}: their groundedness is undefined</dd></div>
      {data.failed > 0 && <div><dt>Rationales that failed</dt><dd>{failedText(data)}</dd></div>}
      {data.chosen > 0 && <div><dt>Verified claims</dt><dd>{answers.join("; ")}</dd></div>}
      {data.not_sure > 0 && <div><dt>'Not sure'</dt><dd>{formatPlural(data.not_sure, "answer")}, which count as none</dd></div>}
      {agreement && <div><dt>Experts agree with the verifier</dt><dd className="number">{shareWithInterval(agreement)}, n = {formatCount(agreement.n)}</dd></div>}
      {agreement && <div><dt>Kappa of experts and verifier</dt><dd className="number">{kappa ? `${coefficientWithInterval(kappa)}, n = ${formatCount(kappa.n)}` : data.kappa_reason}</dd></div>}
      {lambda !== null && <div><dt>Use of the verifier (λ, 0 to 1)</dt><dd className="number">{formatCoefficient(lambda)}</dd></div>}
      {effective !== null && <div><dt>Effective verdicts</dt><dd>as precise as {formatPlural(Math.round(effective), "verified claim")} without the verifier</dd></div>}
    </Facts>
  );
}

function failedText({ failed, raw_at_least: raw, corrected_at_least: corrected }: Corrected): string {
  const count = `${formatCount(failed)}, in no figure`;
  if (raw === null) return count;
  return `${count}. If these count as 0, the verifier's share is ${formatPercent(raw)}${corrected === null ? "" : ` and the corrected one ${formatPercent(corrected)}`}`;
}

function Studies({ data }: { data: Corrected }) {
  return (
    <>
      <ul className={own.studies}>
        {data.studies.map(({ id, name, status, rule, budget }) => (
          <li key={id}><Link to={`/studies/${id}`} dir="auto">{name}</Link>, {status}: {formatPlural(budget, "claim")} requested, {rule === "random" ? "chosen at random" : "chosen where the verifier is unsure"}</li>
        ))}
      </ul>
      <details>
        <summary>Seed numbers of the random choices</summary>
        <ul className={own.studies}>{data.studies.map(({ id, name, seed }) => <li key={id}><bdi>{name}</bdi>: {seed}</li>)}</ul>
      </details>
    </>
  );
}

const CONFUSION_COLUMNS = ["Claims about", ...["Both support", "Experts alone", "Verifier alone", "Neither"].map((label) => ({ label, isNumeric: true })), "False support", "Missed support"];

const rateText = (rate: Figure | null) => (rate ? `${shareWithInterval(rate)}, n = ${formatCount(rate.n)}` : "none");

function Confusion({ data }: { data: Corrected }) {
  return (
    <>
      <h4>Verdicts by the types of the entities</h4>
      <DataTable label="Verdicts of experts and verifier by the types of the entities" columns={CONFUSION_COLUMNS} folds>
        {data.confusion.map((row) => (
          <tr key={row.group}>
            <th scope="row"><bdi>{row.group}</bdi></th>
            {[row.both, row.people_alone, row.verifier_alone, row.neither].map((count, at) => <td key={at} data-numeric className="number">{formatPart(count)}</td>)}
            {[row.false_support, row.missed_support].map((rate, at) => <td key={at} className="number">{rateText(rate)}</td>)}
          </tr>
        ))}
      </DataTable>
      <p className={styles.quiet}>
        False support: of the claims that experts do not support, the share that the verifier supports. Missed support: of those that they do support, the share that it does not.
      </p>
      <p className={styles.quiet}>
        The first four columns count claims. A claim whose experts differ counts in parts, as in 3.7. The rates weigh each rationale alike, so that they differ from shares of these counts.
      </p>
    </>
  );
}

function ReliabilityDiagram({ data }: { data: Corrected }) {
  const { has_probabilities: hasProbabilities, with_probability: stated, verified } = data;
  return (
    <>
      <h4>{hasProbabilities ? "Reliability of the verifier's probabilities" : "What experts decide after each verdict"}</h4>
      <IntervalChart
        rows={data.reliability.map(({ low, high, score, verdicts, observed }) => ({
          ...observed,
          label: hasProbabilities ? `${formatPercent(low)} to ${formatPercent(high)} stated (mean ${formatPercent(score)}), n = ${verdicts}` : `${low < 0.5 ? "Not supported" : "Supported"}, n = ${verdicts}`,
        }))}
      />
      <p className={styles.quiet}>
        Each bar is the share of these claims that experts support. {hasProbabilities && stated < verified && `Of ${formatPlural(verified, "verified claim")}, ${formatCount(stated)} have a stated probability of 'supported'; the others are in no bar. `}
        {calibrationText(data)}
      </p>
    </>
  );
}

const formatPoints = (share: number) => formatPlural(Math.round(100 * share), "point");

/** A calibrated verifier's error is not 0 either, so the error stands beside what chance gives. */
function calibrationText({ calibration_error: error, error_by_chance: chance, calibration_p: p }: Corrected): string {
  if (error === null) return "";
  const text = `The mean distance from what the verifier states is ${formatPoints(error)}`;
  return chance === null || p === null ? `${text}.` : `${text}; chance alone gives a calibrated verifier ${formatPoints(chance)} (p ${p.toFixed(4)} of being calibrated).`;
}
