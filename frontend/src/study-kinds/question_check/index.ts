/** Checks of questions: grammar, clarity and relevance are rated, and the wording can be corrected. */
import { CircleHelp, SpellCheck } from "lucide-react";
import { lazy } from "react";
import { answerDifferences, submissionOf, summarizeAnswer, unsureDetail } from "@/domains/studies/scales/scaledAnswer";
import { scaleDashboard } from "@/domains/studies/scales/scaleDashboard";
import { isOnScales, SHORTCUTS } from "@/domains/studies/scales/scaleShortcuts";
import { defineStudyKind } from "@/domains/studies/studyKind";
import { correctionLines, emptyAnswer, isSameAnswer, type QuestionCheckAnswer, type QuestionCheckItem } from "./answer";

export const kind = defineStudyKind<QuestionCheckItem, QuestionCheckAnswer>({
  name: "question_check",
  title: "Checks of questions",
  interface: "check-1",
  outcomes: [
    { name: "rated", label: "checked", title: "Checked", verb: "check it", icon: SpellCheck, tone: "good" },
    { name: "not_sure", label: "not sure", title: "Not sure", verb: "are not sure", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: scaleDashboard<QuestionCheckItem, QuestionCheckAnswer>(
    lazy(async () => ({ default: (await import("./CheckComparison")).CheckComparison })),
  ),
  Editor: lazy(async () => ({ default: (await import("./CheckEditor")).CheckEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyCheck")).ReadOnlyCheck })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: [
    "Each rating you submit, the reasons where you are not sure, your wording and your comment.",
    "Each step on the way: what you rated, changed, and when.",
  ],
  definition: {
    heading: "What is checked",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: { ...SHORTCUTS, singleKeys: [...SHORTCUTS.singleKeys, [["W"], "correct the wording; Escape goes back"]] },
  changedMessage: "Rate with 1 to 5, or N. Ctrl and Enter submits.",
  alternative: null,
  practice: {
    linkLabel: "Check a practice question",
    Player: lazy(async () => ({ default: (await import("./practice/PracticeCheck")).PracticeCheck })),
  },
  isShortcutTarget: isOnScales,
  submission: (item, answer) => submissionOf(item, answer, "Submit my check"),
  forSubmission: (answer) => answer,
  submissionDetail: ({ levels, unsure, correction }) => ({ levels, unsure, correction }),
  isSame: isSameAnswer,
  differences: (item, local, saved) => answerDifferences(item, local, saved, [correctionLines(local), correctionLines(saved)]),
  summarize: (item, answer) => summarizeAnswer(item, answer, correctionLines(answer)),
  outcomeDetail: unsureDetail,
  evidenceSubjects: () => [],
  emptyPayload: emptyAnswer,
});
