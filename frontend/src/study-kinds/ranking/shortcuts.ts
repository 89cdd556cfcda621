import type { StudyKind } from "@/domains/studies/studyKind";

/** The keys of the candidates; the page adds its own. */
export const SHORTCUTS: StudyKind["shortcuts"] = {
  intro: "A candidate that has focus has a blue ring. These keys act on it.",
  general: [
    [["↑", "↓"], "the candidate before, the one after"],
    [["Alt ↑", "Alt ↓"], "move it up, move it down"],
    [["Ctrl Z"], "undo; with Shift, redo"],
  ],
  singleKeys: [
    [["J", "K"], "the candidate after, the one before"],
    [["1 to 9"], "place it at this rank"],
    [["T"], "tie it with the one above, or untie"],
    [["U", "Shift U"], "undo, redo"],
    [["S", "1 to 5"], "one after the other: how sure you are"],
    [["C"], "comment and reasons"],
    [["W"], "to the paths beside it: ↑ and ↓ go through them, Enter marks what decided"],
  ],
  switchLabel: "Single letters and digits act on a candidate",
  offText: "Off on this device. Use the buttons, or drag.",
};
