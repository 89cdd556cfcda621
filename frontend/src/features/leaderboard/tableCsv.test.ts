import { expect, test } from "vitest";
import { makeRow, makeTable } from "./fixtures";
import { tableToCsv, csvFileName } from "./tableCsv";
import { readView, sortRows, type View } from "./view";

function viewOf(words: string, changes: Parameters<typeof makeTable>[0] = {}): View {
  const view = readView(new URLSearchParams(words), [makeTable(changes)]);
  if (!view) throw new Error("there is a table, so there is a view");
  return view;
}

test("the file has the shown columns and rows, in the shown order, with the printed text", () => {
  const shown = viewOf("metric=wrong&printed=all");
  expect(tableToCsv(shown, sortRows(shown)).split("\r\n")).toEqual([
    'paper,table,model,setting,provenance,"one f1 (percent, higher is better)","one wrong (percent, lower is better)","two f1 (percent, higher is better)","two wrong (percent, lower is better)"',
    "Paper,1 upper,c,,published,70.10,4.00,1.00,",
    "Paper,1 upper,a,,published,10.00,5.00,,",
    "Paper,1 upper,b,,published,70.10,6.00,,",
    "Paper,1 upper,d,,published,,,,",
    "",
  ]);
});

test("a model named as a formula is text in the file", () => {
  const rows = [makeRow("1", '=HYPERLINK("x")', { "one.f1": "1.00" }, "+set")];
  expect(tableToCsv(viewOf("", { rows }), rows)).toContain(
    `Paper,1 upper,"'=HYPERLINK(""x"")",'+set,published,1.00\r\n`,
  );
});

test("a file's name says its track, table and slice", () => {
  expect(csvFileName("paper-task", viewOf("slice=two"))).toBe("paper-task-paper-1-two-f1.csv");
  expect(csvFileName("paper-task", viewOf("printed=all"))).toBe("paper-task-paper-1.csv");
});
