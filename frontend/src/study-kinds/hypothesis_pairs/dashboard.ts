/** How the dashboard shows the measures of hypothesis pairs. */
import { lazy } from "react";
import { defineComparison, type DashboardInfo, type MeasureInfo } from "@/domains/studies/studyKind";
import { formatCoefficient, formatPercent } from "@/lib/format";
import type { PairAnswer, PairItem } from "./answer";

const TOO_FEW = { text: "too few to tell", long: "It needs pairs that two experts have compared." };
const NONE_PREFERRED = { text: "none preferred", long: "No expert has preferred one hypothesis of a pair yet." };

const MISSING: MeasureInfo["missing"] = {
  tooFew: TOO_FEW,
  reasons: { too_few_raters: TOO_FEW, too_few_questions: TOO_FEW },
};

export const DASHBOARD: DashboardInfo = {
  measures: [
    {
      name: "same_verdict",
      key: "same-verdict",
      label: "Same verdict",
      hint: "How often two experts prefer the same hypothesis, both see a tie, or find both bad",
      scale: [0, 1],
      format: formatPercent,
      missing: MISSING,
    },
    {
      name: "grade_closeness",
      key: "grades",
      label: "Closeness of grades",
      hint: "Mean over pairs of experts: 1 is the same grade, 0 is opposite; ‘both bad’ is left out",
      scale: [0, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
    {
      name: "first_share",
      key: "first",
      label: "First preferred",
      hint: "Of the answers that prefer one, those that prefer the first hypothesis of the file",
      isResult: true,
      scale: [0, 1],
      format: formatPercent,
      missing: { tooFew: NONE_PREFERRED, reasons: { too_few_raters: NONE_PREFERRED, too_few_questions: NONE_PREFERRED } },
    },
  ],
  share: {
    name: "left_share",
    heading: "Left preferred",
    summaryLabel: "Left preferred",
    hint: "of the answers that prefer one, those for the hypothesis on the left. Far from half shows position bias.",
    missingLabel: "none preferred",
  },
  secondShare: { name: "not_sure_share", label: "‘not sure’, left out" },
  questions: defineComparison<PairItem, PairAnswer>({
    consensusLabel: "Most chose",
    consensusText: ({ hypotheses: [first, second] }, consensus) =>
      ({ first: `the first: ${first?.hypothesis}`, second: `the second: ${second?.hypothesis}`, tie: "a tie", both_bad: "both bad" })[String(consensus)] ?? "",
    Comparison: lazy(async () => ({ default: (await import("./PairComparison")).PairComparison })),
  }),
};
