import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { toolSessionsQuery } from "@/domains/evaluation/toolSessions";
import { formatCount } from "@/lib/format";
import { sessionLabel } from "./SessionField";
import styles from "./Submissions.module.css";

/** The sessions that the user's programs opened; nothing where there is none. */
export function ToolSessionList() {
  const sessions = useQuery(toolSessionsQuery).data ?? [];
  if (sessions.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Sessions of tool calls">
      <h2>Sessions of tool calls</h2>
      <DataTable label="Your sessions" minWidth={480} folds columns={["Opened", "Release", "State", { label: "Submissions", isNumeric: true }]}>
        {sessions.map((session) => (
          <tr key={session.id}>
            <th scope="row"><Link to={`/tool-sessions/${session.id}`}>{sessionLabel(session)}</Link></th>
            <td>{session.release}</td>
            <td>{session.closed_at ? "Closed" : "Open"}</td>
            <td data-numeric className="number">{formatCount(session.submissions.length)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
