import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Assignment, Response } from "@/api/contract";
import { HeldWork } from "@/components/conflict";
import { sameOrder } from "@/components/ranking/model";
import { RankingBoard, type BoardHandle } from "@/components/ranking/RankingBoard";
import { nameOf } from "@/lib/batches";
import type { ActiveClock } from "@/lib/clock";
import { useSyncState, type Answer, type SyncEngine } from "@/lib/offline";
import { ActionBar } from "./ActionBar";
import { NotSureDialog } from "./NotSureDialog";
import { QuestionHead } from "./QuestionHead";
import styles from "./RankingPage.module.css";
import { ReadOnlyAnswer } from "./ReadOnlyAnswer";
import { COMMENT, Remarks } from "./Remarks";
import type { PanelView } from "./SidePanel";
import { useAnswer, type AnswerControl } from "./useAnswer";
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
  /** Lets the page give the focus back to the candidates. */
  board: RefObject<BoardHandle | null>;
  panel: PanelView | null;
  onPanel: (view: PanelView) => void;
  onDone: () => void;
  onBack?: () => void;
}

export function QuestionView(props: Props) {
  const { assignment, version, batch, engine, active, letters, say, following, board, panel, onPanel, onDone } = props;
  const { question, response } = assignment;
  const isClosed = batch.about.study.status === "closed";
  const sync = useSyncState(engine) ?? engine.state;
  const [remarking, setRemarking] = useState(false);
  const control = useAnswer({ assignment, batch: batch.about.id, version, isClosed, engine, active });
  const agrees = sameOrder(control.ranking.ranking, question.prior);
  const ending = useEnding({ control, agrees, isClosed, shown: response, onDone });
  const ways = {
    onComment: () => {
      setRemarking(true);
      document.getElementById(COMMENT)?.focus();
    },
    onDefinition: () => onPanel("definition"),
    onKeys: () => onPanel("keys"),
  };
  const { armed, refused } = useQuestionKeys({ letters, say, ending, ...ways });
  useFollowing(following, control);
  useDefinitionNoted(panel, control);
  useArrival(board, assignment, nameOf(batch.about), say);

  const answering = { assignment, batch, control, board, letters, say, remarking, onRemarking: setRemarking };
  return (
    <>
      <main className={styles.work} id="main">
        <div className={styles.column}>
          <QuestionHead
            assignment={assignment}
            asOpened={control.isAsOpened}
            onLinkOpened={(link) => control.looked("link_opened", link)}
          />
          <HeldWork engine={engine} state={sync} assignment={assignment} />
          {isClosed ? (
            <ReadOnlyAnswer question={question} response={response} priorName={priorName(batch)} />
          ) : (
            <Answering {...answering} />
          )}
        </div>
      </main>
      <ActionBar ending={ending} armed={armed} refused={refused} letters={letters} {...(props.onBack && { onBack: props.onBack })} />
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

/** No model made the demo's order, and none is named. */
const priorName = (batch: Batch) => (batch.about.study.is_demo ? "start" : "model");

interface AnsweringProps extends Pick<Props, "assignment" | "batch" | "board" | "letters" | "say"> {
  control: AnswerControl;
  remarking: boolean;
  onRemarking: (open: boolean) => void;
}

/** Whether she gave an order before; who was not sure, or skipped, gave none. */
const hasOrder = ({ submitted }: Response) => submitted?.state === "confirmed" || submitted?.state === "changed";

/** The candidates, and what she wants to say beside their order. */
function Answering({ assignment, batch, control, board, letters, say, remarking, onRemarking }: AnsweringProps) {
  const { candidates, prior } = assignment.question;
  return (
    <>
      <RankingBoard
        ref={board}
        candidates={candidates}
        prior={prior}
        priorName={priorName(batch)}
        control={control.ranking}
        isAnswered={hasOrder(assignment.response)}
        letters={letters}
        say={say}
        onLinkOpened={({ id, link }) => control.looked("link_opened", { candidate: id, link })}
      />
      <Remarks
        answer={control.answer}
        letters={letters}
        open={remarking}
        onOpen={onRemarking}
        onSet={control.set}
        onLeave={() => board.current?.focusBack()}
      />
    </>
  );
}

function useFollowing(following: Props["following"], { isFollowing }: AnswerControl): void {
  useImperativeHandle(following, () => isFollowing, [isFollowing]);
}

/** That she looked the meaning up is part of the question that it was done for, by key or by button. */
function useDefinitionNoted(panel: PanelView | null, control: AnswerControl): void {
  const before = useRef(panel);
  const note = useEffectEvent(() => control.looked("definition_opened", null));
  useEffect(() => {
    if (panel === "definition" && before.current !== panel) note();
    before.current = panel;
  }, [panel]);
}

/** A question that appears is said, names the tab, and takes focus on its first candidate. */
function useArrival(
  board: RefObject<BoardHandle | null>,
  assignment: Assignment,
  batch: string,
  say: (words: string) => void,
): void {
  const { number, text } = assignment.question;
  // Before she sees it, so that no key of hers falls beside it.
  useLayoutEffect(() => {
    document.title = `Question ${number}, ${batch} · Serendib`;
    board.current?.focusFirst();
    say(`Question ${number}. ${text}`);
    // Magnified, it is the window that scrolls: the question comes before its first candidate.
    document.getElementById("main")?.scrollTo?.({ top: 0 });
    window.scrollTo(0, 0);
  }, [board, number, text, batch, say]);
}
