/** Which key means what while a candidate has focus. Letters can be turned off, the rest cannot. */

export type BoardShortcut =
  | { do: "focus"; by: 1 | -1 }
  | { do: "move"; by: 1 | -1 }
  | { do: "place"; rank: number }
  | { do: "tie" }
  | { do: "undo" }
  | { do: "redo" };

export type KeyPress = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const ARROWS: Record<string, 1 | -1> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
/** With Alt, left and right are the browser's own: back and forward. */
const MOVE_KEYS: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 };

export function boardShortcut(event: KeyPress, shortcutsEnabled: boolean): BoardShortcut | null {
  const by = (event.altKey ? MOVE_KEYS : ARROWS)[event.key];
  const command = event.ctrlKey || event.metaKey;
  if (by && !command) return { do: event.altKey ? "move" : "focus", by };
  if (command && event.key.toLowerCase() === "z") return { do: event.shiftKey ? "redo" : "undo" };
  if (!shortcutsEnabled || command || event.altKey) return null;
  return singleKeyShortcut(event);
}

function singleKeyShortcut({ key, shiftKey }: KeyPress): BoardShortcut | null {
  if (/^[1-9]$/.test(key)) return { do: "place", rank: Number(key) };
  const meanings: Record<string, BoardShortcut> = {
    j: { do: "focus", by: 1 },
    k: { do: "focus", by: -1 },
    t: { do: "tie" },
    u: { do: shiftKey ? "redo" : "undo" },
  };
  return meanings[key.toLowerCase()] ?? null;
}

/** Whether the key was pressed on a candidate, and not in a field inside or beside it. */
export function isOnCandidate(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest("input, textarea, select")) return false;
  return target.closest("[data-candidate]") !== null;
}
