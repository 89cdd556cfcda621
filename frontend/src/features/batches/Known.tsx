import type { ReactNode } from "react";
import type { ExpertBatch } from "@/api/contract";
import { Button } from "@/components/Button";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import type { KnownBatches } from "@/lib/useBatches";

interface Props {
  batches: KnownBatches;
  skeleton: ReactNode;
  children: (rows: ExpertBatch[]) => ReactNode;
}

/** The batches that are known; where the server is silent, a word on what can be done without it. */
export function Known({ batches, skeleton, children }: Props) {
  const { rows, isSilent, error, ask, isAsking } = batches;
  if (rows) {
    return (
      <>
        {isSilent && <Silence onAgain={ask} busy={isAsking} />}
        {children(rows)}
      </>
    );
  }
  if (error) return <Failure error={error} onRetry={ask} busy={isAsking} />;
  return <div aria-busy="true">{skeleton}</div>;
}

function Silence({ onAgain, busy }: { onAgain: () => void; busy: boolean }) {
  return (
    <Notice tone="warn">
      <p>
        The server did not answer. A batch that was opened on this device opens without it, and what you do is sent
        when it answers again.
      </p>
      <div>
        <Button onPress={onAgain} isDisabled={busy}>
          {busy ? "Trying" : "Try again"}
        </Button>
      </div>
    </Notice>
  );
}
