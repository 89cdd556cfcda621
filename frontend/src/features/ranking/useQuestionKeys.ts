import { useEffect, useEffectEvent, useState } from "react";
import { isEndingChord, onCandidate } from "@/components/ranking/keys";
import type { Ending } from "./useEnding";

interface Parts {
  /** Whether single letters act while a candidate has focus. */
  letters: boolean;
  say: (words: string) => void;
  ending: Ending;
  onComment: () => void;
  onDefinition: () => void;
  onKeys: () => void;
}

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);
const SURFACES = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * The keys of the whole question. Agreeing takes two: A asks, and A again or Enter answers, so
 * that no single key ever ends a question; any other key, and any click, takes the asking back.
 * Ctrl or Cmd+Enter is the primary button, from anywhere. A key that is held down counts once.
 */
export function useQuestionKeys(parts: Parts): { armed: boolean } {
  const { letters, say, ending } = parts;
  const [armed, setArmed] = useState(false);

  function ask(): void {
    if (ending.way === "submit") return say("You have changed the order: Control and Enter submits it.");
    setArmed(true);
    say(`${ending.label}: press A again or Enter to confirm, any other key to go back.`);
  }

  const meanings: Record<string, () => void> = {
    a: armed ? ending.primary : ask,
    n: () => (ending.way === "next" ? undefined : ending.setAsking(true)),
    c: parts.onComment,
    h: parts.onDefinition,
    "?": parts.onKeys,
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key) || isElsewhere(event.target)) return;
    const act = actOf(event);
    if (!event.repeat) setArmed(false);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act();
  });

  function actOf(event: KeyboardEvent): (() => void) | undefined {
    if (isEndingChord(event)) return ending.primary;
    if (event.ctrlKey || event.metaKey || event.altKey || !onCandidate(event.target)) return undefined;
    if (event.key === "Enter" && armed) return ending.primary;
    return letters ? meanings[event.key.toLowerCase()] : undefined;
  }

  useEffect(() => {
    const disarm = () => setArmed(false);
    // Before the parts of the page: Enter that confirms must not press the button that has focus.
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", disarm, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", disarm, true);
    };
  }, []);
  return { armed: armed && ending.way !== "submit" };
}

/** In a dialog or a menu over the page, keys are its own. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(SURFACES) !== null;
}
