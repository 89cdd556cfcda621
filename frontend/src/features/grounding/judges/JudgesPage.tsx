import { useQuery } from "@tanstack/react-query";
import type { components } from "@/api/generated/schema";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { modelText } from "@/domains/endpoints/labels";
import { verifierName } from "@/domains/evaluation/groundedness";
import { formatCount, formatFullDate, formatPercent } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";
import { AgreementGroups } from "../batch/AgreementGroups";
import { coefficientWithInterval, shareWithInterval, simulatedText } from "../batch/figures";
import styles from "../Grounding.module.css";
import { SOURCE_LABELS } from "../labels";

type Schemas = components["schemas"];
type Verifier = Schemas["JudgedVerifier"];
type Check = Schemas["StoredCheck"];

const judgesQuery = readQuery<Schemas["ClaimJudges"]>(["judges"], "/api/v1/judges");
const INTRO = "How often experts agree with each verifier of claims, and whether a pinned one has changed since.";

/** Whom to trust: agreement with experts over ended studies, and checks whether a judge drifted. */
export function JudgesPage() {
  const judges = useQuery(judgesQuery);
  return (
    <Page title="Verifiers of claims" intro={INTRO} width="wide">
      <QueryBoundary query={judges} skeleton={<SkeletonRows rows={4} />}>
        {({ verifiers, checks }) => (
          <>
            <section className={styles.section} aria-label="Agreement with experts">
              <h2>Agreement with experts</h2>
              {verifiers.length === 0 ? <EmptyState>No study of claims has ended yet. Make one from a batch of groundings.</EmptyState> : <Agreements verifiers={verifiers} />}
            </section>
            <section className={styles.section} aria-label="Drift">
              <h2>Drift</h2>
              {checks.length === 0 ? <EmptyState>No judge has been checked yet. An operator does so with check_judge_drift.</EmptyState> : <Checks checks={checks} />}
            </section>
          </>
        )}
      </QueryBoundary>
    </Page>
  );
}

function Agreements({ verifiers }: { verifiers: Verifier[] }) {
  // Two servers may have equal names, so that the place in the list is the key.
  return (
    <>
      <DataTable label="Agreement of each verifier" folds columns={["Verifier", "Evidence", { label: "Claims", isNumeric: true }, { label: "Rationales", isNumeric: true }, "Agreement", "Kappa"]}>
        {verifiers.flatMap((one, at) =>
          one.agreements.map(({ source, verdicts, rationales, simulated, agreement, kappa }) => (
            <tr key={`${at} ${source}`}>
              <th scope="row"><bdi>{modelText(verifierName(one), one.model_size)}</bdi></th>
              <td>{SOURCE_LABELS[source]}</td>
              <td data-numeric className="number">{formatCount(verdicts)}{simulated > 0 && <div>{simulatedText(simulated, verdicts)}</div>}</td>
              <td data-numeric className="number">{formatCount(rationales)}</td>
              <td className="number">{agreement ? shareWithInterval(agreement) : "none"}</td>
              <td className="number">{kappa ? coefficientWithInterval(kappa) : "undefined: one verdict only"}</td>
            </tr>
          )),
        )}
      </DataTable>
      {verifiers.map((one, at) => {
        const name = modelText(verifierName(one), one.model_size);
        return <AgreementGroups key={at} label={`Parts of the agreement of ${name}`} agreements={one.agreements} title={<>By types of entities and by graph: <bdi>{name}</bdi></>} />;
      })}
    </>
  );
}

function Checks({ checks }: { checks: Check[] }) {
  return (
    <>
      <p>Each check lets a judge answer a frozen set of claims again. Differences are now minus before, p-values are adjusted by Holm.</p>
      <DataTable label="Checks for drift" folds columns={["Judge", "Frozen set", { label: "Claims", isNumeric: true }, "Date", "Result", "Agreement with experts", "Share it supports", { label: "Verdicts changed", isNumeric: true }]}>
        {checks.map((one) => (
          <tr key={checkKey(one)}>
            <th scope="row"><bdi>{`${one.model} at ${one.endpoint}, prompt ${one.prompt_version}`}</bdi></th>
            <td><bdi>{one.frozen}</bdi></td>
            <td data-numeric className="number">{formatCount(one.claims)}</td>
            <td>{formatFullDate(one.created_at)}</td>
            <td>{one.has_drifted ? "drifted" : `no drift of ${formatPercent(one.smallest_drift)} or more`}</td>
            <td className="number">{agreementChange(one)}</td>
            <td className="number">{`${signed(one.support_difference)}, p ${one.p_support.toFixed(4)}`}</td>
            <td data-numeric className="number">{formatPercent(one.changed)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

const checkKey = ({ endpoint, model, prompt_version: version, votes, frozen, occasion, created_at: at }: Check) => JSON.stringify([endpoint, model, version, votes, frozen, occasion, at]);

const signed = (value: number) => `${value > 0 ? "+" : ""}${(100 * value).toFixed(1)} points`;

function agreementChange({ difference, low, high, p_agreement: p }: Check): string {
  const interval = low === null || high === null ? "no interval" : `95% interval ${signed(low)} to ${signed(high)}`;
  return `${signed(difference)}, ${interval}, p ${p.toFixed(4)}`;
}
