import { useState } from "react";
import { deviceStorage } from "@/lib/storage";
import { useMediaQuery } from "@/lib/useMediaQuery";

export type SidePanelTab = "evidence" | "definition" | "guidelines" | "questions" | "shortcuts";

/** As wide as this, the panel stands beside the answer; else it lies over the page. */
export const INLINE_PANEL_QUERY = "(min-width: 1024px)";

const STORAGE_KEY = "serendib-evidence";

export interface SidePanelState {
  tab: SidePanelTab | null;
  open: (tab: SidePanelTab) => void;
  close: () => void;
  /** Whether evidence takes the place of what is closed. */
  returnsToEvidence: boolean;
}

/** Evidence stands beside the answer from the start, until it is closed on this device; the rest is opened over it. */
export function useSidePanel({ isReview, hasEvidence }: { isReview: boolean; hasEvidence: boolean }): SidePanelState {
  const isInline = useMediaQuery(INLINE_PANEL_QUERY);
  const [isEvidenceOpen, setEvidenceOpen] = useState(() => deviceStorage.read(STORAGE_KEY) !== "closed");
  const [opened, setOpened] = useState<SidePanelTab | null>(isReview ? "questions" : null);
  const resting = hasEvidence && isInline && isEvidenceOpen ? "evidence" : null;
  const rememberEvidence = (isOpen: boolean) => {
    deviceStorage.write(STORAGE_KEY, isOpen ? "open" : "closed");
    setEvidenceOpen(isOpen);
  };
  return {
    tab: opened ?? resting,
    open: (tab) => {
      const isResting = tab === "evidence" && isInline;
      if (isResting) rememberEvidence(true);
      setOpened(isResting ? null : tab);
    },
    close: () => (opened ? setOpened(null) : rememberEvidence(false)),
    returnsToEvidence: opened !== null && resting !== null,
  };
}
