import { Quote } from "lucide-react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { CommentField } from "@/domains/studies/answer-board/CommentField";
import { CommentToggle } from "@/domains/studies/answer-board/CommentToggle";
import { BecauseList } from "@/domains/studies/marks/BecauseList";
import { becauseText, type PairAnswer, type PairItem } from "./answer";
import styles from "./Pair.module.css";
import type { PairActions } from "./usePairActions";

interface Props {
  item: PairItem;
  answer: PairAnswer;
  actions: PairActions;
  shortcutsEnabled: boolean;
}

/** The sentence that decided, and free text; neither has to be there. */
export function Remarks({ item, answer, actions, shortcutsEnabled }: Props) {
  const hasSentences = [item.background_sentences ?? [], ...item.hypotheses.map(({ sentences }) => sentences)].flat().length > 0;
  const { field, isOpen, toggle } = actions.commentField;
  return (
    <>
      <div className={styles.remarks}>
        {hasSentences && (
          <Button variant="quiet" onPress={actions.toggleMarking} aria-pressed={actions.isMarking}>
            <Quote size={16} aria-hidden />
            {markLabel(actions.isMarking, answer)}
            {shortcutsEnabled && <Kbd>W</Kbd>}
          </Button>
        )}
        <CommentToggle text={answer.comment} isOpen={isOpen} onToggle={toggle} shortcutsEnabled={shortcutsEnabled} />
        {answer.because && <BecauseList marks={[{ key: "because", text: becauseText(item, answer) }]} onRemove={() => actions.mark(null)} />}
      </div>
      {isOpen && <CommentField ref={field} value={answer.comment} onChange={actions.comment} onLeave={actions.focusPair} />}
    </>
  );
}

function markLabel(isMarking: boolean, { because }: PairAnswer): string {
  if (isMarking) return "Stop marking";
  return because ? "Mark another sentence" : "Mark what decided";
}
