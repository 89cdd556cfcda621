/** Whether single letters act on a focused candidate: a choice kept on this device (WCAG 2.1.4). */
import { useCallback, useState } from "react";
import { deviceStorage } from "./storage";

const KEY = "serendib-letter-keys";

const isEnabled = () => deviceStorage.read(KEY) !== "off";

export function useShortcutSetting(): [boolean, (on: boolean) => void] {
  const [letters, setLetters] = useState(isEnabled);
  const choose = useCallback((on: boolean) => {
    deviceStorage.write(KEY, on ? "on" : "off");
    setLetters(on);
  }, []);
  return [letters, choose];
}
