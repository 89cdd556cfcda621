import { useEffect, useEffectEvent, useState } from "react";
import { isEndingChord, onCandidate } from "@/components/ranking/keys";
import { isMac } from "@/lib/device";
import type { Ending, Way } from "./useEnding";

interface Parts {
  /** Whether single letters act while a candidate has focus. */
  letters: boolean;
  say: (words: string) => void;
  ending: Ending;
  onComment: () => void;
  onDefinition: () => void;
  onKeys: () => void;
}

export const CHANGED = `You changed the order: ${isMac ? "⌘" : "Ctrl"} and Enter submits it`;

const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta"]);
const SURFACES = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/**
 * The keys of the whole question. Agreeing takes two: A asks, and A again or Enter answers, so
 * that no single key ever ends a question; any other key, and any click, takes the asking back.
 * Ctrl or Cmd+Enter is the primary button, from anywhere. A key that is held down counts once.
 */
export function useQuestionKeys(parts: Parts): { armed: boolean; refused: boolean } {
  const { letters, say, ending } = parts;
  const [asked, setAsked] = useState<Way | null>(null);
  const armed = asked === ending.way && asked !== "submit";

  function ask(): void {
    setAsked(ending.way);
    if (ending.way === "submit") return say(CHANGED);
    say(`${ending.label}: press A again or Enter to confirm, any other key to go back.`);
  }

  const meanings: Record<string, () => void> = {
    a: armed ? ending.primary : ask,
    n: () => (ending.way === "next" ? undefined : ending.setAsking(true)),
    c: parts.onComment,
    h: parts.onDefinition,
    "?": parts.onKeys,
  };

  function actOf(event: KeyboardEvent): (() => void) | undefined {
    if (isEndingChord(event)) return ending.primary;
    if (event.ctrlKey || event.metaKey || event.altKey || !onCandidate(event.target)) return undefined;
    if (event.key === "Enter" && armed) return ending.primary;
    return letters ? meanings[event.key.toLowerCase()] : undefined;
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (MODIFIERS.has(event.key) || isElsewhere(event.target)) return;
    const act = actOf(event);
    if (!event.repeat) setAsked(null);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act();
  });

  useEffect(() => {
    const disarm = () => setAsked(null);
    // Before the parts of the page: Enter that confirms must not press the button that has focus.
    window.addEventListener("keydown", onKey, true);
    window.addEventListener("pointerdown", disarm, true);
    return () => {
      window.removeEventListener("keydown", onKey, true);
      window.removeEventListener("pointerdown", disarm, true);
    };
  }, []);
  return { armed, refused: asked === "submit" && ending.way === "submit" };
}

/** In a dialog or a menu over the page, keys are its own. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(SURFACES) !== null;
}
