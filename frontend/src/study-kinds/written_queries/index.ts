/** Written queries: an entity is explored, and a query written that it answers, without its name. */
import { CircleSlash, PenLine } from "lucide-react";
import { lazy } from "react";
import { defineStudyKind } from "@/domains/studies/studyKind";
import {
  answerDifferences,
  emptyAnswer,
  forSubmission,
  isSameAnswer,
  submissionOf,
  summarizeAnswer,
  type WrittenQueryAnswer,
  type WrittenQueryItem,
} from "./answer";
import { DASHBOARD } from "./dashboard";
import { isOnEntity, SHORTCUTS } from "./shortcuts";

export const kind = defineStudyKind<WrittenQueryItem, WrittenQueryAnswer>({
  name: "written_queries",
  title: "Written queries: describe an entity without its name",
  interface: "query-1",
  outcomes: [
    { name: "written", label: "written", title: "Written", verb: "wrote a query", icon: PenLine, tone: "good" },
    { name: "impossible", label: "not possible", title: "Not possible", verb: "find no query possible", icon: CircleSlash, tone: "warn" },
  ],
  dashboard: DASHBOARD,
  Editor: lazy(async () => ({ default: (await import("./QueryEditor")).QueryEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyQuery")).ReadOnlyQuery })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: [
    "Each query you submit and your comment. Queries may be published without your name.",
    "Each step on the way: what you wrote and changed, and when.",
  ],
  definition: {
    heading: "What a good query is",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: SHORTCUTS,
  changedMessage: "Write with W, or press N if no query is possible. Ctrl and Enter submits.",
  alternative: null,
  practice: {
    linkLabel: "Write a practice query",
    Player: lazy(async () => ({ default: (await import("./practice/PracticeQuery")).PracticeQuery })),
  },
  isShortcutTarget: isOnEntity,
  submission: submissionOf,
  forSubmission,
  submissionDetail: ({ query, is_impossible }) => ({ query, is_impossible }),
  isSame: isSameAnswer,
  differences: answerDifferences,
  summarize: summarizeAnswer,
  outcomeDetail: () => "",
  evidenceSubjects: () => [],
  emptyPayload: emptyAnswer,
});
