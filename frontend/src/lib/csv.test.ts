import { expect, test } from "vitest";
import { csvCell } from "./csv";

test.each(["=1+1", "+1", "-cmd", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1d1", "'quoted"])(
  "a cell that a spreadsheet would run, %j, is escaped and can be restored",
  (text) => {
    const cell = csvCell(text).replace(/^"([^]*)"$/, "$1");
    expect(cell).toBe(`'${text}`);
  },
);

test.each(["-0.028", "1.000", "-2e-7", "3.1e+5", "12", "GPT-4o", ""])("plain text and numbers, %j, stay as they are", (text) => {
  expect(csvCell(text)).toBe(text);
});

test("commas, quotes and line ends are quoted", () => {
  expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
  expect(csvCell("a\nb")).toBe('"a\nb"');
});
