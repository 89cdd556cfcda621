import { Button } from "@/components/Button";
import { Notice } from "@/components/Notice";
import type { Submission } from "@/domains/evaluation/queries";
import { errorMessage } from "@/lib/errorMessages";
import { useChooseFinal } from "./mutations";
import styles from "./Submissions.module.css";

/** The choice of what the board shows of a model once the release has closed. */
export function FinalEntry({ submission: { id, is_final: isFinal, model } }: { submission: Submission }) {
  const choose = useChooseFinal(id);
  return (
    <>
      <div className={styles.state}>
        <p role="status">
          {isFinal
            ? `The board shows this entry of ${model.name} once the release has closed.`
            : `Without a choice, the board keeps the entry of ${model.name} that stands when the release closes.`}
        </p>
        <Button isDisabled={choose.isPending} onPress={() => choose.mutate(!isFinal)}>
          {isFinal ? "Take the choice back" : "Choose as the final entry"}
        </Button>
      </div>
      {choose.isError && <Notice tone="bad">{errorMessage(choose.error)}</Notice>}
    </>
  );
}
