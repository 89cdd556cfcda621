import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState, type ReactNode } from "react";
import { Navigate, useLocation, useParams } from "react-router";
import type { CurrentUser, Id } from "@/api/contract";
import { currentUserQuery } from "@/lib/currentUser";
import { hasErrorCode } from "@/lib/errorMessages";
import { useSyncEngine } from "@/lib/offline";
import { findStudyKind } from "@/study-kinds/registry";
import { BatchView } from "./BatchView";
import { BatchLoadError, BatchLoading, UnknownStudyKind } from "./LoadStates";
import { useBatch, type AdjudicatedQuestion } from "./useBatch";

/**
 * One batch, question by question. The account is determined when the page opens: a session that
 * expires later is renewed over the page, for the same account, and never navigates away from it.
 */
export function AssignmentsPage() {
  const { batchId = "" } = useParams();
  return <SignedIn>{(user) => <AssignmentsForUser user={user} batchId={batchId} />}</SignedIn>;
}

/** One question that a coordinator adjudicates, with the same editor and the same care for what is unsent. */
export function AdjudicationPage() {
  const { id: study = "", question = "" } = useParams();
  const adjudication = useMemo(
    () => ({ study, question, endPath: `/studies/${study}?tab=adjudication&open=${question}` }),
    [study, question],
  );
  return <SignedIn>{(user) => <AssignmentsForUser user={user} batchId={`adjudication ${question}`} adjudication={adjudication} />}</SignedIn>;
}

function SignedIn({ children }: { children: (user: CurrentUser) => ReactNode }) {
  const { data: currentUser, error, refetch } = useQuery(currentUserQuery);
  const { pathname, search } = useLocation();
  const [user, setUser] = useState<CurrentUser | null>(null);
  if (currentUser && !user) setUser(currentUser);
  if (user) return children(user);
  if (currentUser === null) return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  return error ? <BatchLoadError error={error} onRetry={() => void refetch()} /> : <BatchLoading />;
}

function AssignmentsForUser({ user, batchId, adjudication }: { user: CurrentUser; batchId: Id; adjudication?: AdjudicatedQuestion }) {
  const engine = useSyncEngine(user.id);
  const { batch, error, failure, reload } = useBatch(engine, batchId, adjudication);
  if (batch && engine) {
    const kind = findStudyKind(batch.details.study.kind);
    if (!kind) return <UnknownStudyKind />;
    return (
      <Suspense fallback={<BatchLoading />}><BatchView key={batchId} kind={kind} engine={engine} batch={batch} /></Suspense>
    );
  }
  if (adjudication && hasErrorCode(error, "adjudicated")) return <Navigate to={adjudication.endPath} replace />;
  return error ? <BatchLoadError error={error} onRetry={reload} /> : <BatchLoading failure={failure} />;
}
