/** Whether single letters act on a focused candidate: a choice kept on this device (WCAG 2.1.4). */
import { useCallback, useState } from "react";
import { onDevice } from "./storage";

const KEY = "serendib-letter-keys";

const chosen = () => onDevice.read(KEY) !== "off";

export function useLetterKeys(): [boolean, (on: boolean) => void] {
  const [letters, setLetters] = useState(chosen);
  const choose = useCallback((on: boolean) => {
    onDevice.keep(KEY, on ? "on" : "off");
    setLetters(on);
  }, []);
  return [letters, choose];
}
