/** Claims: each is verified against the documents and edges found for it, and what decides is marked. */
import { CircleCheck, CircleDashed, CircleHelp, CircleX } from "lucide-react";
import { lazy } from "react";
import { defineStudyKind } from "@/domains/studies/studyKind";
import {
  answerDifferences,
  emptyAnswer,
  forSubmission,
  isSameAnswer,
  submissionOf,
  summarizeAnswer,
  type ClaimAnswer,
  type ClaimItem,
} from "./answer";
import { DASHBOARD } from "./dashboard";
import { isOnClaim, SHORTCUTS } from "./shortcuts";

export const kind = defineStudyKind<ClaimItem, ClaimAnswer>({
  name: "claims",
  title: "Claims: verify against evidence",
  answerVerdicts: "Claims: supported or contradicted",
  ownEvidence: "Each claim carries its own evidence, the documents and edges found for it, so the study needs no graph.",
  interface: "claim-1",
  outcomes: [
    { name: "supported", label: "supported", title: "Supported", verb: "find the claim supported", icon: CircleCheck, tone: "good" },
    { name: "contradicted", label: "contradicted", title: "Contradicted", verb: "find the claim contradicted", icon: CircleX, tone: "good" },
    { name: "not_enough", label: "not enough evidence", title: "Not enough", verb: "find too little evidence", icon: CircleDashed, tone: "good" },
    { name: "not_sure", label: "not sure", title: "Not sure", verb: "are not sure", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: DASHBOARD,
  Editor: lazy(async () => ({ default: (await import("./ClaimEditor")).ClaimEditor })),
  ReadOnlyView: lazy(async () => ({ default: (await import("./ReadOnlyClaim")).ReadOnlyClaim })),
  Instructions: lazy(async () => ({ default: (await import("./Instructions")).Instructions })),
  recordedData: [
    "Each verdict you submit, the sentences and edges you marked and your comment.",
    "Each step on the way: what you chose, marked and took back, and when.",
  ],
  definition: {
    heading: "What supports a claim",
    Text: lazy(async () => ({ default: (await import("./Definition")).Definition })),
    preload: () => import("./Definition"),
  },
  shortcuts: SHORTCUTS,
  changedMessage: "Choose with 1 to 3 or N. Ctrl and Enter submits.",
  alternative: null,
  practice: {
    linkLabel: "Try a practice claim",
    Player: lazy(async () => ({ default: (await import("./practice/PracticeClaim")).PracticeClaim })),
  },
  planning: { judgement: "verdicts", label: "Verdicts on claims", items: "Claims" },
  isShortcutTarget: isOnClaim,
  submission: submissionOf,
  forSubmission,
  submissionDetail: ({ verdict, because }) => ({ verdict, because }),
  isSame: isSameAnswer,
  differences: answerDifferences,
  summarize: summarizeAnswer,
  outcomeDetail: () => "",
  evidenceSubjects: () => [],
  emptyPayload: emptyAnswer,
});
