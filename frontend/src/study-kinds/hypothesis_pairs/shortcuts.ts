import { isInside } from "@/domains/studies/shortcutTarget";
import type { StudyKind } from "@/domains/studies/studyKind";

/** The keys of the pair; the page adds its own. */
export const SHORTCUTS: StudyKind["shortcuts"] = {
  intro: "These keys act while the pair has the focus, as it has when it appears.",
  general: [[["↑", "↓"], "while you mark: the sentence before, the one after"]],
  singleKeys: [
    [["1", "2"], "A is much better, A is better"],
    [["3"], "tie"],
    [["4", "5"], "B is better, B is much better"],
    [["B"], "both bad"],
    [["N"], "not sure"],
    [["W"], "mark the sentence that decided; Enter marks it"],
    [["C"], "comment"],
  ],
  switchLabel: "Single letters and digits choose",
  offText: "Off on this device. Use the buttons.",
};

export const isOnPair = isInside("[data-pair]");
