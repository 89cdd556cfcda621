/** Ranking studies: candidates are put in order, starting from a prior order or from an arbitrary one. */
import { CircleCheck, CircleHelp, ListOrdered, Replace } from "lucide-react";
import { lazy } from "react";
import { defineStudyKind } from "@/domains/studies/studyKind";
import { isMac } from "@/lib/platform";
import {
  answerDifferences,
  emptyAnswer,
  forSubmission,
  isSameAnswer,
  marksOf,
  submissionDetail,
  submissionInfo,
  summarizeAnswer,
  unsureDetail,
  withMark,
  type RankingAnswer,
  type RankingItem,
} from "./answer";
import { isOnCandidate } from "./board/boardShortcuts";
import { DASHBOARD } from "./dashboard";
import { RECORDED_DATA } from "./labels";
import { SHORTCUTS } from "./shortcuts";

export const kind = defineStudyKind<RankingItem, RankingAnswer>({
  name: "ranking",
  title: "Ranking: put answers in order",
  isDefault: true,
  interface: "rank-3",
  outcomes: [
    { name: "confirmed", label: "agreed", title: "Agreed", verb: "agree with the order shown", icon: CircleCheck, tone: "good" },
    { name: "changed", label: "order changed", title: "Changed", verb: "change it", icon: Replace, tone: "good" },
    { name: "ranked", label: "ranked", title: "Ranked", verb: "rank without an order shown", icon: ListOrdered, tone: "good" },
    { name: "not_sure", label: "not sure", title: "Not sure", verb: "are not sure", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: DASHBOARD,
  Editor: lazy(async () => ({ default: (await import("./RankingEditor")).RankingEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyAnswer")).ReadOnlyAnswer })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: RECORDED_DATA,
  definition: {
    heading: "What serendipitous means here",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: SHORTCUTS,
  changedMessage: `You changed the order: ${isMac ? "⌘" : "Ctrl"} and Enter submits it`,
  alternative: {
    label: "Not sure",
    key: "n",
    outcome: "not_sure",
    step: "not_sure",
    Dialog: lazy(async () => ({ default: (await import("./NotSureDialog")).NotSureDialog })),
  },
  practice: {
    linkLabel: "Rank a practice question",
    Player: lazy(async () => ({ default: (await import("./practice/PracticePlayer")).PracticePlayer })),
    Measure: lazy(async () => ({ default: (await import("./practice/WeightTriangle")).WeightTriangle })),
  },
  marking: { marks: marksOf, toggle: withMark },
  planning: {
    judgement: "rankings",
    label: "Rankings",
    items: "Questions",
    field: { name: "candidates", label: "Candidates of a question" },
  },
  isShortcutTarget: isOnCandidate,
  submission: submissionInfo,
  forSubmission,
  submissionDetail,
  isSame: isSameAnswer,
  differences: answerDifferences,
  summarize: summarizeAnswer,
  outcomeDetail: unsureDetail,
  evidenceSubjects: ({ candidates }) => candidates,
  emptyPayload: emptyAnswer,
});
