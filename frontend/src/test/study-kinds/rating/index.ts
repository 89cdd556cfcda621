/**
 * A kind for tests: experts rate a question from 1 to 5, and order nothing. The other half is
 * tests/plugins/study_kinds/rating.
 */
import { CircleHelp, Star } from "lucide-react";
import type { Item } from "@/api/contract";
import { defineStudyKind } from "@/domains/studies/studyKind";
import { formatPercent } from "@/lib/format";
import { RatingEditor, type RatingAnswer } from "./RatingEditor";

const text = ({ stars }: RatingAnswer) => (stars === null ? "no opinion" : `${stars} of 5`);

export const kind = defineStudyKind<Item, RatingAnswer>({
  name: "rating",
  title: "Rating",
  interface: "rating-1",
  outcomes: [
    { name: "rated", label: "rated", title: "Rated", verb: "rate it", icon: Star, tone: "good" },
    { name: "no_opinion", label: "no opinion", title: "No opinion", verb: "have no opinion", icon: CircleHelp, tone: "warn" },
  ],
  dashboard: {
    measures: [
      {
        name: "unanimous",
        key: "unanimous",
        label: "Unanimous",
        hint: "Questions to which all experts gave the same rating",
        scale: [0, 1],
        format: formatPercent,
        missing: { tooFew: { text: "too few ratings", long: "It needs two ratings of a question." }, reasons: {} },
      },
    ],
    share: null,
    secondShare: null,
  },
  Editor: RatingEditor,
  ReadOnlyView: ({ answer }) => text(answer),
  Instructions: () => null,
  definition: { heading: "What stars mean", Text: () => null },
  recordedData: ["Each rating that you submit."],
  shortcuts: { intro: "", general: [], singleKeys: [], switchLabel: "Single keys act", offText: "" },
  changedMessage: "",
  alternative: null,
  isShortcutTarget: () => false,
  submission: (_, { stars }) => ({
    outcome: stars === null ? "no_opinion" : "rated",
    label: stars === null ? "I have no opinion" : "Submit my rating",
    step: "submitted",
    isAgreement: false,
  }),
  forSubmission: (answer) => answer,
  submissionDetail: ({ stars }) => stars,
  isSame: (left, right) => left.stars === right.stars,
  differences: (_, local, saved) => [
    { label: "Rating", local: text(local), saved: text(saved), isDifferent: local.stars !== saved.stars },
  ],
  summarize: (_, answer) => [text(answer)],
  outcomeDetail: () => "",
  evidenceSubjects: () => [],
  emptyPayload: () => ({ stars: null }),
});
