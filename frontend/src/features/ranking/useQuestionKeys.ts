import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from "react";
import { onCandidate } from "@/components/ranking/keys";
import type { Ending } from "./useEnding";

interface Parts {
  letters: boolean;
  agrees: boolean;
  say: (words: string) => void;
  ending: Ending;
  onComment: () => void;
  onDefinition: () => void;
}

const ARMED = "You agree with this order: press Enter or A to submit that, any other key to go back.";
const isAgree = (key: string) => key.toLowerCase() === "a";

/**
 * The keys of the whole question. Agreeing takes two: A asks, and Enter or A again answers, so
 * that no single key ever ends a question. Ctrl or Cmd+Enter is the primary button, from anywhere.
 */
export function useQuestionKeys({ letters, agrees, say, ending, onComment, onDefinition }: Parts) {
  const [armed, setArmed] = useState(false);

  const primary = useRef(ending.primary);
  primary.current = ending.primary;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isPrimary = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (!isPrimary || event.repeat || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      primary.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  function arm(): void {
    if (!agrees) return say("You have changed the order: Control and Enter submits it.");
    setArmed(true);
    say(ARMED);
  }

  function letter(key: string): boolean {
    const meanings: Record<string, () => void> = {
      a: arm,
      n: () => ending.setAsking(true),
      c: onComment,
      h: onDefinition,
      "?": onDefinition,
    };
    const act = meanings[key.toLowerCase()];
    act?.();
    return act !== undefined;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const onCard = (event.target as HTMLElement).dataset.part === "card";
    if (armed && onCard && (event.key === "Enter" || isAgree(event.key))) {
      event.preventDefault();
      return ending.primary();
    }
    setArmed(false);
    if (event.defaultPrevented || !letters || !onCandidate(event.target)) return;
    if (letter(event.key)) event.preventDefault();
  }

  return {
    armed: armed && agrees,
    onKeyDown,
    /** Focus that leaves the candidate takes its question back. */
    disarm: (event: FocusEvent) => {
      if (event.target !== event.relatedTarget) setArmed(false);
    },
  };
}
