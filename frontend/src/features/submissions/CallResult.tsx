import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryBoundary } from "@/components/QueryBoundary";
import { toolCallQuery, type ToolCall } from "@/domains/evaluation/toolSessions";
import { formatBytes } from "@/lib/format";
import styles from "./ToolSession.module.css";

export const ERROR_LABELS: Record<string, string> = {
  interrupted: "The server stopped before the call ended",
  arguments_too_large: "Arguments too large to store",
};

/** The size of a result, which is read when it is opened, or the code of an error. */
export function CallResult({ session, call }: { session: string; call: ToolCall }) {
  const [isOpen, setOpen] = useState(false);
  if (call.error_code) return <span className={styles.error}>{ERROR_LABELS[call.error_code] ?? `Error: ${call.error_code}`}</span>;
  return (
    <details className={styles.result} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{formatBytes(call.result_bytes)}</summary>
      {isOpen && <Content session={session} number={call.number} />}
      <p className={styles.digest}>SHA-256 {call.digest}</p>
    </details>
  );
}

function Content({ session, number }: { session: string; number: number }) {
  const call = useQuery(toolCallQuery(session, number));
  return (
    <QueryBoundary query={call} skeleton={<p>Loading</p>}>
      {({ result }) => (result ? <div className={styles.content} role="region" aria-label={`Result of call ${number}`} tabIndex={0}>{JSON.stringify(result, null, 1)}</div> : <p>The result was too large to store. A replay computes it again.</p>)}
    </QueryBoundary>
  );
}
