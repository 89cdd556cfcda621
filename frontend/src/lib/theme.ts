/** Light or dark: the system's setting unless the user chooses one, which is stored on this device. */
import { useSyncExternalStore } from "react";
import { deviceStorage } from "./storage";

export type Theme = "system" | "light" | "dark";

const KEY = "serendib-theme";
const darkQuery = () => window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  const stored = deviceStorage.read(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(theme: Theme = storedTheme()): void {
  const shown = theme === "system" ? (darkQuery().matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = shown;
}

export function setTheme(theme: Theme): void {
  if (theme === "system") deviceStorage.remove(KEY);
  else deviceStorage.write(KEY, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function followSystemTheme(): void {
  applyTheme();
  darkQuery().addEventListener("change", () => applyTheme());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, storedTheme);
}
