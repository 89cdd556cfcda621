/** How the dashboard shows the measures of ranking studies. */
import { lazy } from "react";
import { defineComparison, type DashboardInfo, type MeasureInfo } from "@/domains/studies/studyKind";
import { formatCoefficient, formatPercent } from "@/lib/format";
import type { RankingAnswer, RankingItem } from "./answer";
import { orderLines } from "./board/labels";
import type { Ranking } from "./board/rankingModel";

/** Where questions are averaged, one that nobody else ranked and one that is all tied both fall out. */
const TOO_FEW = { text: "too few to tell", long: "It needs questions ranked by two experts, without ties of all candidates." };

const MISSING: MeasureInfo["missing"] = {
  tooFew: TOO_FEW,
  reasons: {
    too_few_rankings: TOO_FEW,
    too_few_questions: TOO_FEW,
    too_few_items: { text: "too few candidates", long: "The questions ranked so far have fewer than two candidates to compare." },
    all_tied: { text: "all tied", long: "Every ranking so far ties all candidates, so there is no order to compare." },
  },
};

export const DASHBOARD: DashboardInfo = {
  measures: [
    {
      name: "kendall_w",
      key: "kendall-w",
      label: "Kendall’s W",
      hint: "All experts together: 0 is no agreement, 1 the same order",
      scale: [0, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
    {
      name: "tau_b",
      key: "tau-b",
      label: "tau-b",
      hint: "Mean over pairs of experts: −1 is opposite, 1 the same order",
      scale: [-1, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
    {
      name: "top1",
      key: "top-1",
      label: "top-1",
      hint: "How often two experts put the same first",
      scale: [0, 1],
      format: formatPercent,
      missing: MISSING,
    },
  ],
  share: {
    name: "changed_share",
    heading: "Orders changed",
    summaryLabel: "Orders changed",
    hint: "of the answers to an order shown, those that differ from it. ‘Not sure’ is left out.",
    missingLabel: "none to compare",
  },
  secondShare: { name: "not_sure_share", label: "‘not sure’, left out" },
  ResultAction: lazy(async () => ({ default: (await import("./partitions/PartitionButton")).PartitionButton })),
  questions: defineComparison<RankingItem, RankingAnswer>({
    consensusLabel: "Common order",
    consensusText: ({ candidates }, consensus) => orderLines(consensus as Ranking, candidates).join("  "),
    Comparison: lazy(async () => ({ default: (await import("./comparison/OrderComparison")).OrderComparison })),
  }),
};
