import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { toolCallsKey, toolCallsPath, toolSessionQuery, type ToolCall, type ToolSession } from "@/domains/evaluation/toolSessions";
import { useCursorList } from "@/lib/cursor";
import { formatCount, formatFullDate, formatPlural } from "@/lib/format";
import { CallResult } from "./CallResult";
import { SessionSharing } from "./SessionSharing";
import { SessionWalk } from "./SessionWalk";
import styles from "./ToolSession.module.css";

const PARENT = { to: "/submissions", label: "Submissions" };
const BOARDS = { to: "/leaderboard", label: "Leaderboard" };

/** The audit of a session: every call of a tool, in order. */
export function ToolSessionPage() {
  const { id = "" } = useParams();
  const session = useQuery(toolSessionQuery(id));
  return (
    <PageBoundary query={session} title="Tool calls" parent={PARENT}>
      {(data) => (
        <Page title="Tool calls" parent={isShownToOthers(data) ? BOARDS : PARENT} width="wide" intro={introText(data)}>
          <SessionFacts session={data} />
          {data.is_own && <SessionSharing session={data} />}
          <SessionWalk session={data} />
          <Calls session={data} />
        </Page>
      )}
    </PageBoundary>
  );
}

/** To readers of a shared session, who have no page of its submissions but those of their results. */
const isShownToOthers = ({ owner }: ToolSession) => owner === null;

function introText({ calls, release, closed_at: closed }: ToolSession): string {
  const text = `${formatPlural(calls, "call")} on the graph of ${release}.`;
  return closed ? `${text} The session is closed.` : `${text} The session is open.`;
}

function SessionFacts({ session }: { session: ToolSession }) {
  const { release, graph, snapshot, method, model, owner, created_at: opened, closed_at: closed, submissions } = session;
  const entries = isShownToOthers(session) ? { label: "Result", at: "/results" } : { label: "Submission", at: "/submissions" };
  return (
    <Facts>
      <div><dt>Release</dt><dd><Link to={`/releases/${release}`}>{release}</Link></dd></div>
      <div><dt>Graph</dt><dd><Link to={`/explore/${graph}`}>{method ? `Masked by ${method}` : graph}</Link></dd></div>
      {owner && <div><dt>Owner</dt><dd>{owner}</dd></div>}
      {model && <div><dt>Model</dt><dd>{model.name}</dd></div>}
      <div><dt>Opened</dt><dd>{formatFullDate(opened)}</dd></div>
      {closed && <div><dt>Closed</dt><dd>{formatFullDate(closed)}</dd></div>}
      {submissions.map((id) => <div key={id}><dt>{entries.label}</dt><dd><Link to={`${entries.at}/${id}`}>{id.slice(0, 8)}</Link></dd></div>)}
      <div><dt>Snapshot</dt><dd className="number">{snapshot}</dd></div>
    </Facts>
  );
}

function Calls({ session: { id } }: { session: ToolSession }) {
  const calls = useCursorList<ToolCall>(toolCallsKey(id), toolCallsPath(id));
  return (
    <QueryBoundary query={calls} skeleton={<SkeletonRows rows={6} />} empty={<EmptyState>No tool was called in this session yet.</EmptyState>}>
      {(rows) => (
        <>
          <DataTable label="Calls" minWidth={640} folds columns={["Call", "Tool", "Arguments", "Result", { label: "Time", isNumeric: true }]}>
            {rows.map((call) => (
              <tr key={call.number}>
                <th scope="row">{formatCount(call.number)}</th>
                <td>{call.tool}</td>
                <td><code className={styles.json}>{JSON.stringify(call.arguments)}</code></td>
                <td><CallResult session={id} call={call} /></td>
                <td data-numeric className="number">{call.milliseconds === null ? "not known" : `${formatCount(Math.round(call.milliseconds))} ms`}</td>
              </tr>
            ))}
          </DataTable>
          <ShowMore list={calls} />
        </>
      )}
    </QueryBoundary>
  );
}
