import { ChevronDown, ChevronsUpDown, ChevronUp } from "lucide-react";
import type { LeaderboardColumn } from "@/api/contract";
import { directionArrow, directionLabel } from "./labels";
import styles from "./ResultsTable.module.css";

/** A title of more letters gets a wider column, so that it stays within a few lines. */
const LONG_TITLE_CHARACTERS = 20;

interface Props {
  column: LeaderboardColumn;
  title: string;
  /** Which end is first where the table is sorted by this column. */
  first: "best" | "worst" | null;
  isDense: boolean;
  startsGroup: boolean;
  onSort: (column: LeaderboardColumn) => void;
}

/** A column's head: press it to sort; below stands which way is better, and the unit. */
export function ColumnHeader({ column, title, first, isDense, startsGroup, onSort }: Props) {
  const ascends = first && (column.direction === "lower") === (first === "best");
  const sorted = first ? (ascends ? "ascending" : "descending") : undefined;
  const Arrow = sorted ? (ascends ? ChevronUp : ChevronDown) : ChevronsUpDown;
  return (
    <th
      scope="col"
      aria-sort={sorted}
      className={styles.head}
      data-starts-group={startsGroup || undefined}
      data-long={title.length > LONG_TITLE_CHARACTERS || undefined}
    >
      <button type="button" onClick={() => onSort(column)}>{title}<Arrow size={14} aria-hidden /></button>
      <SortHint column={column} isDense={isDense} />
    </th>
  );
}

function SortHint({ column: { direction, scale }, isDense }: Pick<Props, "column" | "isDense">) {
  const arrow = <span aria-hidden>{directionArrow(direction)} </span>;
  if (isDense && direction) {
    return <span className={styles.hint}>{arrow}{direction}<span className="visually-hidden"> is better</span>, {scale}</span>;
  }
  return (
    <>
      <span className={styles.hint}>{arrow}{directionLabel(direction)}</span>
      <span className={styles.hint}>{scale}</span>
    </>
  );
}
