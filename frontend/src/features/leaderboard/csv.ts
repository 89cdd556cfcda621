/** The shown table as a file: the printed text of every cell, in the shown order. */

import type { LeaderboardRow } from "@/api/contract";
import { csvText } from "@/lib/csv";
import { EVERY_SLICE, type View } from "./view";
import { directionWords } from "./words";

export function tableAsCsv(view: View, rows: LeaderboardRow[]): string {
  const { table, columns } = view;
  const heads = columns.map(
    ({ slice, metric, unit, direction }) => `${slice} ${metric} (${unit}, ${directionWords(direction)})`,
  );
  const lines = rows.map((row) => {
    const texts = new Map(row.cells.map(({ column, text }) => [column, text]));
    const values = columns.map(({ key }) => texts.get(key) ?? "");
    return [table.paper, table.table, row.model, row.setting, row.provenance, ...values];
  });
  return csvText([["paper", "table", "model", "setting", "provenance", ...heads], ...lines]);
}

export function csvName(track: string, { table, slice }: View): string {
  const part = slice === EVERY_SLICE ? "" : ` ${slice}`;
  const words = `${track} ${table.id}${part}`.toLowerCase();
  return `${words.replaceAll(/[^a-z0-9]+/g, "-")}.csv`;
}
