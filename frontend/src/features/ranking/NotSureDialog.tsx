import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import type { UnsureReason } from "@/api/contract";
import { UNSURE_WORDS } from "@/lib/answerWords";
import styles from "./NotSureDialog.module.css";
import { UNSURE_REASONS } from "./words";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (reason: UnsureReason) => void;
}

/** One press says why and goes on: not sure is an answer, not a failure. */
export function NotSureDialog({ isOpen, onClose, onChoose }: Props) {
  return (
    <Dialog title="Why are you not sure?" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} width={400}>
      <p className={styles.text}>The reason is kept as your answer, and the next question opens.</p>
      <div className={styles.reasons}>
        {UNSURE_REASONS.map((reason, index) => (
          <Button key={reason} size="large" autoFocus={index === 0} onPress={() => onChoose(reason)}>
            {UNSURE_WORDS[reason]}
          </Button>
        ))}
      </div>
      <DialogActions>
        <Button look="quiet" onPress={onClose}>
          Back to the question
        </Button>
      </DialogActions>
    </Dialog>
  );
}
