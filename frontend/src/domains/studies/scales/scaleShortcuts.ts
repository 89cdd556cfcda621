import { isInside } from "@/domains/studies/shortcutTarget";
import type { StudyKind } from "@/domains/studies/studyKind";

/** The keys of the scales; the page adds its own. */
export const SHORTCUTS: StudyKind["shortcuts"] = {
  intro: "These keys act on the scale with the frame, which is the first one when a question appears.",
  general: [],
  singleKeys: [
    [["1", "5"], "rate the scale from 1 to 5, and go to the next"],
    [["↑", "↓"], "the scale before, the next one"],
    [["N"], "not sure: 1 to 4 choose the reason, Escape closes the reasons"],
    [["C"], "comment"],
  ],
  switchLabel: "Single letters, digits and arrows act",
  offText: "Off on this device. Use the buttons.",
};

export const isOnScales = isInside("[data-scales]");
