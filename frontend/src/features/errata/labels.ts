import type { BoardMetric } from "@/domains/evaluation/queries";
import { scoreText } from "@/domains/evaluation/labels";
import { formatCoefficient, formatPercent, formatPlural } from "@/lib/format";
import type { BoardChange, EntryChange, ItemContent, ItemKey, ItemReport, PoolBounds, ReportKind } from "./queries";

export const KIND_LABELS: Record<ReportKind, string> = {
  wrong_answer: "Wrong answer",
  ambiguous: "Ambiguous",
  duplicate: "Duplicate",
  other: "Other",
};

export const STATE_LABELS: Record<ItemReport["state"], string> = {
  open: "not decided yet",
  accepted: "accepted",
  dismissed: "dismissed",
};

export const keyText = (key: ItemKey) => key.join(", ");

/** The longest text of an item: its question. */
export function questionOf(content: ItemContent): string {
  const texts = Object.values(content).filter((value) => typeof value === "string");
  return texts.toSorted((one, other) => other.length - one.length)[0] ?? "";
}

export function changeTitle({ kind, before, after }: BoardChange): string {
  return kind === "correction"
    ? `${after.name} corrects ${before.name}`
    : `Evaluator version ${before.evaluator_version} became ${after.evaluator_version}`;
}

/** '8 items withdrawn, 1 item changed in this split; 2 items corrected in the other. 2 of 5 entries have another place.' */
export function changeSummary({ kind, withdrawn, changed, elsewhere, reordered, count }: BoardChange): string {
  const other = elsewhere > 0 ? `; ${formatPlural(elsewhere, "item")} corrected in the other` : "";
  const items = `${formatPlural(withdrawn, "item")} withdrawn, ${formatPlural(changed, "item")} changed in this split${other}. `;
  const moved = `${reordered} of ${formatPlural(count, "entry", "entries")} ${reordered === 1 ? "has" : "have"} another place.`;
  return (kind === "correction" ? items : "") + moved;
}

/** '+1.3', with as many decimals as the score has. */
export function differenceText({ before, after }: EntryChange, metric: BoardMetric): string {
  if (!before || !after) return "";
  const difference = after.value - before.value;
  const decimals = scoreText(0, metric).split(".")[1]?.length ?? 0;
  const text = formatCoefficient(difference, decimals);
  return difference > 0 && Number(text) > 0 ? `+${text}` : text;
}

/** '1, was 2' for an entry that has moved. */
export function placeText({ before, after, is_reordered: moved }: EntryChange): string {
  if (!after) return "not on it";
  if (!before) return "new";
  return moved ? `${after.place}, was ${before.place}` : String(after.place);
}

/** 'bounds 12.0 to 48.5, 30 % judged'. */
export function boundsText({ judged, low, high }: PoolBounds, metric: BoardMetric): string {
  const share = judged === null ? "" : `, ${formatPercent(judged)} judged`;
  return `bounds ${scoreText(low, metric)} to ${scoreText(high, metric)}${share}`;
}
