import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { ToolSession } from "@/domains/evaluation/toolSessions";
import { errorMessage } from "@/lib/errorMessages";
import { useShareSession } from "./mutations";
import styles from "./Submissions.module.css";

/** Who reads the calls, and the choice of their owner. */
export function SessionSharing({ session }: { session: ToolSession }) {
  const { id, is_shared: isShared, may_share: mayShare } = session;
  const share = useShareSession(id);
  return (
    <>
      <div className={styles.state}>
        <p role="status">{readersText(session)}</p>
        {(mayShare || isShared) && (
          <Button isDisabled={share.isPending} onPress={() => share.mutate(!isShared)}>
            {isShared ? "Stop sharing" : "Share with everybody"}
          </Button>
        )}
      </div>
      {share.isError && <Notice tone="bad">{errorMessage(share.error)}</Notice>}
    </>
  );
}

function readersText({ is_shared: isShared, may_share: mayShare }: ToolSession): string {
  if (isShared && mayShare) return "Everybody reads these calls.";
  if (isShared) return "These calls are hidden. Everybody reads them while a scored dev entry names them, and no anonymous or test one.";
  if (mayShare) return "You and the organisers of the release read these calls.";
  return "You and the organisers read these calls. Once scored entries of dev items name them, you can share them.";
}
