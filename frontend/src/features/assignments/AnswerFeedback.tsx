import { useEffect, useState } from "react";
import type { Assignment, Id, Response } from "@/api/contract";
import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { SyncEngine } from "@/lib/offline";
import styles from "./AssignmentsPage.module.css";

type Feedback = NonNullable<Response["feedback"]>;

/** Whether an answer agreed with the known one, where the study shows that. */
export function FeedbackText({ is_right: isRight, explanation }: Feedback) {
  const result = isRight === null ? "You were not sure." : isRight ? "Your answer is right." : "Your answer differs from the known one.";
  return <>{result}{explanation && ` ${explanation}`}</>;
}

export interface LatestFeedback {
  assignment: Id;
  feedback: Feedback;
  onClose: () => void;
}

/** On the answer that was sent last: it arrives when the next question is open. */
export function useLatestFeedback(engine: SyncEngine): LatestFeedback | null {
  const [latest, setLatest] = useState<{ assignment: Id; feedback: Feedback } | null>(null);
  useEffect(
    () =>
      engine.onMessage(({ resource, response }) => {
        if (response?.feedback) setLatest({ assignment: resource, feedback: response.feedback });
      }),
    [engine],
  );
  return latest && { ...latest, onClose: () => setLatest(null) };
}

export function AnswerFeedback({ latest, assignments }: { latest: LatestFeedback | null; assignments: Assignment[] }) {
  const number = assignments.find(({ id }) => id === latest?.assignment)?.item.number;
  if (!latest || number === undefined) return null;
  return (
    <Notice tone={latest.feedback.is_right ? "good" : "warn"}>
      <div className={styles.feedback}>
        <p><b>Question {number}:</b> <FeedbackText {...latest.feedback} /></p>
        <Button onPress={latest.onClose}>Close</Button>
      </div>
    </Notice>
  );
}
