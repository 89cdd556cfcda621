/** Whether single letters act on a focused candidate: a choice kept on this device (WCAG 2.1.4). */
import { useCallback, useState } from "react";

const KEY = "serendib-letter-keys";

function chosen(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch (error) {
    if (error instanceof DOMException) return true;
    throw error;
  }
}

function keep(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch (error) {
    // Storage is switched off: the choice holds for this page only.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function useLetterKeys(): [boolean, (on: boolean) => void] {
  const [letters, setLetters] = useState(chosen);
  const choose = useCallback((on: boolean) => {
    keep(on);
    setLetters(on);
  }, []);
  return [letters, choose];
}
