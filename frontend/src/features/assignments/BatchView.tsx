import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams, type NavigateOptions } from "react-router";
import type { Assignment, Id, Payload } from "@/api/contract";
import { dialogPart } from "@/components/Dialog";
import { menuPart } from "@/components/Menu";
import { useAnnouncer } from "@/components/useAnnouncer";
import type { Marking } from "@/domains/studies/marks/marks";
import type { EditorHandle, StudyKind } from "@/domains/studies/studyKind";
import { ActiveTimer } from "@/lib/activeTime";
import { type SyncEngine, useSyncState } from "@/lib/offline";
import { showRenewal } from "@/lib/session";
import { useShortcutSetting } from "@/lib/shortcutSetting";
import { useWhenTrue } from "@/lib/useWhenTrue";
import { useLatestFeedback } from "./AnswerFeedback";
import { CandidateFocusTracker, type EventRecorder } from "./evidence";
import { AwaitedQuestion, EmptyBatch } from "./LoadStates";
import { sortByNumber, firstOpen, nextByNumber, nextOpenAfter, previousByNumber } from "./progress";
import { QuestionView } from "./QuestionView";
import { AssignmentsLayout } from "./AssignmentsLayout";
import { AssignmentsTopBar } from "./AssignmentsTopBar";
import { panelPart, SidePanel } from "./SidePanel";
import type { LoadedBatch } from "./useBatch";
import { usePresence } from "./usePresence";
import { useSidePanel } from "./useSidePanel";

/** All that an answer can open: it works without a network from here on. */
function usePreloadedParts(kind: StudyKind) {
  useEffect(() => {
    for (const part of [dialogPart, menuPart, panelPart]) void part.load();
    kind.definition.preload?.().catch(() => undefined);
  }, [kind]);
}

export function BatchView({ kind, engine, batch }: { kind: StudyKind; engine: SyncEngine; batch: LoadedBatch }) {
  const [timer] = useState(() => new ActiveTimer());
  usePreloadedParts(kind);
  const navigation = useQuestionNavigation(batch);
  const presence = usePresence(batch.adjudication ? null : batch.details.id, navigation.current?.id, timer);
  const graph = shownGraph(kind, batch, navigation.current);
  const panel = useSidePanel({ isReview: navigation.isReview, hasEvidence: Boolean(graph) });
  const toggle = (tab: "questions" | "definition") => (panel.tab === tab ? panel.close() : panel.open(tab));
  const [shortcutsEnabled, setShortcutsEnabled] = useShortcutSetting();
  const { announce, region } = useAnnouncer();
  const blocked = useBlockedAssignments(engine);
  const feedback = useLatestFeedback(engine);
  const followRef = useRef<((payload: Payload) => boolean) | null>(null);
  const editor = useRef<EditorHandle>(null);
  const evidenceRecorder = useRef<EventRecorder | null>(null);
  const focus = useCandidateFocus();
  const [marking, setMarking] = useState<Marking | null>(null);
  const remountKey = useRemountKey(navigation.current, followRef);
  const { pathname, search } = useLocation();
  // What must be read comes between two questions: an answer that was begun is finished first.
  if (presence.mustRead && navigation.current?.response.status !== "draft") {
    const state = { from: pathname + search };
    return <Navigate to={`/studies/${batch.details.study.id}/introduction`} state={state} replace />;
  }

  return (
    <AssignmentsLayout
      bar={
        <AssignmentsTopBar
          kind={kind}
          batch={batch}
          engine={engine}
          onQuestions={() => toggle("questions")}
          onHelp={() => toggle("definition")}
          onRenew={showRenewal}
          onShowBlocked={navigation.openBlocked}
        />
      }
    >
      {navigation.isAwaited ? <AwaitedQuestion /> : navigation.current ? (
        <QuestionView
          key={`${navigation.current.id} ${remountKey}`}
          kind={kind}
          assignment={navigation.current}
          version={batch.saved(navigation.current.id)?.version ?? navigation.current.response.version}
          batch={batch}
          graph={graph}
          engine={engine}
          timer={timer}
          shortcutsEnabled={shortcutsEnabled}
          announce={announce}
          followRef={followRef}
          editor={editor}
          evidence={{ focus, recorder: evidenceRecorder, onMarking: setMarking }}
          panel={panel}
          feedback={feedback}
          onDone={() => {
            navigation.openNext();
            presence.checkBetween();
          }}
          {...(navigation.openPrevious && { onBack: navigation.openPrevious })}
        />
      ) : <EmptyBatch />}
      <SidePanel
        kind={kind}
        panel={panel}
        guidelines={batch.details.guidelines}
        assignments={batch.assignments}
        current={navigation.current}
        blocked={blocked}
        onOpen={navigation.open}
        evidence={{ graph, focus, recorder: evidenceRecorder, marking }}
        onLeave={() => editor.current?.restoreFocus()}
        shortcutsEnabled={shortcutsEnabled}
        onShortcutsEnabledChange={setShortcutsEnabled}
      />
      {region}
    </AssignmentsLayout>
  );
}

/** None where the kind has nothing to show evidence for, or an arm of the study hides it. */
function shownGraph(kind: StudyKind, batch: LoadedBatch, assignment: Assignment | undefined) {
  if (!assignment) return batch.details.study.graph;
  const isShown = assignment.has_evidence !== false && kind.evidenceSubjects(assignment.item).length > 0;
  return isShown ? batch.details.study.graph : null;
}

function useCandidateFocus(): CandidateFocusTracker {
  const [focus] = useState(() => new CandidateFocusTracker());
  useEffect(() => focus.start(), [focus]);
  return focus;
}

function useBlockedAssignments(engine: SyncEngine): ReadonlySet<Id> {
  const { queue } = useSyncState(engine) ?? engine.state;
  return useMemo(() => new Set(queue.filter((item) => item.blocked).map((item) => item.resource)), [queue]);
}

/** Which question is open, which the URL names, and the questions before and after it. */
function useQuestionNavigation(batch: LoadedBatch) {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const [visited, setVisited] = useState<number[]>([]);
  const { assignments, details } = batch;
  const requested = Number(search.get("q") ?? Number.NaN);
  const current = assignments.find(({ item }) => item.number === requested) ?? firstOpen(assignments) ?? sortByNumber(assignments)[0];
  const number = current?.item.number;

  const show = useCallback((next: number, how: NavigateOptions) => setSearch({ q: String(next) }, how), [setSearch]);
  useEffect(() => {
    // The question that opened without a number in the URL stays there, also once it is answered.
    if (number !== undefined && number !== requested) show(number, { replace: true });
  }, [number, requested, show]);

  const open = (next: Assignment, how: NavigateOptions = {}) => {
    if (number !== undefined && next.item.number !== number) setVisited([...visited, number]);
    show(next.item.number, how);
  };
  const nextOf = details.study.status !== "open" ? nextByNumber : nextOpenAfter;
  const [isAwaited, setIsAwaited] = useState(false);
  const openNext = (how: NavigateOptions = {}) => {
    setIsAwaited(false);
    const next = current && nextOf(assignments, current);
    if (next) open(next, how);
    else void navigate(batch.adjudication?.endPath ?? `/rank/${details.id}/end`);
  };
  useWhenTrue(isAwaited && !batch.isTakingMore, () => openNext());
  const hasNumber = (one: number) => assignments.some(({ item }) => item.number === one);
  const before = visited.findLast(hasNumber) ?? (current && previousByNumber(assignments, current)?.item.number);
  return {
    current,
    isReview: search.has("review"),
    open,
    openBlocked: (id: Id) => {
      const blocked = assignments.find((assignment) => assignment.id === id);
      if (blocked) open(blocked);
      else void navigate("/home"); // it is in another batch
    },
    isAwaited,
    openNext: () => {
      const next = current && nextOf(assignments, current);
      if (!next && batch.isTakingMore) setIsAwaited(true);
      // At once: a key that is pressed now is meant for the next question.
      else openNext({ flushSync: true });
    },
    openPrevious:
      before === undefined
        ? undefined
        : () => {
            setVisited(visited.filter(hasNumber).slice(0, -1));
            show(before, { flushSync: true });
          },
  };
}

/** Grows when the open answer was changed elsewhere: by another tab, or by accepting the saved one. */
function useRemountKey(
  current: Assignment | undefined,
  followRef: React.RefObject<((payload: Payload) => boolean) | null>,
): number {
  const [key, setKey] = useState(0);
  const response = current?.response;
  const id = current?.id;
  const last = useRef(id);
  const known = useMemo(() => ({ id, response }), [id, response]);
  useEffect(() => {
    const isOther = last.current !== known.id;
    last.current = known.id;
    if (!isOther && known.response && followRef.current?.(known.response.payload) === false) setKey((old) => old + 1);
  }, [known, followRef]);
  return key;
}
