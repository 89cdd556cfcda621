import type { LeaderboardColumn, LeaderboardTable } from "@/api/contract";

export function directionLabel(direction: LeaderboardColumn["direction"]): string {
  return direction === null ? "no better side" : `${direction} is better`;
}

export function directionArrow(direction: LeaderboardColumn["direction"]): string {
  return { higher: "↑", lower: "↓", none: "" }[direction ?? "none"];
}

export function countLabel(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** 'Table 3, lower part': the printed name of a table. */
export function publishedTableName({ table }: Pick<LeaderboardTable, "table">): string {
  const [number, part] = table.split(" ");
  return part ? `Table ${number}, ${part} part` : `Table ${number}`;
}
