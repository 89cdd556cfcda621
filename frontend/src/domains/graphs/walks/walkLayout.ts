/** Where the nodes of a walk stand: level after level, to the right, or downwards where it is narrow. */
import type { NodePositions } from "@/domains/graphs/drawing/picture";
import type { WalkColumn } from "./walk";

const ROWS = 9;
const ROW_PX = 62;
const COLUMN_PX = 190;
const LEVEL_GAP_PX = 70;

const NARROW_ACROSS = 2;
const NARROW_COLUMN_PX = 164;
const NARROW_ROW_PX = 78;
const NARROW_GAP_PX = 34;

/**
 * A level fills columns of ROWS nodes, each centred on the line of the root. Offered nodes come after
 * those of the walk, so that these stay where they are when the walk goes on.
 */
export function walkLayout(columns: WalkColumn[], isNarrow: boolean): NodePositions {
  return isNarrow ? downwards(columns) : rightwards(columns);
}

function rightwards(columns: WalkColumn[]): NodePositions {
  const places: NodePositions = {};
  let x = 0;
  for (const { walked, others } of columns) {
    const parts = [...chunks(walked, ROWS), ...chunks(others, ROWS)];
    parts.forEach((ids, part) => {
      ids.forEach((id, row) => {
        places[id] = { x: x + part * COLUMN_PX, y: Math.round((row - (ids.length - 1) / 2) * ROW_PX) };
      });
    });
    x += Math.max(1, parts.length) * COLUMN_PX + LEVEL_GAP_PX;
  }
  return places;
}

function downwards(columns: WalkColumn[]): NodePositions {
  const places: NodePositions = {};
  let y = 0;
  for (const { walked, others } of columns) {
    const rows = [...chunks(walked, NARROW_ACROSS), ...chunks(others, NARROW_ACROSS)];
    rows.forEach((ids, row) => {
      ids.forEach((id, at) => {
        places[id] = { x: Math.round((at - (ids.length - 1) / 2) * NARROW_COLUMN_PX), y: y + row * NARROW_ROW_PX };
      });
    });
    y += Math.max(1, rows.length) * NARROW_ROW_PX + NARROW_GAP_PX;
  }
  return places;
}

function chunks<T>(list: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
