/** Hypothesis pairs: the better of two hypotheses with rationales is chosen, on sides that alternate. */
import { CircleHelp, Equal, PanelLeft, PanelRight, ThumbsDown } from "lucide-react";
import { lazy } from "react";
import { defineStudyKind } from "@/domains/studies/studyKind";
import {
  answerDifferences,
  emptyAnswer,
  forSubmission,
  isSameAnswer,
  submissionOf,
  summarizeAnswer,
  type PairAnswer,
  type PairItem,
} from "./answer";
import { DASHBOARD } from "./dashboard";
import { isOnPair, SHORTCUTS } from "./shortcuts";

export const kind = defineStudyKind<PairItem, PairAnswer>({
  name: "hypothesis_pairs",
  title: "Hypothesis pairs: choose the better",
  interface: "pair-1",
  outcomes: [
    { name: "a", label: "A is better", title: "Left better", verb: "prefer A, on the left", icon: PanelLeft, tone: "good" },
    { name: "tie", label: "tie", title: "Tie", verb: "see a tie", icon: Equal, tone: "good" },
    { name: "b", label: "B is better", title: "Right better", verb: "prefer B, on the right", icon: PanelRight, tone: "good" },
    { name: "both_bad", label: "both bad", title: "Both bad", verb: "find both bad", icon: ThumbsDown, tone: "good" },
    { name: "not_sure", label: "not sure", title: "Not sure", verb: "are not sure", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: DASHBOARD,
  Editor: lazy(async () => ({ default: (await import("./PairEditor")).PairEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyPair")).ReadOnlyPair })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: [
    "Each choice you submit, the sentence you marked and your comment.",
    "Each step on the way: what you chose, marked and took back, and when; whether you opened the background.",
    "On which side each hypothesis was shown to you.",
  ],
  definition: {
    heading: "What a better hypothesis is",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: SHORTCUTS,
  changedMessage: "Choose with 1 to 5, B or N. Ctrl and Enter submits.",
  alternative: null,
  practice: {
    linkLabel: "Try a practice pair",
    Player: lazy(async () => ({ default: (await import("./practice/PracticePair")).PracticePair })),
  },
  planning: {
    judgement: "pairs",
    label: "Pairs",
    items: "Pairs",
    field: { name: "preference", label: "Expected preference, in %", hint: "The share of judgements for the better side." },
  },
  isShortcutTarget: isOnPair,
  submission: (_, answer) => submissionOf(answer),
  forSubmission,
  submissionDetail: ({ choice, because }) => ({ choice, because }),
  isSame: isSameAnswer,
  differences: answerDifferences,
  summarize: summarizeAnswer,
  outcomeDetail: () => "",
  evidenceSubjects: () => [],
  emptyPayload: emptyAnswer,
});
