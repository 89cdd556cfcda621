/** The shown table as a file: the printed text of every cell, in the shown order. */

import type { LeaderboardRow } from "@/api/contract";
import { csvText } from "@/lib/csv";
import { directionLabel } from "./labels";
import type { View } from "./view";

export function tableToCsv(view: View, rows: LeaderboardRow[]): string {
  const { table, columns } = view;
  const heads = columns.map(({ slice, metric, unit, direction }) => `${slice} ${metric} (${unit}, ${directionLabel(direction)})`);
  const lines = rows.map((row) => {
    const texts = new Map(row.cells.map(({ column, text }) => [column, text]));
    const values = columns.map(({ key }) => texts.get(key) ?? "");
    return [table.paper, table.table, row.model, row.setting, row.provenance, ...values];
  });
  return csvText([["paper", "table", "model", "setting", "provenance", ...heads], ...lines]);
}

export function csvFileName(track: string, { table, column, isWhole }: View): string {
  const part = isWhole ? "" : ` ${column.key}`;
  const words = `${track} ${table.id}${part}`.toLowerCase();
  return `${words.replaceAll(/[^a-z0-9]+/g, "-")}.csv`;
}
