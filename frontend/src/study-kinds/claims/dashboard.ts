/** How the dashboard shows the measures of claims. */
import { lazy } from "react";
import { defineComparison, type DashboardInfo, type MeasureInfo } from "@/domains/studies/studyKind";
import { formatCoefficient, formatPercent } from "@/lib/format";
import type { ClaimAnswer, ClaimItem } from "./answer";
import { verdictLabel } from "./verdicts";

const TOO_FEW = { text: "too few to tell", long: "It needs claims that two experts have verified." };

const MISSING: MeasureInfo["missing"] = {
  tooFew: TOO_FEW,
  reasons: {
    too_few_raters: TOO_FEW,
    no_overlap: TOO_FEW,
    one_category: { text: "one verdict only", long: "All experts chose the same verdict everywhere, so chance agreement is undefined." },
  },
};

export const DASHBOARD: DashboardInfo = {
  measures: [
    {
      name: "same_verdict",
      key: "same-verdict",
      label: "Same verdict",
      hint: "How often two experts choose the same verdict",
      scale: [0, 1],
      format: formatPercent,
      missing: MISSING,
    },
    {
      name: "alpha",
      key: "alpha",
      label: "Krippendorff’s α",
      hint: "Nominal: 1 is full agreement, 0 what chance gives",
      scale: [-1, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
    {
      name: "ac1",
      key: "ac1",
      label: "Gwet’s AC1",
      hint: "Corrected for chance, and steady where one verdict is common",
      scale: [-1, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
  ],
  share: {
    name: "supported_share",
    heading: "Supported",
    summaryLabel: "Supported",
    hint: "of all answers, ‘not sure’ included, those that find the claim supported.",
    missingLabel: "none answered",
  },
  secondShare: { name: "contradicted_share", label: "contradicted" },
  questions: defineComparison<ClaimItem, ClaimAnswer>({
    consensusLabel: "Most chose",
    consensusText: (_, consensus) => verdictLabel(String(consensus)).toLowerCase(),
    Comparison: lazy(async () => ({ default: (await import("./ClaimComparison")).ClaimComparison })),
  }),
};
