import { X } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useRef, type RefObject } from "react";
import type { Assignment, GuidelineText, Id } from "@/api/contract";
import { Button } from "@/components/Button";
import { PartFailed } from "@/components/PartFailed";
import { SegmentedControl } from "@/components/SegmentedControl";
import { GuidelineBody } from "@/domains/studies/guidelines/GuidelineBody";
import { moveByArrow } from "@/domains/studies/marks/evidenceFocus";
import type { Marking } from "@/domains/studies/marks/marks";
import type { StudyKind } from "@/domains/studies/studyKind";
import { Part, usePart } from "@/lib/part";
import { useMediaQuery } from "@/lib/useMediaQuery";
import type { PanelProps } from "./DialogPanel";
import { EVIDENCE_ID, EvidenceView, MarkingContext, type CandidateFocusTracker, type EventRecorder, type PinnedGraph } from "./evidence";
import { QuestionList } from "./QuestionList";
import { ShortcutList } from "./ShortcutList";
import styles from "./SidePanel.module.css";
import { INLINE_PANEL_QUERY, type SidePanelState, type SidePanelTab } from "./useSidePanel";

export const panelPart = new Part(() => import("./DialogPanel"));

const EVIDENCE_TAB = { value: "evidence", label: "Evidence" } as const;
const GUIDELINES_TAB = { value: "guidelines", label: "Guidelines" } as const;
const TABS: { value: SidePanelTab; label: string }[] = [
  { value: "definition", label: "Definition" },
  { value: "questions", label: "Questions" },
  { value: "shortcuts", label: "Keys" },
];

interface Props {
  kind: StudyKind;
  panel: SidePanelState;
  /** The newest of the study; without them there is no tab for them. */
  guidelines: GuidelineText | null | undefined;
  assignments: Assignment[];
  current: Assignment | undefined;
  blocked: ReadonlySet<Id>;
  onOpen: (assignment: Assignment) => void;
  evidence: {
    /** Without a graph there is no evidence, and no tab for it. */
    graph: PinnedGraph | null | undefined;
    focus: CandidateFocusTracker;
    recorder: RefObject<EventRecorder | null>;
    marking: Marking | null;
  };
  /** Takes the focus where the element that had it before is gone. */
  onLeave: () => void;
  shortcutsEnabled: boolean;
  onShortcutsEnabledChange: (on: boolean) => void;
}

/** Beside the answer on a wide screen, so that it does not move; else over the page. */
export function SidePanel(props: Props) {
  const { kind, panel, guidelines, assignments, current, blocked, evidence, onLeave } = props;
  const isInline = useMediaQuery(INLINE_PANEL_QUERY);
  const { module, hasFailed } = usePart(panelPart, !isInline && panel.tab !== null);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const { tab: view } = panel;
  if (!view) return null;
  const close = () => {
    panel.close();
    if (panel.returnsToEvidence) onLeave();
  };
  const open = (assignment: Assignment) => {
    if (!isInline) close();
    props.onOpen(assignment);
  };
  const { graph, marking, ...tracking } = evidence;
  const tabs = [...(graph ? [EVIDENCE_TAB] : []), ...(guidelines ? [GUIDELINES_TAB] : []), ...TABS.filter(({ value }) => value !== "shortcuts" || !isTouch)];
  const content = (
    <>
      <div className={styles.head}>
        <SegmentedControl label="What to show here" options={tabs} value={view} onChange={panel.open} />
        <Button variant="quiet" size="icon" onPress={close} aria-label="Close"><X size={18} aria-hidden /></Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among what can be marked inside */}
      <div
        id={view === "evidence" ? EVIDENCE_ID : undefined}
        className={styles.body}
        tabIndex={0}
        role="region"
        aria-label={tabs.find(({ value }) => value === view)?.label}
        onKeyDown={moveByArrow}
      >
        {view === "evidence" && graph && current && (
          <MarkingContext value={marking}>
            <EvidenceView
              key={current.id}
              assignment={current.id}
              subjects={kind.evidenceSubjects(current.item)}
              graph={graph}
              {...tracking}
            />
          </MarkingContext>
        )}
        {view === "guidelines" && guidelines && <GuidelineBody guidelines={guidelines} />}
        {view === "definition" && <Suspense><kind.definition.Text /></Suspense>}
        {view === "questions" && <QuestionList kind={kind} assignments={assignments} current={current} blocked={blocked} onOpen={open} />}
        {view === "shortcuts" && (
          <ShortcutList
            kind={kind}
            shortcutsEnabled={props.shortcutsEnabled}
            onShortcutsEnabledChange={props.onShortcutsEnabledChange}
          />
        )}
      </div>
    </>
  );
  if (isInline) return <InlinePanel onClose={close} onLeave={onLeave} keepsFocus={view === "evidence"}>{content}</InlinePanel>;
  if (module) return <module.DialogPanel onClose={close}>{content}</module.DialogPanel>;
  return hasFailed && <PartFailed onRetry={panelPart.load} />;
}

interface InlinePanelProps extends PanelProps, Pick<Props, "onLeave"> {
  /** Evidence is read while a part of the answer has the focus. */
  keepsFocus: boolean;
}

function InlinePanel({ onClose, onLeave, keepsFocus, children }: InlinePanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // What takes the place of the evidence is read by whoever opened it; its own tabs keep the focus.
    if (!keepsFocus && !panel.current?.contains(document.activeElement)) panel.current?.focus();
  }, [keepsFocus]);
  const restoreFocus = useEffectEvent(onLeave);
  const enter = useEffectEvent(() => {
    const before = keepsFocus ? null : (document.activeElement as HTMLElement | null);
    if (!keepsFocus) panel.current?.focus();
    return before;
  });
  useEffect(() => {
    const before = enter();
    return () => {
      // The focus was in the panel; focus elsewhere stays where it is.
      if (document.activeElement !== document.body) return;
      if (before?.isConnected) before.focus();
      else restoreFocus();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any part
    <aside
      ref={panel}
      className={styles.beside}
      aria-label="Help and questions"
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      {children}
    </aside>
  );
}
