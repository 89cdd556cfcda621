import { useEffect, useRef, useState, type RefObject } from "react";
import type { Assignment } from "@/api/contract";
import { HeldWork } from "@/components/conflict";
import { sameOrder } from "@/components/ranking/model";
import { RankingBoard, type BoardHandle } from "@/components/ranking/RankingBoard";
import type { ActiveClock } from "@/lib/clock";
import { useSyncState, type Answer, type SyncEngine } from "@/lib/offline";
import { ActionBar } from "./ActionBar";
import { NotSureDialog } from "./NotSureDialog";
import { QuestionHead } from "./QuestionHead";
import styles from "./RankingPage.module.css";
import { Remarks } from "./Remarks";
import { useAnswer } from "./useAnswer";
import type { Batch } from "./useBatch";
import { useEnding } from "./useEnding";
import { useQuestionKeys } from "./useQuestionKeys";

interface Props {
  assignment: Assignment;
  version: number;
  batch: Batch;
  engine: SyncEngine;
  active: ActiveClock;
  letters: boolean;
  say: (words: string) => void;
  /** Lets the page ask whether what is stored is what stands here. */
  following: RefObject<((answer: Answer) => boolean) | null>;
  onDefinition: () => void;
  onDone: () => void;
  onBack?: () => void;
}

export function QuestionView(props: Props) {
  const { assignment, version, batch, engine, active, letters, say, following, onDefinition, onDone } = props;
  const { question } = assignment;
  const sync = useSyncState(engine) ?? engine.state;
  const board = useRef<BoardHandle>(null);
  const control = useAnswer({ assignment, batch: batch.about.id, version, engine, active });
  const { answer, ranking } = control;
  const agrees = sameOrder(ranking.ranking, question.prior);
  const [remarking, setRemarking] = useState(false);
  const ending = useEnding({ control, agrees, shown: assignment.response, onDone });
  const opensDefinition = () => {
    control.looked("definition_opened", null);
    onDefinition();
  };
  const keys = useQuestionKeys({
    letters,
    agrees,
    say,
    ending,
    onComment: () => setRemarking(true),
    onDefinition: opensDefinition,
  });

  useEffect(() => {
    following.current = control.isFollowing;
    return () => {
      following.current = null;
    };
  }, [following, control.isFollowing]);
  useArrival(board, assignment, say);

  return (
    <>
      <main className={styles.work} id="main" onKeyDown={keys.onKeyDown} onBlur={keys.disarm}>
        <div className={styles.column}>
          <QuestionHead assignment={assignment} asOpened={control.isAsOpened} onLinkOpened={(link) => control.looked("link_opened", link)} />
          <HeldWork engine={engine} state={sync} assignment={assignment} />
          <RankingBoard
            ref={board}
            candidates={question.candidates}
            prior={question.prior}
            // No model made the demo's order, and none is named.
            priorName={batch.about.study.is_demo ? "start" : "model"}
            control={ranking}
            letters={letters}
            say={say}
            onLinkOpened={(candidate) => control.looked("link_opened", { candidate: candidate.id, link: candidate.link })}
          />
          <Remarks
            answer={answer}
            letters={letters}
            open={remarking}
            onOpen={setRemarking}
            onSet={control.set}
            onLeave={() => board.current?.focusBack()}
          />
        </div>
      </main>
      <ActionBar
        ending={ending}
        armed={keys.armed}
        letters={letters}
        closed={batch.about.study.status === "closed"}
        {...(props.onBack && { onBack: props.onBack })}
      />
      <NotSureDialog
        isOpen={ending.asking}
        onClose={() => {
          ending.setAsking(false);
          board.current?.focusBack();
        }}
        onChoose={ending.notSure}
      />
    </>
  );
}

/** A question that appears is said, and takes focus on its first candidate. */
function useArrival(board: RefObject<BoardHandle | null>, assignment: Assignment, say: (words: string) => void): void {
  const { number, text } = assignment.question;
  useEffect(() => {
    board.current?.focusFirst();
    say(`Question ${number}. ${text}`);
    document.getElementById("main")?.scrollTo?.({ top: 0 });
  }, [board, number, text, say]);
}
