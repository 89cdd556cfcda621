import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { isMac } from "@/lib/device";
import styles from "./ActionBar.module.css";
import { ARRIVAL_MS, type Ending, type Way } from "./useEnding";
import { CHANGED } from "./useQuestionKeys";

interface Props {
  ending: Ending;
  armed: boolean;
  /** Whether she asked to agree with an order that she has changed. */
  refused: boolean;
  letters: boolean;
  onBack?: () => void;
}

/** Back left; what ends the question right, the one primary action last. */
export function ActionBar({ ending, armed, refused, letters, onBack }: Props) {
  const arriving = useArriving();
  const isClosed = ending.way === "next";
  return (
    <footer className={styles.bar}>
      <Button look="quiet" size="large" onPress={() => onBack?.()} isDisabled={!onBack} aria-label="Back to the previous question">
        <ArrowLeft size={16} aria-hidden />
        <span className={styles.back}>Back</span>
      </Button>
      <p className={styles.hint}>{refused ? CHANGED : hint(armed, ending.way)}</p>
      {!isClosed && (
        <>
          <Button look="quiet" size="large" isPending={arriving} onPress={ending.skip}>
            Skip
          </Button>
          <Button size="large" onPress={() => ending.setAsking(true)}>
            Not sure
            {letters && <Kbd>N</Kbd>}
          </Button>
        </>
      )}
      <div className={styles.primary} data-armed={armed || undefined}>
        <Button look="primary" size="large" isPending={arriving} onPress={ending.primary}>
          {ending.label}
          <Kbd>{armed ? "Enter" : isMac ? "⌘ ↵" : "Ctrl ↵"}</Kbd>
        </Button>
      </div>
    </footer>
  );
}

function hint(armed: boolean, way: Way): string {
  if (way === "next") return "This study is closed: answers can be read, not changed.";
  if (!armed) return "";
  return `Press Enter to ${way === "keep" ? "keep it" : "agree"}, any other key to go back`;
}

function useArriving(): boolean {
  const [arriving, setArriving] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setArriving(false), ARRIVAL_MS);
    return () => clearTimeout(timer);
  }, []);
  return arriving;
}
