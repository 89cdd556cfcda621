/** Tables as files that a spreadsheet may open without running anything in them. */

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
/** As in a study's export, with the full-width forms; but a plain number is left to be one. */
const FORMULA_START = /^[=+\-@\t\r\n'\uff1d\uff0b\uff0d\uff20]/;

/**
 * A cell that a spreadsheet would run gets an apostrophe before it, and so does one that begins
 * with an apostrophe: taking one away from every cell that has it gives the text back.
 */
export function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(rows: string[][]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}
