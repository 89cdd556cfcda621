/** Ratings: an object is rated on up to six scales from 1 to 5. */
import { CircleHelp, Gauge } from "lucide-react";
import { lazy } from "react";
import {
  answerDifferences,
  emptyAnswer,
  isSameAnswer,
  submissionOf,
  summarizeAnswer,
  unsureDetail,
} from "@/domains/studies/scales/scaledAnswer";
import { scaleDashboard } from "@/domains/studies/scales/scaleDashboard";
import { isOnScales, SHORTCUTS } from "@/domains/studies/scales/scaleShortcuts";
import { defineStudyKind } from "@/domains/studies/studyKind";
import type { RatingsAnswer, RatingsItem } from "./answer";

export const kind = defineStudyKind<RatingsItem, RatingsAnswer>({
  name: "ratings",
  title: "Ratings: rate on scales",
  answerVerdicts: "Rating from 1 to 5",
  comparesQueries: true,
  interface: "ratings-1",
  outcomes: [
    { name: "rated", label: "rated", title: "Rated", verb: "rate it", icon: Gauge, tone: "good" },
    { name: "not_sure", label: "not sure", title: "Not sure", verb: "are not sure", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: {
    ...scaleDashboard<RatingsItem, RatingsAnswer>(
      lazy(async () => ({ default: (await import("@/domains/studies/scales/ScaleComparison")).ScaleComparison })),
    ),
    Statistics: lazy(async () => ({ default: (await import("./scores/JudgedScores")).JudgedScores })),
  },
  Editor: lazy(async () => ({ default: (await import("./RatingsEditor")).RatingsEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyRatings")).ReadOnlyRatings })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: [
    "Each rating you submit, the reasons where you are not sure, and your comment.",
    "Each step on the way: what you rated, changed, and when.",
  ],
  definition: {
    heading: "What a rating means",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: SHORTCUTS,
  changedMessage: "Rate with 1 to 5, or N. Ctrl and Enter submits.",
  alternative: null,
  practice: {
    linkLabel: "Try a practice text",
    Player: lazy(async () => ({ default: (await import("./practice/PracticeRatings")).PracticeRatings })),
  },
  planning: { judgement: "ratings", label: "Ratings from 1 to 5", items: "Items" },
  isShortcutTarget: isOnScales,
  submission: (item, answer) => submissionOf(item, answer, "Submit my ratings"),
  forSubmission: (answer) => answer,
  submissionDetail: ({ levels, unsure }) => ({ levels, unsure }),
  isSame: isSameAnswer,
  differences: answerDifferences,
  summarize: summarizeAnswer,
  outcomeDetail: unsureDetail,
  evidenceSubjects: () => [],
  emptyPayload: emptyAnswer,
});
