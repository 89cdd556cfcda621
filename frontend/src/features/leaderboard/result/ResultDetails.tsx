import type { ReactNode } from "react";
import { Tag } from "@/components/Tag";
import { coverageText, formatDollars, formatLatency, PROVENANCE_LABELS } from "@/domains/evaluation/labels";
import type { BoardRow, Result } from "@/domains/evaluation/queries";
import { ToolCallsNote } from "@/domains/evaluation/ToolCallsNote";
import { formatFullDate } from "@/lib/format";
import styles from "./Result.module.css";

/** What the scores rest on, and what identifies them. */
export function ResultDetails({ result, entry }: { result: Result; entry: BoardRow }) {
  const details: [string, ReactNode][] = [
    ["Source", <>{PROVENANCE_LABELS[entry.provenance] ?? entry.provenance}{entry.is_simulated && <> <Tag>simulated</Tag></>}</>],
    ["Submitted", formatFullDate(entry.submitted_at)],
    ["Coverage", coverageText(entry.coverage)],
    ["Query", entry.query ? `${entry.query} of ${result.queries}` : entry.model ? "none counted" : "not shown"],
    ["Cost", entry.cost_usd === null ? "not given" : `${formatDollars(entry.cost_usd)}, as declared`],
    ["Latency", entry.latency_s === null ? "not given" : `${formatLatency(entry.latency_s)}, as declared`],
    ["Hardware", result.hardware ? `${result.hardware}, as declared` : "not given"],
    ...(result.method ? [["How it was made", <span key="method" className={styles.text}>{result.method}</span>] as [string, ReactNode]] : []),
    ...(result.notes ? [["Notes of the submitter", <span key="notes" className={styles.text}>{result.notes}</span>] as [string, ReactNode]] : []),
    ...(entry.sample ? [["Sample", entry.sample] as [string, ReactNode]] : []),
    ...(result.tool_calls === null ? [] : [["Tools", <ToolCallsNote key="tools" calls={result.tool_calls} session={result.session} />] as [string, ReactNode]]),
    ["Evaluator version", result.evaluator_version],
    ["Release digest", result.release_digest],
    ["Result key", result.key ?? "not given"],
  ];
  return (
    <section className={styles.section} aria-labelledby="details-heading">
      <h2 id="details-heading">What it rests on</h2>
      <dl className={styles.details}>
        {details.map(([term, value]) => <div key={term}><dt>{term}</dt><dd className="number">{value}</dd></div>)}
      </dl>
    </section>
  );
}
