import { useState } from "react";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import type { AnswerUpdate } from "@/domains/studies/studyKind";
import { notSureBecause, type RankingAnswer } from "./answer";
import { UNSURE_REASON_LABELS } from "./labels";
import styles from "./NotSureDialog.module.css";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onChoose: (update: AnswerUpdate<RankingAnswer>) => void;
}

/** One press gives the reason and opens the next question; a comment can be written before it. */
export function NotSureDialog({ isOpen, onClose, onChoose }: Props) {
  return (
    <Dialog title="Why are you not sure?" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} width={400}>
      <ReasonForm onClose={onClose} onChoose={onChoose} />
    </Dialog>
  );
}

/** Begins empty each time the dialog opens. */
function ReasonForm({ onClose, onChoose }: Omit<Props, "isOpen">) {
  const [comment, setComment] = useState("");
  return (
    <>
      <CommentField label="Comment, if you like" rows={2} value={comment} onChange={setComment} />
      <p className={styles.text}>The reason is saved as your answer, and the next question opens.</p>
      <div className={styles.reasons}>
        {Object.entries(UNSURE_REASON_LABELS).map(([reason, label], index) => (
          <Button key={reason} size="large" autoFocus={index === 0} onPress={() => onChoose(notSureBecause(reason, comment))}>
            {label}
          </Button>
        ))}
      </div>
      <DialogActions><Button variant="quiet" onPress={onClose}>Back to the question</Button></DialogActions>
    </>
  );
}
