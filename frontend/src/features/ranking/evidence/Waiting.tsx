import { Unreachable } from "@/api/client";
import { Button } from "@/components/Button";
import { Failure } from "@/components/Loadable";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";

interface Props {
  error: Error | null;
  busy: boolean;
  onRetry: () => void;
}

/** Not there: still coming, no network, or refused. The ranking goes on in all three. */
export function Waiting({ error, busy, onRetry }: Props) {
  if (!error) {
    return (
      <div aria-busy="true" aria-label="Reading the evidence">
        <SkeletonRows rows={4} />
      </div>
    );
  }
  if (!(error instanceof Unreachable)) return <Failure error={error} onRetry={onRetry} busy={busy} />;
  return (
    <Notice tone="warn">
      <p>Evidence needs a connection. Your ranking does not: go on, and it is sent later.</p>
      <div>
        <Button onPress={onRetry} isDisabled={busy}>
          {busy ? "Trying" : "Try again"}
        </Button>
      </div>
    </Notice>
  );
}
