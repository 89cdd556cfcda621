import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import type { StudyKind } from "@/domains/studies/studyKind";
import { isMac } from "@/lib/platform";
import styles from "./ActionBar.module.css";
import { ConflictButton } from "./conflict-of-interest/ConflictButton";
import { INPUT_GUARD_MS, type PrimaryAction, type Submission } from "./useSubmission";

interface Props {
  kind: StudyKind;
  submission: Submission;
  isConfirmingAgree: boolean;
  /** Whether agreeing was requested although the answer was changed. */
  isBlocked: boolean;
  shortcutsEnabled: boolean;
  canSkip: boolean;
  onBack?: () => void;
}

/** Back on the left; what ends the question on the right, the primary action last. */
export function ActionBar({ kind, submission, isConfirmingAgree, isBlocked, shortcutsEnabled, canSkip, onBack }: Props) {
  const isArriving = useArrivalDelay();
  const { alternative } = kind;
  const isClosed = submission.action === "next";
  return (
    <footer className={styles.bar} data-alternative={alternative !== null && !isClosed}>
      <Button variant="quiet" size="large" onPress={() => onBack?.()} isDisabled={!onBack} aria-label="Back to the previous question">
        <ArrowLeft size={16} aria-hidden />
        <span className={styles.back}>Back</span>
      </Button>
      <p className={styles.hint}>{isBlocked ? kind.changedMessage : actionHint(isConfirmingAgree, submission.action)}</p>
      {!isClosed && (
        <>
          {canSkip && <Button variant="quiet" size="large" isPending={isArriving} onPress={submission.skip}>Skip</Button>}
          {canSkip && <ConflictButton isPending={isArriving} onDeclare={submission.declareConflict} />}
          {alternative && (
            <Button size="large" onPress={() => submission.alternative.setOpen(true)}>
              {alternative.label}
              {shortcutsEnabled && <Kbd>{alternative.key.toUpperCase()}</Kbd>}
            </Button>
          )}
        </>
      )}
      <div className={styles.primary} data-armed={isConfirmingAgree || undefined}>
        <Button variant="primary" size="large" isPending={isArriving} isDisabled={!submission.isReady} onPress={submission.primary}>
          {submission.label}
          <Kbd>{isConfirmingAgree ? "Enter" : isMac ? "⌘ ↵" : "Ctrl ↵"}</Kbd>
        </Button>
      </div>
    </footer>
  );
}

function actionHint(isConfirmingAgree: boolean, action: PrimaryAction): string {
  if (action === "next") return "This study is not open: answers can be read, not changed.";
  if (!isConfirmingAgree) return "";
  return `Press Enter to ${action === "keep" ? "keep it" : "confirm"}, any other key to go back`;
}

function useArrivalDelay(): boolean {
  const [isArriving, setArriving] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setArriving(false), INPUT_GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isArriving;
}
