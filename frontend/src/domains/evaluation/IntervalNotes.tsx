import { INTERVAL_SENTENCES, intervalReason } from "./labels";
import type { BoardRow } from "./queries";

/** What the marks on intervals in sight mean: of the scores with these keys. */
export function IntervalNotes({ rows, keys }: { rows: Pick<BoardRow, "interval_reasons">[]; keys: string[] }) {
  const reasons = new Set(rows.flatMap((row) => keys.flatMap((key) => intervalReason(row, key) ?? [])));
  if (reasons.size === 0) return null;
  return <p>{[...reasons].map((reason) => INTERVAL_SENTENCES[reason]).join(" ")}</p>;
}
