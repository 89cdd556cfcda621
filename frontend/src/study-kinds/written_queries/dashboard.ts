/** How the dashboard shows the measures of written queries. */
import { lazy } from "react";
import { defineComparison, type DashboardInfo } from "@/domains/studies/studyKind";
import { formatCoefficient } from "@/lib/format";
import type { WrittenQueryAnswer, WrittenQueryItem } from "./answer";

const TOO_FEW = { text: "no queries", long: "It needs a submitted query." };

export const DASHBOARD: DashboardInfo = {
  measures: [
    {
      name: "words",
      key: "words",
      label: "Words per query",
      hint: "The mean length of the submitted queries",
      scale: [0, 40],
      format: formatCoefficient,
      missing: { tooFew: TOO_FEW, reasons: { too_few_items: TOO_FEW } },
      basis: { unit: "queries", intervals: "It has no interval here. Statistics has one once the study is closed." },
    },
  ],
  share: {
    name: "written_share",
    heading: "Written",
    summaryLabel: "Written",
    hint: "of all answers, those with a query.",
    missingLabel: "none answered",
  },
  secondShare: { name: "impossible_share", label: "not possible" },
  ResultAction: lazy(async () => ({ default: (await import("./QueriesButton")).QueriesButton })),
  questions: defineComparison<WrittenQueryItem, WrittenQueryAnswer>({
    consensusLabel: "Queries",
    consensusText: () => "",
    Comparison: lazy(async () => ({ default: (await import("./QueryComparison")).QueryComparison })),
  }),
};
