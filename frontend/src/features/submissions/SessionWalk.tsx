import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ConnectionStatus } from "@/components/ConnectionStatus";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { toolSessionKey, toolWalkPath, toolWalkQuery, type CallStep, type ToolSession, type ToolWalk } from "@/domains/evaluation/toolSessions";
import { entityName, type Walk } from "@/domains/graphs/walks/walk";
import { WalkView } from "@/domains/graphs/walks/WalkView";
import { coalesce } from "@/lib/coalesce";
import { formatCount, formatList } from "@/lib/format";
import { useSocket } from "@/lib/useSocket";
import { ERROR_LABELS } from "./CallResult";
import styles from "./ToolSession.module.css";

/** Between two reads without a socket, and with one that may have lost a notification. */
const POLL_MS = 5_000;
const LIVE_POLL_MS = 30_000;
const MIN_REFETCH_GAP_MS = 1_000;

/** The calls of a session as the steps of a walk, followed while it is open. */
export function SessionWalk({ session }: { session: ToolSession }) {
  const isOpen = session.closed_at === null;
  const queryClient = useQueryClient();
  const refetch = useMemo(
    () => coalesce(() => queryClient.invalidateQueries({ queryKey: toolSessionKey(session.id) }), MIN_REFETCH_GAP_MS),
    [queryClient, session.id],
  );
  const connection = useSocket(isOpen ? `/ws/tool-sessions/${session.id}` : null, { onOpened: refetch, onRefused: refetch, onMessage: refetch });
  const interval = connection === "live" ? LIVE_POLL_MS : POLL_MS;
  const walk = useQuery({ ...toolWalkQuery(session.id), refetchInterval: isOpen ? interval : false });
  return (
    <section className={styles.section} aria-label="Route">
      <h2>Route {isOpen && <ConnectionStatus connection={connection} isFailing={walk.isError} readAt={walk.dataUpdatedAt} />}</h2>
      <QueryBoundary query={walk} skeleton={<SkeletonRows rows={6} height={56} />}>
        {(data) => data.steps.length > 0 && <Route session={session} data={data} isOpen={isOpen} />}
      </QueryBoundary>
    </section>
  );
}

function Route({ session: { id, release, owner }, data, isOpen }: { session: ToolSession; data: ToolWalk; isOpen: boolean }) {
  const walk = useMemo(() => sessionWalk(data), [data]);
  const { steps, calls } = data;
  return (
    <>
      {steps.length < calls && <p className={styles.digest}>The first {formatCount(steps.length)} of {formatCount(calls)} calls are drawn. The table has all.</p>}
      <WalkView
        walk={walk}
        noun="call"
        isGrowing={isOpen && steps.length === calls}
        figure={{ name: `session-${id.slice(0, 8)}`, title: `Tool calls on the graph of ${release}`, line: owner ? `Session ${id} by ${owner}.` : `Session ${id}.` }}
        json={toolWalkPath(id)}
      >
        {(at) => {
          const step = steps[at - 1];
          return step ? <CallText step={step} /> : <p className={styles.digest}>No tool was called yet.</p>;
        }}
      </WalkView>
    </>
  );
}

/** Entities that a later call is about count as chosen: an agent gives no reasons. */
function sessionWalk({ steps }: ToolWalk): Walk {
  return {
    root: null,
    hits: new Set(),
    steps: steps.map(({ frontier, offered, offered_count: count }) => ({
      frontier,
      rest: Math.max(0, count - new Set(offered.map(({ target }) => target.id)).size),
      offered: offered.map(({ source, phrase, target, is_chosen: isChosen }) => ({ source, phrase, target, isChosen })),
    })),
  };
}

function CallText({ step }: { step: CallStep }) {
  const { tool, arguments: sent, frontier, chosen, offered, error_code: error, is_stored: isStored, milliseconds } = step;
  return (
    <article className={styles.step} aria-label={`Call ${formatCount(step.number)}`}>
      <p><strong>{tool}</strong> <code className={styles.json}>{sent}</code></p>
      {frontier.length > 0 && <p>About {formatList(frontier.map(entityName))}.</p>}
      {error ? <p className={styles.error}>{ERROR_LABELS[error] ?? `Error: ${error}`}</p> : !isStored && <p>The result was too large to store, so it is not drawn.</p>}
      {chosen.length > 0 && <p>Later calls are about {formatList(chosen.map(entityName))}.</p>}
      {milliseconds !== null && <p className={styles.digest}>{formatCount(Math.round(milliseconds))} ms</p>}
      {offered.length > 0 && (
        <details>
          <summary>Entities that were offered</summary>
          <ul>
            {offered.map(({ source, phrase, target, is_chosen: isChosen }, at) => (
              <li key={at}>{source ? `${entityName(source)} ${phrase} ${entityName(target)}` : entityName(target)}{isChosen && ", chosen"}</li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}
