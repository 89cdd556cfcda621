import { ArrowLeft } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import styles from "./ActionBar.module.css";
import type { Ending } from "./useEnding";

interface Props {
  ending: Ending;
  armed: boolean;
  letters: boolean;
  closed: boolean;
  onBack?: () => void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Back left; what ends the question right, the one primary action last. */
export function ActionBar({ ending, armed, letters, closed, onBack }: Props) {
  const { guard, guarded } = useSecondClickGuard();
  return (
    <footer className={styles.bar} onMouseDownCapture={guard}>
      <Button look="quiet" size="large" onPress={() => onBack?.()} isDisabled={!onBack} aria-label="Back to the previous question">
        <ArrowLeft size={16} aria-hidden />
        <span className={styles.back}>Back</span>
      </Button>
      <p className={styles.hint}>{hint(armed, closed)}</p>
      <Button look="quiet" size="large" onPress={guarded(ending.skip)} isDisabled={closed}>
        Skip
      </Button>
      <Button size="large" onPress={() => ending.setAsking(true)} isDisabled={closed}>
        Not sure
        {letters && <Kbd>N</Kbd>}
      </Button>
      <div className={styles.primary} data-armed={armed || undefined}>
        <Button look="primary" size="large" onPress={guarded(ending.primary)} isDisabled={closed}>
          {ending.label}
          <Kbd>{armed ? "Enter" : isMac ? "⌘ ↵" : "Ctrl ↵"}</Kbd>
        </Button>
      </div>
    </footer>
  );
}

function hint(armed: boolean, closed: boolean): string {
  if (closed) return "This study is closed: answers can be read, not changed.";
  return armed ? "Press Enter to agree, any other key to go back" : "";
}

/** The second click of a double click lands on the next question, which she has not read. */
function useSecondClickGuard() {
  const clicks = useRef(1);
  return {
    guard: (event: React.MouseEvent) => {
      clicks.current = event.detail;
    },
    guarded: (act: () => void) => (event: { pointerType: string }) => {
      if (event.pointerType === "mouse" && clicks.current > 1) return;
      act();
    },
  };
}
