import { Suspense, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, type RefObject } from "react";
import { flushSync } from "react-dom";
import type { Assignment, Payload } from "@/api/contract";
import { Notice } from "@/components/Notice";
import { Tag } from "@/components/Tag";
import { batchName } from "@/domains/studies/batches";
import { moveAmongEvidence } from "@/domains/studies/marks/evidenceFocus";
import { markChange, type EvidenceMark, type Marking } from "@/domains/studies/marks/marks";
import { sightReason } from "@/domains/studies/sight";
import { UnsentAnswerNotice } from "@/domains/studies/conflict/UnsentAnswerNotice";
import type { EditorHandle, StudyKind } from "@/domains/studies/studyKind";
import type { ActiveTimer } from "@/lib/activeTime";
import { useSyncState, type SyncEngine } from "@/lib/offline";
import { useMediaQuery } from "@/lib/useMediaQuery";
import { ActionBar } from "./ActionBar";
import { AnswerFeedback, type LatestFeedback } from "./AnswerFeedback";
import { EVIDENCE_ID, EvidencePeek, type CandidateFocusTracker, type EventRecorder, type PinnedGraph } from "./evidence";
import { QuestionHeader } from "./QuestionHead";
import styles from "./AssignmentsPage.module.css";
import { useAnswer, type AnswerControl } from "./useAnswer";
import type { LoadedBatch } from "./useBatch";
import { useQuestionShortcuts } from "./useQuestionShortcuts";
import { INLINE_PANEL_QUERY, type SidePanelState, type SidePanelTab } from "./useSidePanel";
import { ThreadButton } from "./ThreadButton";
import { useSubmission } from "./useSubmission";

interface Props {
  kind: StudyKind;
  assignment: Assignment;
  version: number;
  batch: LoadedBatch;
  /** What shows evidence for this question, if anything does. */
  graph: PinnedGraph | null | undefined;
  engine: SyncEngine;
  timer: ActiveTimer;
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  /** Lets the page compare a stored answer with the one shown here. */
  followRef: RefObject<((payload: Payload) => boolean) | null>;
  /** Lets the page give the focus back to the answer. */
  editor: RefObject<EditorHandle | null>;
  evidence: {
    focus: CandidateFocusTracker;
    /** Lets the panel record that evidence was viewed. */
    recorder: RefObject<EventRecorder | null>;
    /** Lets the panel show and change what is marked as deciding. */
    onMarking: (marking: Marking | null) => void;
  };
  panel: SidePanelState;
  feedback: LatestFeedback | null;
  onDone: () => void;
  onBack?: () => void;
}

export function QuestionView(props: Props) {
  const { kind, assignment, batch, graph, engine, editor, shortcutsEnabled, announce, panel, onDone } = props;
  const { onMarking, ...evidence } = props.evidence;
  const { status } = batch.details.study;
  const isClosed = status !== "open";
  const isPanelInline = useMediaQuery(INLINE_PANEL_QUERY);
  const sync = useSyncState(engine) ?? engine.state;
  const guidelines = batch.details.guidelines?.number ?? 0;
  const control = useAnswer({ ...props, batch: batch.details.id, isClosed, guidelines });
  const submission = useSubmission({ kind, assignment, control, isClosed, onDone });
  const shortcuts = {
    onDefinition: () => panel.open("definition"),
    onShortcuts: () => panel.open("shortcuts"),
    ...(graph && { onEvidence: () => showEvidence(panel, announce) }),
    ...(graph && kind.marking && !isClosed && { onMark: () => focusEvidence(panel) }),
  };
  const confirmation = useQuestionShortcuts({ kind, shortcutsEnabled, announce, submission, editor, ...shortcuts });
  useImperativeHandle(props.followRef, () => control.isUpToDateWith, [control.isUpToDateWith]);
  useImperativeHandle(evidence.recorder, () => control.recordActivity, [control.recordActivity]);
  useDefinitionTracking(panel.tab, control);
  useMarking({ kind, control, isClosed, announce, onMarking });
  useQuestionFocus(editor, assignment, batchName(batch.details), announce);
  const { alternative } = submission;
  const seenBefore = batch.sight && !control.isSubmitted && sightReason(batch.sight);
  return (
    <>
      <main className={styles.work} id="main">
        <div className={styles.column}>
          <AnswerFeedback latest={props.feedback} assignments={batch.assignments} />
          <QuestionHeader
            kind={kind}
            assignment={assignment}
            isSubmitted={control.isSubmitted}
            onLinkOpened={(link) => control.recordActivity("link_opened", link)}
            shortcutsEnabled={shortcutsEnabled}
            {...(shortcuts.onEvidence && isPanelInline && { onEvidence: shortcuts.onEvidence })}
          >
            {batch.adjudication
              ? <Tag>{adjudicationName(control.isSubmitted, batch.sight)}</Tag>
              : <ThreadButton assignment={assignment} study={batch.details.study.id} engine={engine} />}
          </QuestionHeader>
          {seenBefore && <Notice>{seenBefore}</Notice>}
          <UnsentAnswerNotice
            engine={engine}
            kind={kind}
            state={sync}
            assignment={assignment}
            onResolved={() => editor.current?.restoreFocus()}
          />
          {status === "paused" && <Notice>This study is paused. You can read your answers, and change them once it is open again.</Notice>}
          <Answer {...props} control={control} isClosed={isClosed} />
        </div>
      </main>
      {graph && !isPanelInline && (
        <EvidencePeek
          assignment={assignment.id}
          subjects={kind.evidenceSubjects(assignment.item)}
          graph={graph}
          {...evidence}
          onOpen={() => panel.open("evidence")}
        />
      )}
      <ActionBar
        kind={kind}
        submission={submission}
        {...confirmation}
        shortcutsEnabled={shortcutsEnabled}
        canSkip={!batch.adjudication}
        {...(props.onBack && { onBack: props.onBack })}
      />
      {kind.alternative && (
        <Suspense>
          <kind.alternative.Dialog
            isOpen={alternative.isOpen}
            onClose={() => {
              alternative.setOpen(false);
              editor.current?.restoreFocus();
            }}
            onChoose={alternative.choose}
          />
        </Suspense>
      )}
    </>
  );
}

function adjudicationName(isSubmitted: boolean, sight: LoadedBatch["sight"]): string {
  if (isSubmitted) return "adjudication, revised after the experts’ answers";
  return `adjudication, ${sight?.state === "blind" ? "blind to the experts’ answers" : "not blind"}`;
}

interface AnswerProps extends Props {
  control: AnswerControl;
  isClosed: boolean;
}

function Answer({ kind, assignment, batch, control, isClosed, editor, shortcutsEnabled, announce }: AnswerProps) {
  const { item, response } = assignment;
  const isDemo = batch.details.study.is_demo;
  if (isClosed) return <kind.ReadOnlyView item={item} answer={response.payload} isDemo={isDemo} />;
  return (
    <kind.Editor
      ref={editor}
      item={item}
      initial={control.start.payload}
      answer={control.answer}
      response={response}
      isDemo={isDemo}
      shortcutsEnabled={shortcutsEnabled}
      announce={announce}
      onChange={control.change}
      onActivity={control.recordActivity}
    />
  );
}

/** The first time it opens, and the focus stays where it is; the second time it goes there. */
function showEvidence(panel: SidePanelState, announce: Props["announce"]): void {
  if (panel.tab === "evidence") document.getElementById(EVIDENCE_ID)?.focus();
  else {
    panel.open("evidence");
    announce("Evidence is shown beside the candidates. Press E again to go there, Escape to come back.");
  }
}

/** The first path that can be marked, or the panel while none is there. */
function focusEvidence(panel: SidePanelState): void {
  if (panel.tab !== "evidence") flushSync(() => panel.open("evidence"));
  const shown = document.getElementById(EVIDENCE_ID);
  if (!moveAmongEvidence(shown, 1)) shown?.focus();
}

interface MarkingOptions extends Pick<Props, "kind" | "announce"> {
  control: AnswerControl;
  isClosed: boolean;
  onMarking: (marking: Marking | null) => void;
}

/** The panel stands beside the question, and its marks are part of the answer. */
function useMarking({ kind, control: { answer, change }, isClosed, announce, onMarking }: MarkingOptions): void {
  const { marking } = kind;
  const marks = marking?.marks(answer);
  useEffect(() => {
    if (!marking || !marks) return onMarking(null);
    const toggle = (mark: EvidenceMark) => {
      const { message, step } = markChange(marks, mark);
      announce(message);
      if (step) change(marking.toggle(mark), step);
    };
    onMarking({ marks, ...(!isClosed && { toggle }) });
  }, [marking, marks, isClosed, announce, change, onMarking]);
}

/** That the definition was opened is recorded with the question, whether by key or by button. */
function useDefinitionTracking(panel: SidePanelTab | null, control: AnswerControl): void {
  const before = useRef(panel);
  const record = useEffectEvent(() => control.recordActivity("definition_opened", null));
  useEffect(() => {
    if (panel === "definition" && before.current !== panel) record();
    before.current = panel;
  }, [panel]);
}

/** A question that appears is announced, names the tab, and puts the focus on its answer. */
export function useQuestionFocus(
  editor: RefObject<EditorHandle | null>,
  assignment: Assignment,
  batch: string,
  announce: (message: string) => void,
): void {
  const { number, text } = assignment.item;
  // Before it is painted, so that no key falls beside it.
  useLayoutEffect(() => {
    document.title = `Question ${number}, ${batch} · Serendib`;
    editor.current?.focusFirst();
    announce(`Question ${number}. ${text}`);
    // Magnified, it is the window that scrolls: the question comes before its first candidate.
    document.getElementById("main")?.scrollTo?.({ top: 0 });
    window.scrollTo(0, 0);
  }, [editor, number, text, batch, announce]);
}
