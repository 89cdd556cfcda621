import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Navigate, useLocation, useParams } from "react-router";
import type { Me } from "@/api/contract";
import { meQuery } from "@/lib/me";
import { useSyncEngine } from "@/lib/offline";
import { BatchView } from "./BatchView";
import { Failed, Opening } from "./Opening";
import { useBatch } from "./useBatch";

/**
 * One batch, question by question. Who she is is settled when the page opens: a session that runs
 * out later is renewed over the page, for the same account, and never sends her away from it.
 */
export function RankingPage() {
  const { data: me, error, refetch } = useQuery(meQuery);
  const { pathname, search } = useLocation();
  const [her, setHer] = useState<Me | null>(null);
  if (me && !her) setHer(me);
  if (her) return <ForHer me={her} />;
  if (me === null) return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Opening />;
}

function ForHer({ me }: { me: Me }) {
  const { batchId = "" } = useParams();
  const engine = useSyncEngine(me.id);
  const { batch, error, reload } = useBatch(engine, batchId);
  if (batch && engine) return <BatchView key={batchId} engine={engine} batch={batch} />;
  return error ? <Failed error={error} onRetry={reload} /> : <Opening />;
}
