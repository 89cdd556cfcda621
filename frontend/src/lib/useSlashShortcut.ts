import { useEffectEvent, useLayoutEffect } from "react";
import { useShortcutSetting } from "./shortcutSetting";

/** '/' goes to the search, unless single letters are switched off or one is writing. */
export function useSlashShortcut(go: () => void) {
  const [letters] = useShortcutSetting();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const writing = (event.target as HTMLElement | null)?.closest("input, textarea, select, [role=dialog]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writing) return;
    event.preventDefault();
    go();
  });
  // Before the page is shown: who sees the field may press the key.
  useLayoutEffect(() => {
    if (!letters) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [letters]);
}
