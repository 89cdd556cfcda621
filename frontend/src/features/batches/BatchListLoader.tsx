import type { ReactNode } from "react";
import type { ExpertBatch } from "@/api/contract";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import { LoadError } from "@/components/QueryBoundary";
import type { BatchList } from "@/domains/studies/useBatches";

interface Props {
  batches: BatchList;
  skeleton: ReactNode;
  children: (rows: ExpertBatch[]) => ReactNode;
}

/** The batches that are known; where the server is silent, a word on what can be done without it. */
export function BatchListLoader({ batches, skeleton, children }: Props) {
  const { rows, isOffline, error, refetch, isFetching } = batches;
  if (rows) {
    return <>{isOffline && <OfflineNotice onAgain={refetch} busy={isFetching} />}{children(rows)}</>;
  }
  if (error) return <LoadError error={error} onRetry={refetch} isBusy={isFetching} />;
  return <div aria-busy="true">{skeleton}</div>;
}

function OfflineNotice({ onAgain, busy }: { onAgain: () => void; busy: boolean }) {
  return (
    <Notice tone="warn">
      <p>The server did not answer. You can open batches stored on this device; changes are sent when the server answers.</p>
      <div><Button onPress={onAgain} isDisabled={busy}>{busy ? "Trying" : "Try again"}</Button></div>
    </Notice>
  );
}
