import { isInside } from "@/domains/studies/shortcutTarget";
import type { StudyKind } from "@/domains/studies/studyKind";

/** The keys of the claim; the page adds its own. */
export const SHORTCUTS: StudyKind["shortcuts"] = {
  intro: "These keys act while the claim has the focus, as it has when it appears.",
  general: [
    [["↓", "↑"], "the next, the previous sentence or edge"],
    [["Space"], "on a sentence or edge: mark it, or remove its mark; so does Enter"],
  ],
  singleKeys: [
    [["1"], "supported"],
    [["2"], "contradicted"],
    [["3"], "not enough evidence"],
    [["N"], "not sure"],
    [["J", "K"], "the next, the previous sentence or edge"],
    [["C"], "comment"],
  ],
  switchLabel: "Single letters and digits choose",
  offText: "Off on this device. Use the buttons.",
};

export const isOnClaim = isInside("[data-claim]");
