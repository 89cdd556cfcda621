import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import type { EditorHandle, StudyKind } from "@/domains/studies/studyKind";
import { isSubmitChord } from "@/domains/studies/submitChord";
import type { PrimaryAction, Submission } from "./useSubmission";

interface ShortcutHandlers {
  kind: StudyKind;
  /** Whether single letters act while a part of the answer has focus. */
  shortcutsEnabled: boolean;
  announce: (message: string) => void;
  submission: Submission;
  editor: RefObject<EditorHandle | null>;
  onDefinition: () => void;
  /** Only where the study has a graph. */
  onEvidence?: () => void;
  /** Only where what decided can be marked beside the question. */
  onMark?: () => void;
  onShortcuts: () => void;
}

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);
const OVERLAY_SELECTOR = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * The keys of the whole question. Agreeing takes two: A requests confirmation, and A again or Enter
 * confirms, so that no single key ends a question; any other key, and any click, cancels it.
 * Ctrl or Cmd+Enter is the primary button, from anywhere. A key that is held down counts once.
 */
export function useQuestionShortcuts(handlers: ShortcutHandlers): { isConfirmingAgree: boolean; isBlocked: boolean } {
  const { kind, shortcutsEnabled, announce, submission, editor } = handlers;
  const [requested, setRequested] = useState<PrimaryAction | null>(null);
  const isConfirmingAgree = requested === submission.action && requested !== "submit";

  function requestConfirm(): void {
    setRequested(submission.action);
    if (submission.action === "submit") return announce(kind.changedMessage);
    announce(`${submission.label}: press A again or Enter to confirm, any other key to go back.`);
  }

  function singleKeyHandlers(): Record<string, () => void> {
    const { alternative } = kind;
    return {
      ...editor.current?.shortcuts,
      a: isConfirmingAgree ? submission.primary : requestConfirm,
      ...(alternative && submission.action !== "next" && { [alternative.key]: () => submission.alternative.setOpen(true) }),
      ...(handlers.onEvidence && { e: handlers.onEvidence }),
      ...(handlers.onMark && { w: handlers.onMark }),
      h: handlers.onDefinition,
      "?": handlers.onShortcuts,
    };
  }

  function handlerFor(event: KeyboardEvent): (() => void) | undefined {
    if (isSubmitChord(event)) return submission.primary;
    if (event.ctrlKey || event.metaKey || event.altKey || !kind.isShortcutTarget(event.target)) return undefined;
    if (event.key === "Enter" && isConfirmingAgree) return submission.primary;
    return shortcutsEnabled ? singleKeyHandlers()[event.key.toLowerCase()] : undefined;
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key) || isInOverlay(event.target)) return;
    const handler = handlerFor(event);
    if (!event.repeat) setRequested(null);
    if (!handler) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) handler();
  });

  useEffect(() => {
    const cancelConfirm = () => setRequested(null);
    // Before the parts of the page: Enter that confirms must not press the button that has focus.
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", cancelConfirm, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", cancelConfirm, true);
    };
  }, []);
  return { isConfirmingAgree, isBlocked: requested === "submit" && submission.action === "submit" };
}

/** A dialog or menu over the page handles its own keys. */
function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(OVERLAY_SELECTOR) !== null;
}
