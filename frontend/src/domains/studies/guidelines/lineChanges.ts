export interface LineChange {
  kind: "same" | "added" | "removed";
  text: string;
}

/** The lines of both texts in order, with the longest common part of them as the same. */
export function lineChanges(before: string, after: string): LineChange[] {
  const left = before.split("\n");
  const right = after.split("\n");
  const common = commonLengths(left, right);
  const result: LineChange[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [old, next] = [left[row], right[column]];
    const isSame = old !== undefined && old === next;
    const isRemoved = next === undefined || lengthAt(common, row + 1, column) >= lengthAt(common, row, column + 1);
    if (isSame) result.push({ kind: "same", text: old });
    else if (old !== undefined && isRemoved) result.push({ kind: "removed", text: old });
    else result.push({ kind: "added", text: next ?? "" });
    const last = result.at(-1)?.kind;
    if (last !== "added") row += 1;
    if (last !== "removed") column += 1;
  }
  return result;
}

/** Of the longest common part of what is left from each pair of places. */
function commonLengths(left: string[], right: string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const longest = Math.max(lengthAt(table, row + 1, column), lengthAt(table, row, column + 1));
      const cells = table[row];
      if (cells) cells[column] = left[row] === right[column] ? lengthAt(table, row + 1, column + 1) + 1 : longest;
    }
  }
  return table;
}

const lengthAt = (table: number[][], row: number, column: number) => table[row]?.[column] ?? -1;
