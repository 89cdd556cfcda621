import { isInside } from "@/domains/studies/shortcutTarget";
import type { StudyKind } from "@/domains/studies/studyKind";

/** The keys of the entity; the page adds its own. */
export const SHORTCUTS: StudyKind["shortcuts"] = {
  intro: "These keys act while the entity has the focus, as it has when it appears.",
  general: [[["Escape"], "in a field: back to the entity"]],
  singleKeys: [
    [["W"], "write the query"],
    [["N"], "no query is possible"],
    [["C"], "comment"],
  ],
  switchLabel: "Single letters act",
  offText: "Off on this device. Use the fields and buttons.",
};

export const isOnEntity = isInside("[data-entity]");
