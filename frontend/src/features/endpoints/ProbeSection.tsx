import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Button } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { hasPrice, probeRows, probeSummary } from "@/domains/endpoints/labels";
import { ENDPOINTS_KEY, type Endpoint } from "@/domains/endpoints/queries";
import { JobProgress } from "@/domains/jobs/JobProgress";
import { hasEnded, type Job } from "@/domains/jobs/jobs";
import { useJobs } from "@/domains/jobs/useJob";
import { errorMessage } from "@/lib/errorMessages";
import { formatRecentDate } from "@/lib/format";
import styles from "./Endpoints.module.css";
import { useProbe } from "./mutations";

/** What six calls found out about the endpoint; administrators repeat them. */
export function ProbeSection({ endpoint }: { endpoint: Endpoint }) {
  return (
    <section className={styles.section} aria-label="Probe">
      <h2>Probe</h2>
      {endpoint.settings && <ProbeNow endpoint={endpoint} />}
      {endpoint.probed_at === null
        ? <EmptyState>It was not probed yet. Six requests find out what it can do.</EmptyState>
        : <ProbeResult endpoint={endpoint} probedAt={endpoint.probed_at} />}
    </section>
  );
}

function ProbeResult({ endpoint: { model, capabilities }, probedAt }: { endpoint: Endpoint; probedAt: string }) {
  const other = capabilities.model_returned;
  return (
    <>
      <p role="status">Probed {formatRecentDate(probedAt)}. {probeSummary(capabilities)}</p>
      {other && other !== model && <p className={styles.quiet}>It answers as {other}.</p>}
      <DataTable label="What the probe found" minWidth={420} folds columns={["Check", "Result", "Reason"]}>
        {probeRows(capabilities).map(({ check, sentence, result, note }) => (
          <tr key={check}>
            <th scope="row">{sentence}</th>
            <td>{result}</td>
            <td className={styles.note}>{note}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

/** The last probe: under way, failed, or done and shown below. */
function ProbeNow({ endpoint }: { endpoint: Endpoint }) {
  const jobs = useJobs("endpoint-probe", `endpoint:${endpoint.id}`).data;
  const last = jobs?.[0];
  const probe = useProbe(endpoint.id);
  const isBusy = probe.isPending || (last !== undefined && !hasEnded(last));
  useResultOf(last);
  return (
    <>
      <div className={styles.actions}>
        <Button onPress={() => probe.mutate()} isDisabled={isBusy || !hasPrice(endpoint)}>{isBusy ? "Probing" : "Probe now"}</Button>
        <span className={styles.quiet}>Six requests of about 100 tokens each.</span>
      </div>
      {probe.isError && <Notice tone="bad">{errorMessage(probe.error)}</Notice>}
      {last && !hasEnded(last) && <JobProgress job={last} title={`Probe of ${endpoint.name}`} cancelWarning="What was found so far is not stored." />}
      {last?.state === "failed" && !isBusy && <Notice tone="bad">The last probe failed: {last.error?.detail ?? "no reason is known"}</Notice>}
    </>
  );
}

/** A probe that has ended has changed the endpoint. */
function useResultOf(job: Job | undefined) {
  const queries = useQueryClient();
  const ended = job && hasEnded(job) ? job.id : null;
  useEffect(() => {
    if (ended !== null) void queries.invalidateQueries({ queryKey: ENDPOINTS_KEY });
  }, [queries, ended]);
}
