/** How the dashboard shows the measures of levels. Those of single scales have the scales' names. */
import type { ComponentType } from "react";
import type { Measure } from "@/api/contract";
import { defineComparison, type ComparisonProps, type DashboardInfo, type MeasureInfo } from "@/domains/studies/studyKind";
import { formatCoefficient, formatPercent } from "@/lib/format";
import type { ScaledAnswer, ScaledItem } from "./scaledAnswer";

const TOO_FEW = { text: "too few to tell", long: "It needs items that two experts have rated." };

const MISSING: MeasureInfo["missing"] = {
  tooFew: TOO_FEW,
  reasons: {
    too_few_questions: TOO_FEW,
    too_few_items: TOO_FEW,
    too_few_raters: TOO_FEW,
    no_overlap: TOO_FEW,
    one_category: { text: "one level only", long: "All levels are the same, so agreement by chance is certain." },
  },
};

const BASIS = { unit: "rating", intervals: "experts and items" };

const SCALE_MEASURES: Record<string, Pick<MeasureInfo, "hint" | "scale" | "format"> & { label: string }> = {
  alpha: {
    label: "alpha",
    hint: "Krippendorff’s alpha for ordered levels: 1 is agreement, 0 is what chance gives",
    scale: [-1, 1],
    format: formatCoefficient,
  },
  positive: { label: "positive", hint: "Share of the levels that are 4 or 5", scale: [0, 1], format: formatPercent },
  tie: { label: "tie", hint: "Share of the levels that are 3", scale: [0, 1], format: formatPercent },
  negative: { label: "negative", hint: "Share of the levels that are 1 or 2", scale: [0, 1], format: formatPercent },
  non_negative: { label: "positive or tie", hint: "Share of the levels that are 3, 4 or 5", scale: [0, 1], format: formatPercent },
};

/** Of a name such as 'naturalness.positive'. */
function describeMeasure({ name }: Measure): MeasureInfo | null {
  const end = name.lastIndexOf(".");
  const known = SCALE_MEASURES[name.slice(end + 1)];
  if (end < 0 || !known) return null;
  return { ...known, name, key: name, label: `${name.slice(0, end)}, ${known.label}`, missing: MISSING, basis: BASIS };
}

export const scaleDashboard = <ItemType extends ScaledItem, Answer extends ScaledAnswer>(Comparison: ComponentType<ComparisonProps<ItemType, Answer>>): DashboardInfo => ({
  measures: [
    {
      name: "same_verdict",
      key: "same-verdict",
      label: "Same verdict",
      hint: "How often two experts both rate a scale positively, both neutrally, or both negatively",
      scale: [0, 1],
      format: formatPercent,
      missing: MISSING,
    },
    {
      name: "closeness",
      key: "closeness",
      label: "Closeness of levels",
      hint: "Mean over pairs of experts and scales: 1 is the same level, 0 is 1 against 5",
      scale: [0, 1],
      format: formatCoefficient,
      missing: MISSING,
    },
  ],
  describeMeasure,
  share: {
    name: "not_sure_share",
    heading: "Not sure",
    summaryLabel: "Not sure",
    hint: "of the answers, those that are not sure about any scale.",
    missingLabel: "none answered",
  },
  secondShare: null,
  questions: defineComparison<ItemType, Answer>({
    consensusLabel: "Median",
    consensusText: ({ scales }, consensus) => scales.flatMap(({ name }) => medianText(name, consensus)).join(", "),
    Comparison,
  }),
});

function medianText(name: string, consensus: unknown): string[] {
  if (typeof consensus !== "object" || consensus === null) return [];
  const median = new Map<string, unknown>(Object.entries(consensus)).get(name);
  return typeof median === "number" ? [`${name} ${median}`] : [];
}
