/** Light or dark: the system's choice until the reader makes her own, kept on this device. */
import { useSyncExternalStore } from "react";
import { onDevice } from "./storage";

export type Theme = "system" | "light" | "dark";

const KEY = "serendib-theme";
const dark = () => window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function chosenTheme(): Theme {
  const kept = onDevice.read(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  const shown = theme === "system" ? (dark().matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = shown;
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") onDevice.forget(KEY);
  else onDevice.keep(KEY, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function followSystemTheme(): void {
  applyTheme();
  dark().addEventListener("change", () => applyTheme());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}
