/** Which key means what while a candidate has focus. Letters can be turned off, the rest cannot. */

export type BoardKey =
  | { do: "focus"; by: 1 | -1 }
  | { do: "move"; by: 1 | -1 }
  | { do: "place"; rank: number }
  | { do: "tie" }
  | { do: "undo" }
  | { do: "redo" };

export type Key = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const ARROWS: Record<string, 1 | -1> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
/** With Alt, left and right are the browser's own: back and forward. */
const MOVES: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 };

export function boardKey(event: Key, letters: boolean): BoardKey | null {
  const by = (event.altKey ? MOVES : ARROWS)[event.key];
  const command = event.ctrlKey || event.metaKey;
  if (by && !command) return { do: event.altKey ? "move" : "focus", by };
  if (command && event.key.toLowerCase() === "z") return { do: event.shiftKey ? "redo" : "undo" };
  if (!letters || command || event.altKey) return null;
  return letterKey(event);
}

function letterKey({ key, shiftKey }: Key): BoardKey | null {
  if (/^[1-9]$/.test(key)) return { do: "place", rank: Number(key) };
  const meanings: Record<string, BoardKey> = {
    j: { do: "focus", by: 1 },
    k: { do: "focus", by: -1 },
    t: { do: "tie" },
    u: { do: shiftKey ? "redo" : "undo" },
  };
  return meanings[key.toLowerCase()] ?? null;
}

/** Whether the key was pressed on a candidate, and not in a field inside or beside it. */
export function onCandidate(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest("input, textarea, select")) return false;
  return target.closest("[data-candidate]") !== null;
}

/** Ctrl or Cmd with Enter opens a link beside this page; it ends a question from anywhere else. */
export function isEndingChord(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "target">): boolean {
  const onLink = event.target instanceof Element && event.target.closest("a[href]") !== null;
  return event.key === "Enter" && (event.ctrlKey || event.metaKey) && !onLink;
}
